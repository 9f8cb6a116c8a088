/// One block of PEM: what stands between a BEGIN and an END line (RFC 7468).
public struct PEMBlock: Hashable, Sendable {
    /// What the block says it is: `CERTIFICATE`, `PRIVATE KEY`.
    public let label: String
    /// The decoded contents.
    public let bytes: [UInt8]
    /// The lines of the form `Name: value` that encrypted keys carry before their base64 (RFC 1421, section 4.4), in order.
    public let headers: [Header]
    /// The line of BEGIN, from 1.
    public let line: Int
    /// Which block of the text it is, from 1; malformed ones count.
    public let number: Int
    /// Where the block stands in the text, from the first dash of BEGIN to the last of END.
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
