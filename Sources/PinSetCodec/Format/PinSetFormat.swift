internal import Encodings
public import Pinning

/// A representation of pin sets in files: pins.json, or the configuration of a platform.
public struct PinSetFormat: Hashable, Sendable {
    /// Name on the command line (`convert --to`) and in a sync manifest.
    public let rawValue: String
    package let codec: any PinSetCodec.Type

    package init(_ codec: any PinSetCodec.Type) {
        self.codec = codec
        rawValue = codec.traits.name
    }

    package var traits: FormatTraits { codec.traits }

    /// Default name of a file in this format.
    public var fileName: String { traits.fileName }

    public static func == (one: PinSetFormat, other: PinSetFormat) -> Bool { one.rawValue == other.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Maximum size of a file, in bytes. The largest known pin set, Chromium's, has about 20 MB.
    package static let maximumSourceSize = 32 << 20
}

/// The reader and the writer of one format. They are one type, so that tests can check one with the other.
package protocol PinSetCodec: SendableMetatype {
    static var traits: FormatTraits { get }

    /// Whether the bytes look like this format and not like another one. This is a quick test: ``read(_:)`` decides.
    static func recognizes(_ file: FileContents) -> Bool

    /// - Throws: if the bytes are not in this format, with the position and the next step; ``unreadable()`` for a write-only
    ///   format.
    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading

    /// Returns the set in this format, and warnings about settings without an equivalent.
    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting

    /// Returns an existing file with the pins of the set. The rest of the file does not change.
    static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting

    /// ``read(_:)`` for a format that needs additional inputs.
    static func read(_ bytes: [UInt8], with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetReading

    /// ``write(_:)`` for a format that needs additional inputs.
    static func write(_ set: PinSet, with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetWriting
}

extension PinSetCodec {
    package static var format: PinSetFormat { PinSetFormat(Self.self) }

    package static func write(_ set: PinSet, into file: [UInt8]) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, into: file, others: .kept)
    }

    package static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        throw error(.notWrittenIntoFiles(supported: []))
    }

    package static func read(_ bytes: [UInt8], with _: ConversionInputs) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes)
    }

    package static func write(_ set: PinSet, with _: ConversionInputs) throws(PinSetFormatError) -> PinSetWriting {
        try write(set)
    }

    /// The error for reading a write-only format.
    package static func unreadable() -> PinSetFormatError {
        error(.writeOnly(readAs: nil))
    }
}

/// What a writer does with hosts that the existing file pins but the set does not contain.
public enum OtherHosts: Hashable, Sendable {
    /// They stay in the file.
    case kept
    /// Their pins are removed; the rest of the file does not change.
    case removed
}

/// A pin set that was read, with warnings about the parts of the file that a pin set cannot represent.
public struct PinSetReading: Sendable {
    public let set: PinSet
    public let warnings: [ConversionWarning]
    /// The format of the file.
    public package(set) var format: PinSetFormat?

    package init(set: PinSet, warnings: [ConversionWarning], format: PinSetFormat? = nil) {
        (self.set, self.warnings, self.format) = (set, warnings, format)
    }
}

/// The files that represent a set. Formats with certificates or names have several files.
public struct PinSetWriting: Sendable {
    public struct File: Sendable {
        /// Nil for the main file.
        public let name: String?
        public let bytes: [UInt8]

        package init(name: String?, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    public let files: [File]
    public let warnings: [ConversionWarning]

    package init(files: [File], warnings: [ConversionWarning]) {
        self.files = files
        self.warnings = warnings
    }
}
