/// The packets of TDS that carry a TLS handshake (MS-TDS, section 3.2.5.2; the packet header is in section 2.2.3.1).
package struct TDSFraming: HandshakeFraming {
    static let preLogin: UInt8 = 0x12
    static let response: UInt8 = 0x04
    static let headerLength = 8
    /// The size of a packet before a login negotiates another one.
    private static let maximumLength = 4096
    /// The status of the last packet of a message.
    private static let endOfMessage: UInt8 = 1

    private var header: [UInt8] = []
    /// Number of bytes of the present packet that have not arrived yet, without the header.
    private var remainder = 0

    package init() {}

    package func wrap(_ bytes: [UInt8]) -> [UInt8] {
        var packets: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.maximumLength - Self.headerLength)
            rest = rest.dropFirst(part.count)
            packets += Self.packet(Array(part), isLast: rest.isEmpty)
        }
        return packets
    }

    package mutating func unwrap(_ bytes: [UInt8]) -> [UInt8]? {
        var content: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if remainder > 0 {
                let part = rest.prefix(remainder)
                content += part
                rest = rest.dropFirst(part.count)
                remainder -= part.count
                continue
            }
            let part = rest.prefix(Self.headerLength - header.count)
            header += part
            rest = rest.dropFirst(part.count)
            guard header[0] == Self.preLogin || header[0] == Self.response else { return nil }
            guard header.count == Self.headerLength else { break }
            remainder = (Int(header[2]) << 8 | Int(header[3])) - Self.headerLength
            guard remainder >= 0 else { return nil }
            header = []
        }
        return content
    }

    /// A packet of the type PRELOGIN.
    static func packet(_ content: [UInt8], isLast: Bool = true) -> [UInt8] {
        let length = headerLength + content.count
        return [
            preLogin, isLast ? endOfMessage : 0, UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length),
            0, 0, 0, 0,
        ] + content
    }
}
