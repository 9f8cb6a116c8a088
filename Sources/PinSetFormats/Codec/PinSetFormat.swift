internal import Encodings
public import Pinning

/// The ways in which pin sets are written down, each under the name that `convert --to` knows.
public enum PinSetFormat: String, CaseIterable, Sendable {
    case pins, apple, android, okhttp, trustkit
    case trustkitSwift = "trustkit-swift"
    case alamofire, urlsession, hpkp, curl, tlsa, cronet, chromium
    case reactNative = "react-native"
    case reactNativeSSLManager = "react-native-ssl-manager"
    case wultra
}

/// What reads and writes one format. Reading and writing stand together, for each is the other's test.
package protocol PinSetCodec: SendableMetatype {
    static var format: PinSetFormat { get }

    /// Whether there is a reader, as there is for nearly every format.
    static var isRead: Bool { get }

    /// Whether the bytes look like this format and no other. A quick look: ``read(_:)`` decides.
    static func recognizes(_ bytes: [UInt8]) -> Bool

    /// - Throws: where the bytes are not this format, with the place and the next step; `unreadable` for a format that
    ///   is only written.
    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading

    /// The set in this format, and what of it the format cannot say.
    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting

    /// The same as a part of a file that holds more, all of which is kept, but perhaps for the pins of other hosts.
    static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting

    /// ``read(_:)`` for a format that says less than a set needs; the others need nothing.
    static func read(_ bytes: [UInt8], with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetReading

    /// ``write(_:)`` for a format that says more than a set knows; the others need nothing.
    static func write(_ set: PinSet, with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetWriting
}

extension PinSetCodec {
    package static var isRead: Bool { true }

    package static func write(_ set: PinSet, into file: [UInt8]) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, into: file, others: .kept)
    }

    package static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        throw PinSetFormatError(
            format: format, message: "\"\(format.rawValue)\" is not written into a file that is there already",
            hint: "apple, android and trustkit are")
    }

    package static func read(_ bytes: [UInt8], with _: ConversionInputs) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes)
    }

    package static func write(_ set: PinSet, with _: ConversionInputs) throws(PinSetFormatError) -> PinSetWriting {
        try write(set)
    }

    /// The error of a format that is only written.
    package static func unreadable() -> PinSetFormatError {
        PinSetFormatError(
            format: format, message: "\"\(format.rawValue)\" is written and not read",
            hint: "keep the pin set in a format that is read, such as pins.json")
    }
}

/// What becomes of the hosts that a file pins and the set does not have.
package enum OtherHosts: Sendable {
    /// They stay, each with a warning that names it.
    case kept
    /// Their pins go, and nothing else that the file says of them.
    case removed

    package var warning: String {
        let start = "the file has this host and the set has not: "
        return start + (self == .kept ? "it stays in the file" : "its pins are removed")
    }
}

/// A set that was read, and what there was beside it that a pin set cannot hold.
public struct PinSetReading: Sendable {
    public let set: PinSet
    public let warnings: [ConversionWarning]
    /// The format that the bytes turned out to be in.
    public internal(set) var format: PinSetFormat?
}

/// A set that was written. More files than one come of formats that need certificates or names beside the set.
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

/// One thing that a format cannot say. None is dropped without being told.
public struct ConversionWarning: Hashable, Sendable {
    public let host: String?
    /// What is lost, in a sentence without its full stop: "\"expires\" cannot be said in this format".
    public let message: String

    /// The message, after the host that it is about.
    package var sentence: String { (host.map { "\($0.quotedExcerpt): " } ?? "") + message }
}

/// Why a set cannot be read or written in a format.
public struct PinSetFormatError: Error, Hashable, Sendable {
    /// Nil where no format could be told.
    public let format: PinSetFormat?
    /// Both count from 1; columns in Unicode scalars. Nil where the error has no place.
    public let line: Int?
    public let column: Int?
    /// One sentence in lower case: what was given and what was expected.
    public let message: String
    /// The next step, where there is one.
    public let hint: String?
    /// What is lacking, where giving it is the next step.
    public let need: Need?

    public enum Need: Hashable, Sendable {
        /// The name of the format.
        case format
        /// `ConversionInputs.host`, and so on.
        case host, certificates, names
    }

    package init(
        format: PinSetFormat?, line: Int? = nil, column: Int? = nil, message: String, hint: String? = nil,
        need: Need? = nil
    ) {
        (self.format, self.line, self.column) = (format, line, column)
        (self.message, self.hint, self.need) = (message, hint, need)
    }
}

extension PinSetFormatError: CustomStringConvertible {
    /// `12:9: message`, to follow the name of a file; the message alone where there is no place.
    public var description: String {
        guard let line else { return message }
        guard let column else { return "\(line): \(message)" }
        return "\(line):\(column): \(message)"
    }
}
