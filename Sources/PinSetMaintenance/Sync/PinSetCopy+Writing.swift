internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

extension PinSetCopy {
    /// The files of a copy that does not exist or is overwritten.
    func created(of fresh: PinSetWriting) -> [PinSetWriting.File] {
        guard isSource else { return fresh.files }
        return fresh.files.map { file in
            file.name == nil ? .init(name: nil, bytes: GeneratedSource(file.bytes).marked) : file
        }
    }

    /// The new contents of a file that pinctl can overwrite, or whose marked section it can replace.
    func update(
        of file: [UInt8], _ fresh: PinSetWriting, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> [PinSetWriting.File] {
        if isSource, let section = try MarkedSection(in: file) {
            try checkLanguage()
            let bytes = section.replacing(with: GeneratedSource(fresh.main).body, in: file)
            return fresh.files.map { $0.name == nil ? .init(name: nil, bytes: bytes) : $0 }
        }
        let isEmpty = file.allSatisfy(\.isWhiteSpace)
        guard overwrites || isEmpty || isGenerated(file, beside: beside) else {
            throw .notGenerated(isSource: isSource)
        }
        let files = created(of: fresh)
        guard case .lines = format.traits.generatedFile, !overwrites else { return files }
        return files.map { $0.name == nil ? .init(name: nil, bytes: Self.keepingComments(of: file, in: $0.bytes)) : $0 }
    }

    /// Returns the new lines with the comments that a person added to the same records in the old file. If the pin has a label, the
    /// label is the comment instead.
    private static func keepingComments(of file: [UInt8], in text: [UInt8]) -> [UInt8] {
        var commented: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        for line in lines(of: file) where record(of: line).count < line.count { commented[record(of: line)] = line }
        guard !commented.isEmpty else { return text }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(lines.map { commented[$0, default: $0] }.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Whether pinctl generated the whole file, although it has no markers: if pinctl reads the file and writes the set again, the
    /// result is the same file.
    private func isGenerated(_ file: [UInt8], beside: (String) -> [UInt8]?) -> Bool {
        if case .lines = format.traits.generatedFile {
            return Self.lines(of: file).allSatisfy { isGenerated(line: Array($0)) }
        }
        if case .fingerprints = format.traits.generatedFile {
            return (format.codec as? any FingerprintWritingCodec.Type)?.isGenerated(file) ?? false
        }
        guard let reading = try? readUnnamed(file, beside: beside) else { return false }
        switch format.traits.generatedFile {
        case .noUnknownKeys: return hasKeys(of: reading.set)
        case .noWarnings: return reading.warnings.isEmpty
        case .onlyKnownKeys: return WultraFormat.hasOnlyKnownKeys(file)
        case .anyReadable: return true
        case .identical, .lines, .fingerprints: break
        }
        guard let again = try? reading.set.written(as: format, with: ConversionInputs(date: inputs.date)) else {
            return false
        }
        guard format.traits.sidecar == nil else {
            // Chromium's file of names contains the time when it was written, so the existing file of names is used.
            let names = (try? fresh())?.files.lazy.compactMap(\.name).first.flatMap { beside($0) } ?? []
            let others = again.files.first { $0.name != nil }?.bytes ?? []
            return again.main == file && Self.lines(of: names).count == Self.lines(of: others).count
                && !zip(Self.lines(of: names), Self.lines(of: others)).contains {
                    $0 != $1 && !$0.allSatisfy(\.isDigit)
                }
        }
        return again.main == file
    }

    /// Whether pinctl would write this line for some pin set.
    private func isGenerated(line: [UInt8]) -> Bool {
        // In a file for several hosts, a comment names the host of the following lines.
        guard line.first != UInt8(ascii: "#") else { return !line.dropFirst(2).contains(where: \.isWhiteSpace) }
        guard let reading = try? read(line: line) else { return false }
        let again = try? reading.set.written(as: format, with: ConversionInputs(date: inputs.date))
        let written = again.map { Self.lines(of: $0.main) } ?? []
        return written.count == 1 && written.allSatisfy { Self.record(of: $0) == Self.record(of: line[...]) }
    }

    /// A line without its comment, which is the label of a pin.
    private static func record(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.prefix(upTo: line.firstRange(ignoringCase: " ; ")?.lowerBound ?? line.endIndex)
    }

    /// Whether this set has all unknown keys of another set, with the same values.
    private func hasKeys(of other: PinSet) -> Bool {
        let keys = Set(set.unknownMembers)
        return other.unknownMembers.allSatisfy(keys.contains)
    }

    private static func lines(of file: [UInt8]) -> [ArraySlice<UInt8>] {
        file.split(separator: UInt8(ascii: "\n")).map(\.trimmed).filter { !$0.isEmpty }
    }

    private func checkLanguage() throws(PinSetCopyError) {
        guard let language = format.traits.language,
            let other = language.unsupportedExtensions.first(where: { fileName.hasSuffix($0.key) })?.value
        else { return }
        throw .language(format, found: other, written: language)
    }

    /// Checks that the written files would not differ from the set.
    func check(
        _ files: [PinSetWriting.File], _ expected: PinSet?, _ fresh: PinSetWriting
    ) throws(PinSetCopyError) {
        guard let main = files.first(where: { $0.name == nil })?.bytes else { return }
        let left = try differences(of: main, to: expected, fresh: fresh) { name in
            files.first { $0.name == name }?.bytes
        }
        guard let first = left.first else { return }
        throw .remaining(first)
    }
}

extension PinSet {
    /// The keys that pinctl does not know: the location and the JSON value of each.
    fileprivate var unknownMembers: [String] {
        func texts(_ members: [JSONMember], _ location: String) -> [String] {
            members.map { member in
                var writer = JSONWriter(.compact)
                writer.value(member.value)
                return "\(location) \(member.key) \(String(decoding: writer.output, as: UTF8.self))"
            }
        }
        return texts(unknown, "")
            + entries.flatMap { entry in
                texts(entry.unknown, entry.name)
                    + entry.pins.flatMap { texts($0.unknown, "\(entry.name) \($0.pin.base64)") }
            }
    }
}
