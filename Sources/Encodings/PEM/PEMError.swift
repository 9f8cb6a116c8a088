/// An error in a PEM block (RFC 7468). The other blocks of the text are still usable.
public struct PEMError: Error, Hashable, Sendable {
    /// The line of the error, from 1.
    public let line: Int
    /// The number of the block in the text, from 1.
    public let number: Int
    /// The label of the block; empty if it is unknown.
    public let label: String
    public let problem: Problem

    public enum Problem: Hashable, Sendable {
        /// A BEGIN line without the five dashes at its end.
        case malformedBegin
        /// BEGIN after other text on its line.
        case misplacedBegin
        /// The text ends, or another block begins, before END.
        case missingEnd
        /// END has a different label than BEGIN.
        case mismatchedEnd(label: String)
        /// A byte that is not base64.
        case character(UInt8)
        /// `=` in a wrong position, or a missing `=`.
        case padding
        /// The base64 ends inside a byte, so the text is truncated.
        case cutShort
        /// Nothing between BEGIN and END.
        case noContents
        /// The text is UTF-16.
        case utf16
    }
}

extension PEMError: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .malformedBegin: "line \(line): a BEGIN line must end with five dashes"
        case .misplacedBegin: "line \(line): \"-----BEGIN \(label)-----\" must be first on its line"
        case .missingEnd: "line \(line): expected \"-----END \(label)-----\" for block \(number)"
        case .mismatchedEnd(let found):
            "line \(line): expected \"-----END \(label)-----\", found \"-----END \(found)-----\""
        case .character(let byte): "line \(line): \(Self.name(of: byte)) is not base64"
        case .padding: "line \(line): the base64 of block \(number) has invalid padding"
        case .cutShort: "line \(line): the base64 of block \(number) is truncated"
        case .noContents: "line \(line): block \(number) has no contents between BEGIN and END"
        case .utf16: "the text is UTF-16, expected ASCII"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
        default: "byte 0x" + Hex.encode(CollectionOfOne(byte))
        }
    }
}
