package import PinSetCodec

/// The result of the comparison of a copy with its pin set.
package struct CopyComparison: Sendable {
    /// The differences; empty if the copy is current.
    package let differences: [CopyDifference]
    /// Settings that the format cannot express, and contents of the file that stay although the set does not have them. These are not
    /// differences.
    package let notes: [ConversionWarning]
    package let outcome: Outcome

    package enum Outcome: Sendable {
        case equal
        /// The files to write: the copy itself, whose name is nil, and its companion files.
        case write([PinSetWriting.File])
        /// The copy is not written, because this could delete other contents of the file.
        case refused(PinSetCopyError)
    }
}
