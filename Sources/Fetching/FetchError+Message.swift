internal import OpenSSL

extension FetchError {
    /// What happened, in a sentence without its full stop.
    package var message: String {
        switch self {
        case .resolve(let name, let failure):
            return failure.meansNoSuchName
                ? "no address is known for \"\(name)\""
                : "the name \"\(name)\" could not be looked up: \(failure.text)"
        case .family(let address, let wanted):
            return wanted == .ipv6
                ? "\"\(address)\" is an IPv4 address, and only IPv6 is to be used"
                : "\"\(address)\" is an IPv6 address, and only IPv4 is to be used"
        case .connect(let attempts):
            return Self.sentence(about: attempts)
        case .timeout(.resolving(let name), let limit):
            return "looking up the name \"\(name)\" took longer than \(limit.inSeconds)"
        case .timeout(.connecting(let endpoints), let limit):
            return "\(Self.list(endpoints)) did not take the connection within \(limit.inSeconds)"
        case .timeout(.handshaking(let endpoint, hasAnswered: false), let limit):
            return "\(endpoint) took the connection but sent nothing within \(limit.inSeconds)"
        case .timeout(.handshaking(let endpoint, hasAnswered: true), let limit):
            return "\(endpoint) did not finish the TLS handshake within \(limit.inSeconds)"
        case .closed(let endpoint, nil):
            return "\(endpoint) closed the connection during the TLS handshake"
        case .closed(let endpoint, let error?):
            return "the connection to \(endpoint) broke during the TLS handshake: \(error.text)"
        case .notTLS(let endpoint, let bytes):
            return "\(endpoint) does not speak TLS: it answered \(ProtocolGuess(bytes).description)"
        case .alert(let endpoint, let alert):
            return "\(endpoint) refused the TLS handshake: \(alert)"
        case .handshake(let endpoint, let error) where error.isMessageTooLong:
            return "\(endpoint) sent a handshake message that is too long, most likely its certificates: they may have"
                + " \(ClientContext.certificateListBound >> 20) MiB together"
        case .handshake(let endpoint, let error):
            return "the TLS handshake with \(endpoint) failed: \(error.text)"
        case .noCertificate(let endpoint):
            return "\(endpoint) presented no certificate"
        case .badCertificate(let endpoint, let reason):
            return "\(endpoint) presented a certificate that cannot be read: \(reason)"
        }
    }

    /// What to try next, where there is something.
    package var hint: String? {
        switch self {
        case .resolve(_, let failure):
            return failure.meansNoSuchName
                ? "check the spelling; --connect-to ADDRESS goes to an address of your own" : nil
        case .family(_, let wanted):
            return wanted == .ipv6 ? "leave -6 out" : "leave -4 out"
        case .timeout(.resolving, _), .timeout(.connecting, _), .timeout(.handshaking(_, hasAnswered: true), _):
            return "--timeout SECONDS gives it longer"
        case .timeout(.handshaking(_, hasAnswered: false), _):
            return "the port may speak another protocol than TLS, or wait for its client to speak first"
        case .notTLS(_, let bytes):
            return ProtocolGuess(bytes).hint
        case .alert(_, let alert):
            return alert.hint
        case .handshake(_, let error):
            return error.isVersionRefusal ? TLSAlert.versionHint : nil
        case .connect, .closed, .noCertificate, .badCertificate:
            return nil
        }
    }

    private static func sentence(about attempts: [Attempt]) -> String {
        guard let first = attempts.first else { return "there was no address to connect to" }
        if attempts.allSatisfy({ $0.error.isRefusal }) {
            return "nobody listens at \(list(attempts.map(\.endpoint))): the connection was refused"
        }
        if attempts.allSatisfy({ $0.error == first.error }) {
            return "cannot connect to \(list(attempts.map(\.endpoint))): \(first.error.text)"
        }
        return "cannot connect: " + attempts.map { "\($0.endpoint): \($0.error.text)" }.joined(separator: "; ")
    }

    private static func list(_ endpoints: [Endpoint]) -> String {
        let texts = endpoints.map(\.description)
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "no address" }
        return texts.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension Duration {
    /// "10 s", "0.5 s".
    package var inSeconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard milliseconds != 0 else { return "\(seconds) s" }
        var digits = String(milliseconds + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(seconds).\(digits) s"
    }
}
