import Authentication
import Fetching
import PlaintextProtocols

// Seeds: *.proxy

/// The answers of a proxy. The first byte selects the protocol, and the second one the size of the portions. If the first byte is a
/// letter, the input is the URL of a proxy, and a list of exempt hosts.
enum ProxyTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        guard bytes[0] < UInt8(ascii: "0") else { return read(String(decoding: bytes, as: UTF8.self)) }
        let kinds = Proxy.Kind.allCases
        let credential = bytes[0] < 6 ? nil : PasswordCredential(user: "user", password: Array("secret".utf8))
        guard var negotiation = negotiation(with: kinds[Int(bytes[0]) % kinds.count], credential) else { return }
        _ = negotiation.begin()
        let portion = max(1, Int(bytes[1]))
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
                let message = failure.sentence(about: .proxy("HTTP"), at: "192.0.2.1:1")
                precondition(!message.isEmpty && message.utf8.count < 2000)
                return
            }
        }
    }

    /// The request to a proxy of this kind for `h.example:443`; nil for SOCKS 4 without names.
    private static func negotiation(
        with kind: Proxy.Kind, _ credential: PasswordCredential?
    ) -> (any PlaintextNegotiation)? {
        let destination = SOCKSDestination.name("h.example")
        switch kind {
        case .http, .https: return HTTPConnect(to: "h.example:443", credential: credential, clientNonce: "c")
        case .socks4, .socks4a: return try? SOCKS4Request(to: destination, port: 443, user: "u")
        case .socks5, .socks5h: return SOCKS5Negotiation(to: destination, port: 443, credential: credential)
        }
    }

    /// The text of a parsed proxy gives the same proxy again.
    private static func read(_ text: String) {
        if let target = try? Target(parsing: "h.example") { _ = NoProxyList(parsing: text).contains(target) }
        guard let proxy = try? Proxy(parsing: text) else { return }
        let again = try? Proxy(parsing: proxy.description)
        precondition(again?.description == proxy.description, "\(proxy) is read as \(again?.description ?? "nothing")")
    }
}
