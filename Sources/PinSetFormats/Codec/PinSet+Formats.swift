internal import Encodings
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
    ///   - inputs: what the format needs beside the file.
    /// - Throws: `PinSetFormatError`, also where the contents look like no format, or like several.
    public static func read(
        _ bytes: [UInt8], as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) -> PinSetReading {
        let format = if let format { format } else { try PinSetFormat.recognized(in: bytes) }
        var reading = try format.codec().read(bytes, with: inputs)
        reading.format = format
        return reading
    }

    /// The set in a format, as one file or several, and what of it the format cannot say.
    public func written(
        as format: PinSetFormat, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) -> PinSetWriting {
        try format.codec().write(self, with: inputs)
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
        try format.codec().write(self, into: file, others: others)
    }
}

extension PinSetFormat {
    /// Every codec, in the order in which they are named to people.
    static let codecs: [any PinSetCodec.Type] = [
        PinsFormat.self, AppleFormat.self, AndroidFormat.self, OkHttpFormat.self, TrustKitFormat.self,
        TrustKitSwiftFormat.self, HPKPFormat.self,
        CurlFormat.self, TLSAFormat.self, ReactNativeFormat.self,
        ReactNativeSSLManagerFormat.self, ChromiumFormat.self, WultraFormat.self, CronetFormat.self,
        AlamofireFormat.self,
        URLSessionFormat.self,
    ]

    package func codec() throws(PinSetFormatError) -> any PinSetCodec.Type {
        guard let codec = Self.codecs.first(where: { $0.format == self }) else {
            throw PinSetFormatError(format: self, message: "the format \"\(rawValue)\" is not known here")
        }
        return codec
    }

    /// The format that the contents look like.
    ///
    /// - Throws: where it is none, or more than one.
    package static func recognized(in bytes: [UInt8]) throws(PinSetFormatError) -> PinSetFormat {
        guard bytes.contains(where: { !$0.isWhiteSpace }) else {
            throw PinSetFormatError(format: nil, message: "a pin set is expected, and there is nothing")
        }
        guard bytes.count <= largestSource else {
            throw PinSetFormatError(
                format: nil,
                message: "the pin set has \(bytes.count) bytes, and the most that is read is \(largestSource)")
        }
        let likely = codecs.filter { $0.recognizes(bytes) }
        // One that is only written counts where there is no other: its error says so.
        let readable = likely.filter { $0.isRead }
        let found = (readable.isEmpty ? likely : readable).map { $0.format }
        let names = found.map { $0.rawValue.quotedExcerpt }
        switch found.count {
        case 1: return found[0]
        case 0:
            let tried = codecs.filter { $0.isRead }.map { $0.format.rawValue }.joined(separator: ", ")
            throw PinSetFormatError(
                format: nil, message: "this is no pin set in any known format; tried \(tried)",
                hint: "name the format to see what is wrong with the file", need: .format)
        default:
            throw PinSetFormatError(
                format: nil, message: "this may be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")",
                hint: "name the format", need: .format)
        }
    }

    /// Far above any pin set; the largest real one, Chromium's, has some 20 MB.
    static let largestSource = 32 << 20
}
