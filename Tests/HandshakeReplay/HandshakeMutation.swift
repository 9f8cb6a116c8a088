/// Changes a recorded flight at the level of records, messages or certificates.
package enum HandshakeMutation: CaseIterable, Sendable {
    case records, messages, certificates

    /// The wire form of a changed flight.
    package func apply(to replay: HandshakeReplay, _ source: inout some ByteSource) -> [UInt8] {
        switch self {
        case .records:
            var wire = replay.recordedFlight
            for _ in 0...source.number(below: 4) { Self.edit(&wire, &source) }
            return wire
        case .messages:
            var messages = replay.messages
            for _ in 0...source.number(below: 3) { Self.edit(&messages, &source) }
            return replay.flight(messages, fragment: Self.fragment(&source))
        case .certificates:
            var messages = replay.messages
            for index in messages.indices where messages[index].first == CertificateMessage.type {
                guard var message = CertificateMessage(messages[index], replay.version) else { continue }
                for _ in 0...source.number(below: 3) { Self.edit(&message.certificates, &source) }
                messages[index] = message.bytes
            }
            return replay.flight(messages, fragment: Self.fragment(&source))
        }
    }

    private static func fragment(_ source: inout some ByteSource) -> Int {
        source.flag() ? HandshakeReplay.maximumFragment : 1 + source.number(below: 600)
    }

    private static func edit(_ items: inout [[UInt8]], _ source: inout some ByteSource) {
        guard !items.isEmpty else { return }
        let index = source.number(below: items.count)
        switch source.number(below: 8) {
        case 0: items.remove(at: index)
        case 1: items.insert(items[index], at: source.number(below: items.count + 1))
        case 2: items.swapAt(index, source.number(below: items.count))
        default: edit(&items[index], &source)
        }
    }

    private static func edit(_ bytes: inout [UInt8], _ source: inout some ByteSource) {
        guard !bytes.isEmpty else {
            bytes = [UInt8(truncatingIfNeeded: source.next())]
            return
        }
        let index = source.number(below: bytes.count)
        let count = 1 + source.number(below: min(16, bytes.count - index))
        switch source.number(below: 7) {
        case 0: bytes[index] ^= 1 << UInt8(source.number(below: 8))
        case 1: bytes[index] = UInt8(truncatingIfNeeded: source.next())
        case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF][source.number(below: 5)]
        case 3: bytes.insert(contentsOf: (0..<count).map { _ in UInt8(truncatingIfNeeded: source.next()) }, at: index)
        case 4: bytes.removeSubrange(index..<(index + count))
        case 5: bytes.insert(contentsOf: bytes[index..<(index + count)], at: index)
        default: bytes.removeSubrange(index...)
        }
    }
}

/// A Certificate message (RFC 5246, section 7.4.2; RFC 8446, section 4.4.2).
struct CertificateMessage {
    static let type: UInt8 = 11

    var certificates: [[UInt8]] = []
    private let version: HandshakeReplay.Version

    /// Nil if the message is not well formed, or has certificate extensions or a request context.
    init?(_ message: [UInt8], _ version: HandshakeReplay.Version) {
        self.version = version
        let overhead = version == .tls13 ? 5 : 3
        var rest = message.dropFirst(version == .tls13 ? 8 : 7)
        while !rest.isEmpty {
            let count = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= count + overhead else { return nil }
            certificates.append(Array(rest.dropFirst(3).prefix(count)))
            rest = rest.dropFirst(count + overhead)
        }
    }

    /// The message, with the right lengths.
    var bytes: [UInt8] {
        func length(_ count: Int) -> [UInt8] {
            [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        }
        var entries: [UInt8] = []
        for certificate in certificates {
            entries += length(certificate.count) + certificate
            if version == .tls13 { entries += [0, 0] }
        }
        let body: [UInt8] = (version == .tls13 ? [0] : []) + length(entries.count) + entries
        return [Self.type] + length(body.count) + body
    }
}
