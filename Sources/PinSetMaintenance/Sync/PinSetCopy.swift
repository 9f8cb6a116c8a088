internal import Encodings
package import PinSetCodec
internal import PinSetFormats
package import Pinning
internal import PropertyLists

/// A copy of a pin set in a format.
///
/// Two rules ensure that a check directly after a write finds no difference. First, the file is compared with the set **as written
/// in that format and read back**. So settings that the format cannot express are not differences. Second, a file that would still
/// differ is not written.
package struct PinSetCopy: Sendable {
    /// The format of the copy.
    package let format: PinSetFormat
    let set: PinSet
    /// The last component of the path.
    let fileName: String
    let others: OtherHosts
    let overwrites: Bool
    let inputs: ConversionInputs

    /// - Parameters:
    ///   - set: the pin set, reduced to the hosts of the copy.
    ///   - format: the format of the copy; nil to recognize it from the contents or the name.
    ///   - contents: the contents of the file; nil if it does not exist.
    ///   - overwrites: whether the whole file is replaced, including other contents.
    /// - Throws: if the format cannot be recognized.
    package init(
        of set: PinSet, as format: PinSetFormat?, fileName: String, contents: [UInt8]?, others: OtherHosts = .removed,
        overwrites: Bool = false, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetCopyError) {
        var format = if let format { format } else { try Self.format(of: contents, named: fileName) }
        // TrustKit's pins are in a property list or in source code. The format `trustkit` stands for both.
        if let codec = format.traits.sourceVariant, let contents, !PropertyList.isLikely(contents) {
            format = PinSetFormat(codec)
        }
        (self.set, self.format, self.fileName, self.others) = (set, format, fileName, others)
        self.overwrites = overwrites
        var inputs = inputs
        inputs.previous = contents
        inputs.host = set.entries.count == 1 ? set.entries.first?.name : nil
        self.inputs = inputs
        guard others == .removed || isMerged else {
            throw .othersNotKept(format)
        }
    }

    private static func format(of contents: [UInt8]?, named name: String) throws(PinSetCopyError) -> PinSetFormat {
        let named = FormatRegistry.current.format(forFileName: name)
        guard let contents else {
            guard let named else {
                throw .unknownFormat
            }
            return named
        }
        do throws(PinSetFormatError) {
            return try PinSetFormat.recognized(in: contents)
        } catch {
            guard let named else { throw .format(error) }
            return named
        }
    }

    /// Compares the file with the set, and generates the files to write.
    ///
    /// - Parameters:
    ///   - file: the contents of the copy; nil if it does not exist.
    ///   - names: the names of the files in the folder of the copy.
    ///   - needed: the names of files of other copies.
    ///   - beside: returns the contents of a file in the folder of the copy, by its name; nil if it does not exist.
    package func compared(
        with file: [UInt8]?, among names: [String], needed: Set<String>, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> CopyComparison {
        let comparison = try compared(with: file, beside: beside)
        guard hasCompanionsInFolder else { return comparison }
        let needed = needed.union(comparison.companions.compactMap(\.name))
        let obsolete = names.filter { name in
            !needed.contains(name) && name != fileName && beside(name).map { isObsolete($0, named: name) } ?? false
        }
        return comparison.adding(obsolete: obsolete)
    }

    /// Compares the file with the set, and generates the files to write.
    ///
    /// - Parameters:
    ///   - file: the contents of the copy; nil if it does not exist.
    ///   - beside: returns the contents of a file in the folder of the copy, by its name; nil if it does not exist.
    package func compared(
        with file: [UInt8]?, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> CopyComparison {
        let fresh = try fresh()
        guard let file else {
            let files = created(of: fresh)
            var outcome = CopyComparison.Outcome.write(files)
            try check(files, try expected(of: fresh, fresh), fresh)
            do throws(PinSetCopyError) {
                try checkCompanions(of: fresh, beside: beside)
            } catch {
                outcome = .refused(error)
            }
            return CopyComparison(
                differences: [CopyDifference(.missingFile)], notes: fresh.warnings, outcome: outcome,
                companions: fresh.companions)
        }
        let writing = isMerged ? try merged(into: file) : fresh
        let expected = try expected(of: writing, fresh)
        let found = try differences(of: file, to: expected, fresh: fresh, beside: beside)
        // If writing removes pins of other hosts, they are among the differences, so they need no note.
        let notes = writing.warnings.filter { $0.reason != .otherHost(.removed) }
        let companions = fresh.companions
        guard !found.isEmpty else {
            return CopyComparison(
                differences: [], notes: notes + self.notes(on: file, beside: beside), outcome: .equal,
                companions: companions)
        }
        let outcome: CopyComparison.Outcome
        var left = file
        do throws(PinSetCopyError) {
            try checkHosts(found, writing.warnings)
            let files = isMerged ? writing.files : try update(of: file, fresh, beside: beside)
            try check(files, expected, fresh)
            if format.traits.sidecar == nil || file.allSatisfy(\.isWhiteSpace) {
                try checkCompanions(of: fresh, beside: beside)
            }
            outcome = .write(files)
            left = files.first { $0.name == nil }?.bytes ?? file
        } catch {
            outcome = .refused(error)
        }
        return CopyComparison(
            differences: found, notes: notes + self.notes(on: left, beside: beside), outcome: outcome,
            companions: companions)
    }

    private func merged(into file: [UInt8]) throws(PinSetCopyError) -> PinSetWriting {
        do throws(PinSetFormatError) {
            return try set.written(as: format, into: file, others: others)
        } catch {
            throw .format(error)
        }
    }

    /// Whether pinctl changes only the pins of an existing file and keeps its other contents.
    private var isMerged: Bool { format.traits.mergesIntoFiles && !overwrites }
}

extension PinSetWriting {
    /// The files besides the main file.
    fileprivate var companions: [File] { files.filter { $0.name != nil } }
}
