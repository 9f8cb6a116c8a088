package import PinSetCodec

/// The result of the comparison of a copy with its pin set.
package struct CopyComparison: Sendable {
    /// The differences; empty if the copy is up to date.
    package let differences: [CopyDifference]
    /// Settings that the format cannot express, and contents that the set does not have but that stay in the file. These are not
    /// differences.
    package let notes: [ConversionWarning]
    package let outcome: Outcome
    /// The files beside an up-to-date copy, such as certificates.
    package let companions: [PinSetWriting.File]

    /// The names of files in the folder of the copy with certificates that the set does not pin, and that an app reads too. They are
    /// differences that a person must remove.
    package let obsolete: [String]

    init(
        differences: [CopyDifference], notes: [ConversionWarning], outcome: Outcome, companions: [PinSetWriting.File],
        obsolete: [String] = []
    ) {
        (self.differences, self.notes, self.outcome) = (differences, notes, outcome)
        (self.companions, self.obsolete) = (companions, obsolete)
    }

    /// The comparison with obsolete companion files.
    func adding(obsolete names: [String]) -> CopyComparison {
        guard !names.isEmpty else { return self }
        return CopyComparison(
            differences: differences + names.map { CopyDifference(.extraCompanion($0)) }, notes: notes,
            outcome: outcome, companions: companions, obsolete: names)
    }

    package enum Outcome: Sendable {
        case equal
        /// The files to write: the copy itself, whose name is nil, and its companion files.
        case write([PinSetWriting.File])
        /// The copy is not written, because writing could delete other contents of the file.
        case refused(PinSetCopyError)
    }
}
