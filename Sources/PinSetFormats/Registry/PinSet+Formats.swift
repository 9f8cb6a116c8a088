internal import Encodings
public import PinSetCodec
public import Pinning

extension PinSet {
    /// Reads a pin set in any readable format.
    ///
    /// ```swift
    /// let reading = try PinSet.read(bytes)
    /// for warning in reading.warnings { print(warning.host ?? "", warning.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: contents of the file.
    ///   - format: the format; nil to detect it from the contents.
    ///   - inputs: additional inputs of some formats.
    ///   - formats: the formats to detect.
    /// - Throws: `PinSetFormatError`, for example if the contents match no format or several formats.
    public static func read(
        _ bytes: [UInt8], as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs(),
        among formats: FormatRegistry = .current
    ) throws(PinSetFormatError) -> PinSetReading {
        let format = if let format { format } else { try formats.recognized(in: bytes) }
        var reading = try format.codec.read(bytes, with: inputs)
        reading.format = format
        try checkForKeys(reading.set, in: bytes, as: format)
        guard reading.set.entries.isEmpty, reading.warnings.contains(where: \.leavesOutUnreadPins) else {
            return reading
        }
        // The file has pins. That nothing is pinned would be an untrue statement about it.
        let warnings = reading.warnings.filter { $0.reason != .nothingPinned } + [ConversionWarning(.nothingRead)]
        return PinSetReading(set: reading.set, warnings: warnings, format: format)
    }

    /// Refuses a label with a private key, which is the comment of a pin in most formats, and a part of a key that has the form of a pin: the
    /// set is written into other files.
    private static func checkForKeys(
        _ set: PinSet, in bytes: [UInt8], as format: PinSetFormat
    ) throws(PinSetFormatError) {
        for entry in set.entries {
            for key in entry.pins {
                if KnownPrivateKeys.include(key.pin.bytes) {
                    throw PinSetFormatError(.privateKey(.privateKey), format: format, at: key.position)
                }
                guard let label = key.label, let kind = label.privateKeyKind else { continue }
                // Without a position in the file, for example because of an escape, that of the pin is the nearest.
                let range = bytes[...].firstRange(
                    ignoringCase: String(decoding: label.utf8.map(\.lowercased), as: UTF8.self))
                let position = range.map { SourcePosition(of: $0.lowerBound, in: bytes) }
                throw PinSetFormatError(.privateKey(kind), format: format, at: position ?? key.position)
            }
        }
    }

    /// Writes the set in a format. The result has one or more files, and a warning for each setting without an equivalent.
    public func written(
        as format: PinSetFormat, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) -> PinSetWriting {
        try format.codec.write(self, with: inputs)
    }

    /// Writes the pins of the set into an existing file, such as an `Info.plist`. The rest of the file does not change.
    ///
    /// - Throws: `PinSetFormatError`, for example if the format cannot be written into existing files.
    public func written(
        as format: PinSetFormat, into file: [UInt8]
    ) throws(PinSetFormatError) -> PinSetWriting {
        try written(as: format, into: file, others: .kept)
    }

    package func written(
        as format: PinSetFormat, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        guard format.traits.mergesIntoFiles else {
            let supported = FormatRegistry.current.formats.filter(\.traits.mergesIntoFiles)
            throw PinSetFormatError(.notWrittenIntoFiles(supported: supported), format: format)
        }
        let writing = try format.codec.write(self, into: file, others: others)
        // The file can declare an encoding without the characters of a label.
        func hasOtherCharacters(_ bytes: [UInt8]) -> Bool { bytes.contains { $0 >= 0x80 } }
        if hasOtherCharacters(writing.main), !hasOtherCharacters(file) { _ = try PinSet.read(writing.main, as: format) }
        return writing
    }
}
