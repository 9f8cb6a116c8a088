internal import Authentication
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTTPSession
internal import Pinning

/// The next step after a refusal or an error.
enum ChallengeHint {
    /// - Parameters:
    ///   - step: the step after an untrusted chain.
    ///   - isUnlisted: whether the client certificate is of none of these CAs, which a server named.
    static func hint(
        for error: SessionError, _ result: TaskResult, _ step: (CertificateChain) -> String?,
        isUnlisted: ([[UInt8]]) -> Bool
    ) -> String? {
        if let hint = error.fetchError?.hint {
            let isPlain = result.hops.last?.url.begins(with: "http://") ?? false
            return isPlain && error.fetchError?.nextStep == .checkProxy ? plainProxy : hint
        }
        switch error.code {
        case .untrusted: return result.challenges.last { $0.chain != nil }?.chain.flatMap(step)
        case .pinMismatch: return "run pinctl verify with the same --pins to compare the pins in detail"
        case .clientCertificate:
            if error.lacksProofOfKey { return "if the server is yours: enable TLS 1.3, or cipher suites with ECDHE" }
            guard hasClientCertificate(result) else { return "use --cert FILE" }
            return otherCertificate(result, isUnlisted) ?? "check that one of the server's CAs issued the certificate"
        case .proxy: return isInsecure(result) ? plaintext : proxyHint(result)
        case .login: return login
        case .timeout: return "use --timeout SECONDS to wait longer"
        case .cancelled, .serverProof, .response, .redirect, .connection, .configuration: return nil
        }
    }

    /// The step after a response that refuses the request; nil if none is known.
    static func hint(for result: TaskResult, isUnlisted: ([[UInt8]]) -> Bool) -> String? {
        guard case .success(let response) = result.outcome, let last = result.challenges.last else { return nil }
        if isInsecure(result), response.status == 401 || response.status == 407 { return plaintext }
        switch response.status {
        case 401:
            let isUnanswered = !result.challenges.contains { $0.user != nil || $0.answer == .useCredential }
            let canLogIn = result.challenges.contains {
                [.httpBasic, .httpDigest].contains($0.protectionSpace.authenticationMethod)
                    && !$0.protectionSpace.isProxy
                    && $0.answer != .rejectProtectionSpace
            }
            guard canLogIn else { return nil }
            return stepAfterRedirect(result) ?? (isUnanswered ? login : nil)
        case 407: return proxyHint(result)
        case 400, 495, 496:
            guard last.protectionSpace.authenticationMethod == .clientCertificate else { return nil }
            return hasClientCertificate(result) ? otherCertificate(result, isUnlisted) : "use --cert FILE"
        default: return nil
        }
    }

    private static let login = "use --user NAME, with --password-file FILE if there is no terminal"

    /// The step if a redirect led to a server of another origin, which gets no login; otherwise nil.
    private static func stepAfterRedirect(_ result: TaskResult) -> String? {
        guard let first = result.hops.first, let last = result.hops.last,
            let given = try? RequestURL(first.url), let other = try? RequestURL(last.url),
            !given.hasSameOrigin(as: other)
        else { return nil }
        return
            "a redirect led to \(other.target), and a login is not sent to another host, port or scheme: request its URL itself"
    }

    /// Nil if the proxy refused a login, or offers none that pinctl supports.
    private static func proxyHint(_ result: TaskResult) -> String? {
        let logins = result.challenges.filter(\.protectionSpace.isProxy)
        let needsCredential = logins.contains { $0.result == .unanswered && $0.answer != .rejectProtectionSpace }
        return needsCredential && !logins.contains { $0.result == .refused }
            ? "use --proxy-user NAME with --proxy-password-file FILE" : nil
    }

    /// The step after a failure of the proxy of an `http` URL, which has its own variable of the environment.
    private static let plainProxy =
        "check --proxy, or the environment variables http_proxy and all_proxy; --proxy none connects without a proxy"

    private static let plaintext =
        "use https, or --allow-plaintext to send the password readable for everybody on the network"

    /// Whether Basic without TLS is the only login that is left.
    private static func isInsecure(_ result: TaskResult) -> Bool {
        let logins = result.challenges.filter { $0.scheme != nil }
        return logins.contains { $0.result == .insecure }
            && !logins.contains { $0.result == .refused || $0.result == .unanswered }
    }

    /// The step if the last server that asked for a certificate named CAs, and the certificate is of none of them; otherwise nil.
    private static func otherCertificate(_ result: TaskResult, _ isUnlisted: ([[UInt8]]) -> Bool) -> String? {
        let requests = result.challenges.filter { $0.protectionSpace.authenticationMethod == .clientCertificate }
        guard let names = requests.last?.protectionSpace.distinguishedNames, isUnlisted(names) else { return nil }
        return
            "use a certificate of one of the CAs that the server names; if it is of an intermediate CA below one of them, add the"
            + " certificate of this CA to the file of --cert"
    }

    /// Whether a client certificate was chosen or sent.
    private static func hasClientCertificate(_ result: TaskResult) -> Bool {
        result.challenges.contains {
            $0.protectionSpace.authenticationMethod == .clientCertificate
                && ($0.answer == .useCredential || $0.certificate != nil)
        }
    }
}
