package import PinSetFormats

/// What a comparison of a copy with its set came to.
package struct CopyComparison: Sendable {
    /// Empty where the copy says what the set says.
    package let differences: [CopyDifference]
    /// What the format cannot say, and what stays in the file beside the set. None is a difference.
    package let notes: [ConversionWarning]
    package let outcome: Outcome

    package enum Outcome: Sendable {
        case equal
        /// These bring it into line: the file itself, which has no name, and those beside it.
        case write([PinSetWriting.File])
        /// To write it might destroy what its authors wrote.
        case refused(PinSetFormatError)
    }
}
