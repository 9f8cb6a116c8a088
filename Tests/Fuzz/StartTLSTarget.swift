import Pinning
import PlaintextProtocols

// Seeds: *.starttls

/// The plain text of a server before TLS. The first byte selects the protocol, the second one the size of the portions.
enum StartTLSTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let proto = StartTLSProtocol.allCases[Int(bytes[0]) % StartTLSProtocol.allCases.count]
        let portion = max(1, Int(bytes[1]) % 64)
        var negotiation = proto.negotiation(domain: "example.com")
        _ = negotiation.begin()
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty {
            let part = rest.prefix(portion)
            rest = rest.dropFirst(part.count)
            switch negotiation.receive(Array(part)) {
            case .proceed: continue
            case .done(_, let injected):
                precondition((0...part.count).contains(injected), "\(injected) of \(part.count) bytes are left")
                return
            case .failed(let failure):
                let message = failure.sentence(about: .startTLS(proto), at: "192.0.2.1:1")
                precondition(!message.contains("\u{1B}") && message.utf8.count < 4096)
                return
            }
        }
    }
}
