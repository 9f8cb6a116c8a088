public import Pinning

extension PinSet {
    /// Reads a pin set in any format that is read.
    ///
    /// ```swift
    /// let reading = try PinSet.read(bytes)
    /// for warning in reading.warnings { print(warning.host ?? "", warning.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: a file's contents. They decide what the format is, not the file's name.
    ///   - format: the format, where contents do not tell or are not to be asked.
    ///   - inputs: additional inputs of some formats.
    ///   - formats: the formats to detect.
    /// - Throws: `PinSetFormatError`, also where the contents look like no format, or like several.
    public static func read(
        _ bytes: [UInt8], as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs(),
        among formats: FormatRegistry = .current
    ) throws(PinSetFormatError) -> PinSetReading {
        let format = if let format { format } else { try formats.recognized(in: bytes) }
        var reading = try format.codec.read(bytes, with: inputs)
        reading.format = format
        return reading
    }

    /// The set in a format, as one file or several, and what of it the format cannot say.
    public func written(
        as format: PinSetFormat, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) -> PinSetWriting {
        try format.codec.write(self, with: inputs)
    }

    /// The set as part of a file that holds more, all of which is kept: an `Info.plist`, a `network_security_config.xml`.
    ///
    /// - Throws: `PinSetFormatError`, also for a format that is a file of its own.
    public func written(
        as format: PinSetFormat, into file: [UInt8]
    ) throws(PinSetFormatError) -> PinSetWriting {
        try written(as: format, into: file, others: .kept)
    }

    package func written(
        as format: PinSetFormat, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        try format.codec.write(self, into: file, others: others)
    }
}
