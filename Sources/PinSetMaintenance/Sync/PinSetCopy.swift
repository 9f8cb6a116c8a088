internal import Encodings
package import PinSetFormats
package import Pinning

/// A copy of a pin set in some format, and what would bring a file into line with it.
///
/// Two rules keep a check after a writing from finding anything. The file is compared with what the set says **in that
/// format**, read by the same reader, so that what the format cannot say is no difference; and nothing is written that would not
/// compare as equal.
package struct PinSetCopy: Sendable {
    /// What it is written as.
    package let format: PinSetFormat
    let set: PinSet
    /// The last part of its path.
    let fileName: String
    let others: OtherHosts
    let overwrites: Bool
    let inputs: ConversionInputs

    /// - Parameters:
    ///   - set: the hosts that the copy has, and no others.
    ///   - format: nil where the contents or the name are to tell.
    ///   - contents: of the file; nil where there is none.
    ///   - overwrites: whether the whole file is written anew, whatever it holds.
    /// - Throws: where neither tells the format.
    package init(
        of set: PinSet, as format: PinSetFormat?, fileName: String, contents: [UInt8]?, others: OtherHosts = .removed,
        overwrites: Bool = false, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) {
        var format = if let format { format } else { try Self.format(of: contents, named: fileName) }
        // TrustKit's pins are in a property list or in source code, and both are detected as `trustkit`.
        if let codec = format.traits.sourceVariant, let contents, !PropertyList.isLikely(contents) {
            format = PinSetFormat(codec)
        }
        (self.set, self.format, self.fileName, self.others) = (set, format, fileName, others)
        self.overwrites = overwrites
        var inputs = inputs
        inputs.host = set.entries.count == 1 ? set.entries.first?.name : nil
        self.inputs = inputs
        guard others == .removed || isMerged else {
            throw PinSetFormatError(
                format: format,
                message: "other hosts cannot be kept in \(format.rawValue.quotedExcerpt), which is written anew",
                hint: "\"others\": \"keep\" is for \(FormatTraits.mergingNames) in a property list")
        }
    }

    private static func format(of contents: [UInt8]?, named name: String) throws(PinSetFormatError) -> PinSetFormat {
        let named = FormatRegistry.current.format(forFileName: name)
        guard let contents else {
            guard let named else {
                throw PinSetFormatError(
                    format: nil, message: "there is no such file, and its name does not tell its format",
                    need: .format)
            }
            return named
        }
        do throws(PinSetFormatError) {
            return try PinSetFormat.recognized(in: contents)
        } catch {
            guard let named else { throw error }
            return named
        }
    }

    /// What the file says otherwise than the set, and what would be written.
    ///
    /// - Parameters:
    ///   - file: its contents; nil where there is none.
    ///   - beside: the contents of a file in the same folder, by its name; nil where there is none.
    package func compared(
        with file: [UInt8]?, beside: (String) -> [UInt8]?
    ) throws(PinSetFormatError) -> CopyComparison {
        let fresh = try fresh()
        guard let file else {
            let files = created(of: fresh)
            try check(files, try expected(of: fresh), fresh)
            return CopyComparison(
                differences: [CopyDifference(.missingFile)], notes: fresh.warnings, outcome: .write(files))
        }
        let writing = isMerged ? try set.written(as: format, into: file, others: others) : fresh
        let expected = try expected(of: writing)
        let found = try differences(of: file, to: expected, fresh: fresh, beside: beside)
        // That the pins of others go is a difference already.
        let notes = writing.warnings.filter { $0.reason != .otherHost(.removed) }
        guard !found.isEmpty else { return CopyComparison(differences: [], notes: notes, outcome: .equal) }
        let outcome: CopyComparison.Outcome
        do throws(PinSetFormatError) {
            let files = isMerged ? writing.files : try update(of: file, fresh, beside: beside)
            try check(files, expected, fresh)
            outcome = .write(files)
        } catch {
            outcome = .refused(error)
        }
        return CopyComparison(differences: found, notes: notes, outcome: outcome)
    }

    /// Whether the pins are put into a file that is there, and all else in it stays.
    private var isMerged: Bool { format.traits.mergesIntoFiles && !overwrites }
}
