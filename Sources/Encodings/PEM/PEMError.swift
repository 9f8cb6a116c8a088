/// Why a block of PEM cannot be used (RFC 7468). The blocks around it can.
public struct PEMError: Error, Hashable, Sendable {
    /// The line of the fault, from 1.
    public let line: Int
    /// Which block of the text it is in, from 1.
    public let number: Int
    /// The label of that block, as far as it is known.
    public let label: String
    public let problem: Problem

    public enum Problem: Hashable, Sendable {
        /// A line that begins as BEGIN does, without the five dashes at its end.
        case malformedBegin
        /// The text, or another block, comes before END.
        case missingEnd
        /// END with another label than BEGIN.
        case mismatchedEnd(label: String)
        /// A byte that is not base64.
        case character(UInt8)
        /// `=` where there should be none, or none where there should be.
        case padding
        /// The base64 ends inside a byte: something was cut off.
        case cutShort
        /// Nothing between BEGIN and END.
        case noContents
        /// Text in UTF-16, where every other byte is zero.
        case utf16
    }
}

extension PEMError: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .malformedBegin: "line \(line): a BEGIN line must end with five dashes"
        case .missingEnd: "line \(line): \"-----END \(label)-----\" expected for block \(number)"
        case .mismatchedEnd(let found):
            "line \(line): \"-----END \(label)-----\" expected, found \"-----END \(found)-----\""
        case .character(let byte): "line \(line): \(Self.name(of: byte)) is not base64"
        case .padding: "line \(line): the base64 of block \(number) is not padded as it should be"
        case .cutShort: "line \(line): the base64 of block \(number) is cut short"
        case .noContents: "line \(line): nothing between BEGIN and END of block \(number)"
        case .utf16: "the text is UTF-16; PEM is ASCII"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
        default: "byte 0x" + Hex.encode(CollectionOfOne(byte))
        }
    }
}
