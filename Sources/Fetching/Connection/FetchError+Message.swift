internal import Authentication
internal import Encodings
internal import OpenSSL
internal import PlaintextProtocols

extension FetchError {
    /// The error in one sentence, without a full stop. A server chooses a part of it, so it has no user and no password of a URL.
    package var message: String { unfilteredMessage.withoutUserInfoInURLs }

    /// The message with URLs as a server sent them, for a text in which other secrets are replaced first.
    package var unfilteredMessage: String {
        switch self {
        case .resolve(let name, let failure):
            return failure.isUnknownName
                ? "no address found for \"\(name)\""
                : "cannot resolve \"\(name)\": \(failure.text)"
        case .family(let address, let wanted):
            return wanted == .ipv6
                ? "\"\(address)\" is an IPv4 address, but only IPv6 is allowed"
                : "\"\(address)\" is an IPv6 address, but only IPv4 is allowed"
        case .connect(let attempts):
            return Self.sentence(about: attempts)
        case .excessAddresses(let name, let next, let count):
            let limit = AddressLimits.maximumAddresses
            let others = count - limit - 1
            return "\"\(name)\" has \(count) addresses, and pinctl connects to at most \(limit): \(next)"
                + (others > 0 ? " and \(others) other\(others == 1 ? "" : "s") were" : " was") + " not contacted"
        case .excessCertificates(let name, let endpoint):
            return
                "the servers of \"\(name)\" presented more than \(HostChains.maximumSize >> 20) MiB of different certificates:"
                + " pinctl did not keep those of \(endpoint?.description ?? "the last connection")"
        case .timeout(.waiting(let endpoint), let limit):
            return "\(endpoint) was not contacted within \(limit.inSeconds): at most"
                + " \(AddressLimits.maximumConnections) addresses of a name are contacted at the same time"
        case .timeout(.resolving(let name), let limit):
            return "cannot resolve \"\(name)\": no answer within \(limit.inSeconds)"
        case .timeout(.connecting(let endpoints), let limit):
            return "\(Self.list(endpoints)) did not accept the connection within \(limit.inSeconds)"
        case .timeout(.negotiating(let step, let endpoint, hasAnswered: false), let limit):
            return "\(endpoint) accepted the connection but sent nothing within \(limit.inSeconds) (\(step))"
        case .timeout(.negotiating(let step, let endpoint, hasAnswered: true), let limit):
            return "\(endpoint) did not finish the \(step) step within \(limit.inSeconds)"
        case .timeout(.handshaking(let endpoint, hasAnswered: false), let limit):
            return "\(endpoint) accepted the connection but sent nothing within \(limit.inSeconds)"
        case .timeout(.handshaking(let endpoint, hasAnswered: true), let limit):
            return "\(endpoint) did not finish the TLS handshake within \(limit.inSeconds)"
        case .negotiation(let step, let endpoint, let failure):
            return failure.sentence(about: step, at: endpoint.description)
        case .tunnel(let endpoint, let error):
            return "the TLS connection to the proxy \(endpoint) failed: \(error.text)"
        case .proxy(let name, let error):
            return "proxy \(name.text): \(name.secrets.masking(error.unfilteredMessage))"
        case .throughProxy(let name, let peer, _, let error):
            // The stream below the handshake is that of the proxy, so the sentence names the proxy's address.
            let message = name.secrets.masking(error.unfilteredMessage)
            return error.endpoint.map { message.replacing(bytes: $0.description, with: peer) } ?? message
        case .closed(let endpoint, nil):
            return "\(endpoint) closed the connection during the TLS handshake"
        case .closed(let endpoint, let error?):
            return "the connection to \(endpoint) failed during the TLS handshake: \(error.text)"
        case .notTLS(let endpoint, let bytes, _):
            return "\(endpoint) does not speak TLS: it answered \(ProtocolGuess(bytes).description)"
        case .alertAfterCertificate(let endpoint, let alert, _):
            return "\(endpoint) sent its certificate, and then refused the TLS handshake: \(alert)"
        case .alert(let endpoint, let alert):
            return "\(endpoint) refused the TLS handshake: \(alert)"
        case .handshake(let endpoint, let error) where error.isMessageTooLong:
            return
                "\(endpoint) sent a handshake message that is longer than OpenSSL reads; the limit for a certificate list is"
                + " \(ClientContext.maximumCertificateListSize >> 10) KiB, and smaller for other messages"
        case .handshake(let endpoint, let error), .wrongKey(let endpoint, let error, _):
            return "the TLS handshake with \(endpoint) failed: \(error.text)"
        case .excessiveHandshake(let endpoint, .bytes):
            return
                "\(endpoint) sent more than \(HandshakeBudget.maximumBytes >> 20) MiB without completing the TLS handshake"
        case .excessiveHandshake(let endpoint, .records):
            return
                "\(endpoint) sent more than \(HandshakeBudget.maximumRecords) records without completing the TLS handshake"
        case .excessiveDiffieHellmanPrime(let endpoint):
            return "\(endpoint) uses a Diffie-Hellman prime that is too long; the limit is"
                + " \(ClientContext.maximumDiffieHellmanBits) bits"
        case .noCertificate(let endpoint):
            return "\(endpoint) sent no certificate"
        case .badCertificate(let endpoint, let reason):
            return "\(endpoint) sent a certificate that cannot be parsed: \(reason)"
        case .keyTypes(let accepted, .wrongKey(let endpoint, let error, _)):
            return "\(endpoint) sent a certificate that does not suit \(accepted.clientDescription): \(error.text)"
        case .keyTypes(let accepted, let error):
            return (error.isNegotiationFailure ? "there is no chain" : "no answer") + " for "
                + "\(accepted.clientDescription): \(error.unfilteredMessage)"
        }
    }

    private static func sentence(about attempts: [Attempt]) -> String {
        guard let first = attempts.first else { return "there is no address to connect to" }
        if attempts.allSatisfy({ $0.error.isRefusal }) {
            return "cannot connect to \(list(attempts.map(\.endpoint))): connection refused"
        }
        if attempts.allSatisfy({ $0.error == first.error }) {
            return "cannot connect to \(list(attempts.map(\.endpoint))): \(first.error.text)"
        }
        let shown = attempts.prefix(maximumListed).map { "\($0.endpoint): \($0.error.text)" }
        let rest = attempts.count - shown.count
        return "cannot connect: " + (shown + (rest > 0 ? [otherAddresses(rest)] : [])).joined(separator: "; ")
    }

    private static func list(_ endpoints: [Endpoint]) -> String {
        guard !endpoints.isEmpty else { return "no address" }
        let shown = endpoints.prefix(maximumListed).map(\.description)
        let rest = endpoints.count - shown.count
        return (shown + (rest > 0 ? [otherAddresses(rest)] : [])).joined(conjunction: "or")
    }

    /// Maximum number of addresses that a message lists.
    private static let maximumListed = AddressLimits.maximumConnections

    private static func otherAddresses(_ count: Int) -> String { "\(count) other address\(count == 1 ? "" : "es")" }
}

extension Duration {
    /// The duration in seconds, precise to the millisecond: "10 s", "0.5 s".
    package var inSeconds: String { "\(numberOfSeconds) s" }

    /// The duration in seconds without the unit, precise to the millisecond: "10", "0.5".
    package var numberOfSeconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard milliseconds != 0 else { return "\(seconds)" }
        var digits = String(milliseconds + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(seconds).\(digits)"
    }
}
