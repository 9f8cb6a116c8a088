package import Authentication
internal import Encodings

/// The request to an HTTP proxy for a connection to a target: CONNECT (RFC 9110, section 9.3.6).
///
/// The first request has no credential. If the proxy demands one, the second request answers the strongest challenge, over the same
/// connection if the proxy keeps it open. Otherwise the negotiation fails with ``ProxyFailure/needsNewConnection(_:)``, and the caller
/// starts one with that scheme.
package struct HTTPConnect: PlaintextNegotiation {
    private enum State {
        case head
        /// The body of a response with status 407, after which the next request is sent.
        case body(HTTPBodySkipper)
    }

    private static let proxyAuthenticationRequired = 407

    /// The longest body that is read to keep the connection, in bytes.
    private static let maximumBodyLength = 32_768

    /// The host and the port of the target.
    private let authority: String
    private let credential: PasswordCredential?
    /// A random text for Digest.
    private let clientNonce: String
    /// The scheme of the last request; nil if it had no credential.
    package private(set) var scheme: HTTPScheme?
    private var hasRenewedNonce = false
    private var state = State.head
    private var buffer: [UInt8] = []
    /// Number of bytes of ``buffer`` that contain no empty line.
    private var searched = 0

    /// - Parameters:
    ///   - authority: the host and the port of the target: "example.com:443", "[2001:db8::1]:443".
    ///   - clientNonce: a random text for Digest.
    ///   - scheme: the scheme whose challenge another connection brought; nil for the first connection.
    package init(
        to authority: String, credential: PasswordCredential?, clientNonce: String, answering scheme: HTTPScheme? = nil
    ) {
        self.authority = authority
        self.credential = credential
        self.clientNonce = clientNonce
        self.scheme = scheme
    }

    /// Whether the connection was closed before the proxy answered a request with a credential, although it had promised to keep it
    /// open; ``scheme`` can be used on another connection.
    package var awaitsAnswerToCredential: Bool { scheme != nil && buffer.isEmpty }

    package mutating func begin() -> [UInt8] { request() }

    package mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        if case .body(var skipper) = state { return skip(bytes, with: &skipper) }
        buffer += bytes
        while true {
            let start = Array("HTTP/1.".utf8)
            guard buffer.starts(with: start.prefix(buffer.count)) else {
                return .failed(.unexpected(AnswerExcerpt.bytes(of: buffer)))
            }
            guard let end = HTTPResponseHead.end(in: buffer, from: &searched) else {
                return buffer.count > HTTPResponseHead.maximumLength
                    ? .failed(.tooLong(limit: HTTPResponseHead.maximumLength)) : .proceed()
            }
            guard let head = HTTPResponseHead(parsing: buffer[..<end]) else {
                return .failed(.unexpected(AnswerExcerpt.bytes(of: buffer)))
            }
            buffer.removeSubrange(..<end)
            searched = 0
            switch head.status {
            // RFC 9110, section 15.2: any number of interim responses, except 101, which changes the protocol.
            case 100..<200 where head.status != 101: continue
            // RFC 9110, section 9.3.6: a successful response has no body, and its framing fields are ignored.
            case 200..<300: return .done(injected: buffer.count)
            case Self.proxyAuthenticationRequired: return answer(head)
            default: return .failed(.proxy(.refused(status: head.status, reason: head.reason)))
            }
        }
    }

    private mutating func request() -> [UInt8] {
        var bytes = Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: pinctl\r\n".utf8)
        if let value = authorization() { bytes += Array("Proxy-Authorization: ".utf8) + value + Array("\r\n".utf8) }
        return bytes + Array("\r\n".utf8)
    }

    private func authorization() -> [UInt8]? {
        guard let credential, let scheme else { return nil }
        return scheme.authorization(
            credential,
            for: DigestScheme.Request(method: "CONNECT", target: authority, clientNonce: clientNonce, count: 1))
    }

    /// Answers a response with status 407.
    private mutating func answer(_ head: HTTPResponseHead) -> NegotiationStep {
        let values = head.values("proxy-authenticate")
        guard let challenges = try? HTTPChallengeParser.challenges(in: values), !challenges.isEmpty else {
            return .failed(.proxy(.invalidChallenge))
        }
        let names = challenges.map(\.scheme)
        guard let credential else { return .failed(.proxy(.credentialsRequired(schemes: names))) }
        guard let next = HTTPScheme.strongest(of: challenges) else { return .failed(.proxy(.noUsableScheme(names))) }
        if let scheme {
            guard isRenewal(next, of: scheme) else { return .failed(.proxy(.credentialRefused(scheme: scheme.name))) }
            hasRenewedNonce = true
        }
        if case .basic = next, !BasicScheme.canTransport(credential) {
            return .failed(.proxy(.credentialNotTransportable(scheme: next.name)))
        }
        scheme = next
        guard let framing = head.framing else { return .failed(.proxy(.invalidFraming)) }
        var skipper: HTTPBodySkipper
        switch framing {
        case .length(let length) where head.keepsConnection && length <= Self.maximumBodyLength:
            skipper = HTTPBodySkipper(length: length)
        case .chunked where head.keepsConnection: skipper = HTTPBodySkipper()
        case .length, .chunked, .untilClose: return .failed(.proxy(.needsNewConnection(next)))
        }
        let rest = buffer
        buffer = []
        return skip(rest, with: &skipper)
    }

    /// Whether a challenge only replaces a nonce that is too old (RFC 7616, section 3.3), once in a negotiation and in the same realm.
    private func isRenewal(_ next: HTTPScheme, of last: HTTPScheme) -> Bool {
        guard case .digest(let digest) = next, case .digest(let former) = last else { return false }
        return digest.isStale && digest.realm == former.realm && !hasRenewedNonce
    }

    private mutating func skip(_ bytes: [UInt8], with skipper: inout HTTPBodySkipper) -> NegotiationStep {
        switch skipper.receive(bytes) {
        case .needsInput:
            state = .body(skipper)
            return .proceed()
        case .invalid: return .failed(.proxy(.invalidFraming))
        case .done(let rest):
            // A response to a request that was not sent yet.
            guard rest.isEmpty else { return .failed(.injectedText(count: rest.count)) }
            state = .head
            return .proceed(sending: request())
        }
    }
}
