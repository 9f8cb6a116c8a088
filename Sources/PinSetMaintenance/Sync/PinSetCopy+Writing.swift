internal import Encodings
internal import PinSetFormats
internal import Pinning

extension PinSetCopy {
    /// The files of a copy that is not there, or is written anew.
    func created(of fresh: PinSetWriting) -> [PinSetWriting.File] {
        guard isSource else { return fresh.files }
        return fresh.files.map { file in
            file.name == nil ? .init(name: nil, bytes: GeneratedSource(file.bytes).marked) : file
        }
    }

    /// What is written over a file that pinctl may write as a whole, or between markers.
    func update(
        of file: [UInt8], _ fresh: PinSetWriting, beside: (String) -> [UInt8]?
    ) throws(PinSetFormatError) -> [PinSetWriting.File] {
        if isSource, let section = try MarkedSection(in: file, as: format) {
            try checkLanguage()
            let bytes = section.replacing(with: GeneratedSource(fresh.main).body, in: file)
            return fresh.files.map { $0.name == nil ? .init(name: nil, bytes: bytes) : $0 }
        }
        let isEmpty = file.allSatisfy(\.isWhiteSpace)
        guard overwrites || isEmpty || isGenerated(file, beside: beside) else {
            throw PinSetFormatError(
                format: format, message: "the file may hold more than pins, and is left as it is",
                hint: (isSource
                    ? "put a line \"// \(MarkedSection.begin)\" before the pins and \"// \(MarkedSection.end)\" behind them,"
                        + " or " : "")
                    + "let the manifest say \"overwrite\": true for it")
        }
        return created(of: fresh)
    }

    /// Whether pinctl wrote all of a file without markers, for any set.
    private func isGenerated(_ file: [UInt8], beside: (String) -> [UInt8]?) -> Bool {
        // The file may not name its hosts, so that a set of several hosts does not read it.
        if case .lines(let starts) = format.traits.generatedFile { return Self.lines(of: file, allBegin: starts) }
        guard let reading = try? read(file, beside: beside) else { return false }
        switch format.traits.generatedFile {
        case .identical, .lines: return (try? reading.set.written(as: format, with: inputs))?.main == file
        case .noUnknownKeys:
            let known = Set(set.unknownKeys.map(\.key))
            return reading.set.unknownKeys.allSatisfy { known.contains($0.key) }
        case .noWarnings: return reading.warnings.isEmpty
        case .any: return true
        }
    }

    private static func lines(of file: [UInt8], allBegin starts: [String]) -> Bool {
        file.split(separator: UInt8(ascii: "\n")).map(\.trimmed).allSatisfy { line in
            line.isEmpty || starts.contains { line.starts(with: $0.utf8) }
        }
    }

    private func checkLanguage() throws(PinSetFormatError) {
        guard let language = format.traits.language,
            let other = language.unsupportedExtensions.first(where: { fileName.hasSuffix($0.key) })?.value
        else { return }
        throw PinSetFormatError(
            format: format,
            message: "the file is \(other), and \(format.rawValue.quotedExcerpt) is written in \(language.name)",
            hint: "change the pins by hand, or move them to a file in that language")
    }

    /// That what is to be written will compare as equal.
    func check(
        _ files: [PinSetWriting.File], _ expected: PinSet?, _ fresh: PinSetWriting
    ) throws(PinSetFormatError) {
        guard let main = files.first(where: { $0.name == nil })?.bytes else { return }
        let left = try differences(of: main, to: expected, fresh: fresh) { name in
            files.first { $0.name == name }?.bytes
        }
        guard let first = left.first else { return }
        throw PinSetFormatError(
            format: format, line: first.line,
            message: (first.host.map { "\($0.quotedExcerpt): " } ?? "") + first.message
                + ", even if the copy is written anew")
    }
}
