internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

extension PinSetCopy {
    /// The format that reads the copy; nil if the format is write-only.
    var readFormat: PinSetFormat? {
        if let codec = format.traits.readBy { return PinSetFormat(codec) }
        return format.traits.isReadable ? format : nil
    }

    /// Whether the copy is source code.
    var isSource: Bool { format.traits.language != nil }

    /// Generates a new file with the set, and its companion files.
    func fresh() throws(PinSetCopyError) -> PinSetWriting {
        var writing: PinSetWriting
        do throws(PinSetFormatError) {
            writing = try set.written(as: format, with: inputs)
        } catch {
            throw .format(error)
        }
        if isSource {
            let files = writing.files.map { PinSetWriting.File(name: $0.name, bytes: MarkedSection.unmarked($0.bytes)) }
            writing = PinSetWriting(files: files, warnings: writing.warnings)
        }
        guard let sidecar = format.traits.sidecar else { return writing }
        let name = sidecar.name(for: fileName)
        let files = writing.files.map { PinSetWriting.File(name: $0.name.map { _ in name }, bytes: $0.bytes) }
        return PinSetWriting(files: files, warnings: writing.warnings)
    }

    /// The pin set that an up-to-date copy contains; nil if the format is write-only.
    func expected(of writing: PinSetWriting) throws(PinSetCopyError) -> PinSet? {
        try read(writing.main) { name in writing.files.first { $0.name == name }?.bytes }?.set
    }

    func read(
        _ bytes: [UInt8], beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> PinSetReading? {
        try read(bytes, with: inputs, beside: beside)
    }

    /// Reads a file that may not name its only host, even if the set has several hosts.
    func readUnnamed(
        _ bytes: [UInt8], beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> PinSetReading? {
        var inputs = inputs
        inputs.host = inputs.host ?? "unnamed.invalid"
        return try read(bytes, with: inputs, beside: beside)
    }

    /// Reads one line of a format that has one host on each line. The line may not contain the host's name.
    func read(line: [UInt8]) throws(PinSetCopyError) -> PinSetReading? {
        var inputs = inputs
        inputs.host = nil
        if let reading = try? read(line, with: inputs, beside: { _ in nil }) { return reading }
        inputs.host = "unnamed.invalid"
        return try read(line, with: inputs) { _ in nil }
    }

    private func read(
        _ bytes: [UInt8], with inputs: ConversionInputs, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> PinSetReading? {
        guard let readFormat else { return nil }
        var inputs = inputs
        if format.traits.sidecar != nil {
            inputs.names = try fresh().files.lazy.compactMap(\.name).first.flatMap { beside($0) }
        }
        let section = isSource ? try MarkedSection(in: bytes) : nil
        do throws(PinSetFormatError) {
            return try PinSet.read(section?.isolated(in: bytes) ?? bytes, as: readFormat, with: inputs)
        } catch {
            throw .format(error)
        }
    }

    func differences(
        of file: [UInt8], to expected: PinSet?, fresh: PinSetWriting, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> [CopyDifference] {
        var differences: [CopyDifference] = []
        if let expected {
            do throws(PinSetCopyError) {
                guard let reading = try read(file, beside: beside) else { return [] }
                differences = expected.differences(to: reading.set)
            } catch {
                differences = [CopyDifference(.unreadable(error), line: error.line)]
            }
        } else {
            let section = try MarkedSection(in: file)
            let source = GeneratedSource(fresh.main)
            let lines = section == nil ? source.head + source.body : source.body
            let text = section.map { file[$0.range] } ?? file[...]
            differences = Self.differences(of: text, from: section?.firstLine ?? 1, to: lines)
        }
        // The reader has already read the sidecar with the main file.
        for companion in fresh.files where format.traits.sidecar == nil {
            guard let name = companion.name, case let found = beside(name), found != companion.bytes else { continue }
            differences.append(CopyDifference(.companion(name, isThere: found != nil)))
        }
        return differences
    }

    /// Compares lines without indentation and line ends.
    private static func differences(
        of text: ArraySlice<UInt8>, from firstLine: Int, to lines: [String]
    ) -> [CopyDifference] {
        var found = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(\.trimmed)
        while found.last?.isEmpty ?? false { found.removeLast() }
        let expected = lines.map { Array($0.utf8)[...].trimmed }
        for index in 0..<max(found.count, expected.count) {
            let line = index < found.count ? found[index] : nil
            let wanted = index < expected.count ? expected[index] : nil
            guard line != wanted else { continue }
            let kind = CopyDifference.Kind.text(
                found: line.map { String(decoding: $0, as: UTF8.self) },
                expected: wanted.map { String(decoding: $0, as: UTF8.self) })
            return [CopyDifference(kind, line: firstLine + index)]
        }
        return []
    }
}
