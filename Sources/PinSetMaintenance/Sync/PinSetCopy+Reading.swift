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

    /// What the reader returns for an up-to-date copy; nil if the format is write-only.
    ///
    /// - Parameter fresh: a new file with the set. An existing file can have other parts that stay. Their warnings are not expected.
    func expected(of writing: PinSetWriting, _ fresh: PinSetWriting) throws(PinSetCopyError) -> PinSetReading? {
        func reading(_ writing: PinSetWriting) throws(PinSetCopyError) -> PinSetReading? {
            try read(writing.main) { name in writing.files.first { $0.name == name }?.bytes }
        }
        guard let expected = try reading(writing), let warnings = try reading(fresh)?.warnings else { return nil }
        return PinSetReading(set: expected.set, warnings: warnings)
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

    func read(
        _ bytes: [UInt8], with inputs: ConversionInputs, isWhole: Bool = false, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> PinSetReading? {
        guard let readFormat else { return nil }
        var inputs = inputs
        if format.traits.sidecar != nil {
            inputs.names = try fresh().files.lazy.compactMap(\.name).first.flatMap { beside($0) }
        }
        let section = isSource && !isWhole ? try MarkedSection(in: bytes) : nil
        do throws(PinSetFormatError) {
            return try PinSet.read(section?.isolated(in: bytes) ?? bytes, as: readFormat, with: inputs)
        } catch {
            throw .format(error)
        }
    }

    /// Compares lines without indentation and line ends.
    static func differences(
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
