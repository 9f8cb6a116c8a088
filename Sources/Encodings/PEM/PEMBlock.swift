/// A PEM block: the contents between a BEGIN and an END line (RFC 7468).
public struct PEMBlock: Hashable, Sendable {
    /// The label, such as `CERTIFICATE` or `PRIVATE KEY`.
    public let label: String
    /// The decoded contents.
    public let bytes: [UInt8]
    /// The header lines `Name: value` of encrypted keys before their base64 (RFC 1421, section 4.4), in order.
    public let headers: [Header]
    /// The line of the BEGIN, from 1.
    public let line: Int
    /// The number of the block in the text, from 1. Malformed blocks count.
    public let number: Int
    /// The byte range of the block, from the first dash of BEGIN to the last dash of END.
    package let source: Range<Int>

    public struct Header: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    /// The value of the first header with this name.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
