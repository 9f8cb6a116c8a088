import Authentication
import Fetching

// Seeds: *.proxy

/// The answers of a proxy. The first byte selects the protocol, and the second one the size of the portions. If the first byte is a
/// letter, the input is the URL of a proxy, and a list of exempt hosts.
enum ProxyTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        guard bytes[0] < UInt8(ascii: "0") else { return read(String(decoding: bytes, as: UTF8.self)) }
        let kinds = Proxy.Kind.allCases
        let credential = bytes[0] < 6 ? nil : PasswordCredential(user: "user", password: Array("secret".utf8))
        guard var rehearsal = ProxyRehearsal(kinds[Int(bytes[0]) % kinds.count], credential: credential) else { return }
        let portion = max(1, Int(bytes[1]))
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty {
            let part = rest.prefix(portion)
            rest = rest.dropFirst(part.count)
            switch rehearsal.receive(Array(part)) {
            case .proceeds: continue
            case .ends(let injected):
                precondition((0...part.count).contains(injected), "\(injected) of \(part.count) bytes are left")
                return
            case .fails(let message):
                precondition(!message.isEmpty && message.utf8.count < 2000)
                return
            }
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
