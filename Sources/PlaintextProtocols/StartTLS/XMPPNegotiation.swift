internal import Encodings

/// STARTTLS of XMPP (RFC 6120, section 5).
///
/// The client opens a stream to the domain, and the server must list STARTTLS among the features of its stream.
struct XMPPNegotiation: PlaintextNegotiation {
    private enum State {
        case features, answer
    }

    private static let namespace = "urn:ietf:params:xml:ns:xmpp-tls"

    private let domain: String
    private let contentNamespace: String
    private var state = State.features
    private var tags = XMLTagReader()
    private var offersTLS = false
    /// The elements inside a stream error or a failure, to quote them.
    private var reasons: [String]?

    /// - Parameters:
    ///   - domain: a host name or an address, which contains no character that XML escapes.
    ///   - isServer: whether this side is a server (`jabber:server`).
    init(domain: String, isServer: Bool) {
        self.domain = domain
        contentNamespace = isServer ? "jabber:server" : "jabber:client"
    }

    mutating func begin() -> [UInt8] {
        Array(
            ("<?xml version='1.0'?><stream:stream to='\(domain)' version='1.0' xmlns='\(contentNamespace)'"
                + " xmlns:stream='http://etherx.jabber.org/streams'>").utf8)
    }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        tags.append(bytes)
        while true {
            let tag: XMLTagReader.Tag?
            do throws(NegotiationFailure) { tag = try tags.next() } catch { return .failed(error) }
            guard let tag else { return .proceed() }
            if let step = process(tag) { return step }
        }
    }

    /// - Returns: nil to read the next tag.
    private mutating func process(_ tag: XMLTagReader.Tag) -> NegotiationStep? {
        if reasons != nil {
            let isEnd = tag.kind == .close && (tag.name == "error" || tag.name == "failure")
            guard isEnd else {
                if tag.kind != .close { reasons?.append(tag.name) }
                return nil
            }
            return .failed(.refused(reasons?.joined(separator: ", ") ?? ""))
        }
        switch (tag.name, tag.kind) {
        case ("error", .open), ("failure", .open): reasons = tag.name == "failure" ? ["failure"] : []
        case ("failure", .empty): return .failed(.refused("failure"))
        case ("stream", .close): return .failed(.refused("</stream:stream>"))
        case ("starttls", _) where state == .features && tag.attributes.has(Self.namespace): offersTLS = true
        case ("features", .close) where state == .features, ("features", .empty) where state == .features:
            guard offersTLS else { return .failed(.notOffered(nil)) }
            state = .answer
            guard tags.remainder == 0 else { return .failed(.injectedText(count: tags.remainder)) }
            return .proceed(sending: Array("<starttls xmlns='\(Self.namespace)'/>".utf8))
        case ("proceed", .empty) where state == .answer, ("proceed", .close) where state == .answer:
            return .done(injected: tags.remainder)
        default: break
        }
        return nil
    }
}
