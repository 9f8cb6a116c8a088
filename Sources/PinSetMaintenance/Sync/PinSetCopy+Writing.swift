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
            if let language = format.traits.language, let obstacle = section.obstacle(in: file, language) {
                throw obstacle
            }
            let bytes = section.replacing(with: GeneratedSource(fresh.main).body, in: file)
            return fresh.files.map { $0.name == nil ? .init(name: nil, bytes: bytes) : $0 }
        }
        let isEmpty = file.allSatisfy(\.isWhiteSpace)
        guard overwrites || isEmpty || isGenerated(file, beside: beside) else {
            throw .notGenerated(isSource: isSource)
        }
        let files = created(of: fresh)
        guard case .lines = format.traits.generatedFile, !overwrites else { return files }
        return files.map { $0.name == nil ? .init(name: nil, bytes: keepingComments(of: file, in: $0.bytes)) : $0 }
    }

    /// Returns the new lines with the comments that a person added to the same records in the old file. If the pin has a label, the
    /// label is the comment instead.
    private func keepingComments(of file: [UInt8], in text: [UInt8]) -> [UInt8] {
        var commented: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        for line in Self.lines(of: file) where record(of: line).count < line.count {
            commented[record(of: line)] = line
        }
        guard !commented.isEmpty else { return text }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(
            lines.map { line in
                let record = record(of: line)
                guard let old = commented[record] else { return line }
                guard record.count < line.count else { return old }
                let kept = Self.comment(of: line, after: record).keepingLabel(of: Self.comment(of: old, after: record))
                return record + (kept.text.map { " ; \($0)" } ?? "").utf8
            }.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func comment(of line: ArraySlice<UInt8>, after record: ArraySlice<UInt8>) -> PinComment {
        PinComment(String(decoding: line.dropFirst(record.count + " ; ".utf8.count), as: UTF8.self))
    }

    private func checkLanguage() throws(PinSetCopyError) {
        guard let language = format.traits.language,
            let other = language.unsupportedExtensions.first(where: { fileName.hasSuffix($0.key) })?.value
        else { return }
        throw .language(format, found: other, written: language)
    }

    /// Checks that the written files would not differ from the set.
    func check(
        _ files: [PinSetWriting.File], _ expected: PinSetReading?, _ fresh: PinSetWriting
    ) throws(PinSetCopyError) {
        guard let main = files.first(where: { $0.name == nil })?.bytes else { return }
        let left = try differences(of: main, to: expected, fresh: fresh) { name in
            files.first { $0.name == name }?.bytes
        }
        guard let first = left.first else { return }
        throw .remaining(first)
    }
}
