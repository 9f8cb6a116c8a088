internal import Authentication
internal import Encodings
internal import Fetching
internal import OpenSSL
internal import PlaintextProtocols

extension Connector {
    /// The server for messages, with the proxy through which it is reached.
    var server: String { proxy.map { "\(url.target) (through \($0))" } ?? url.target.description }

    /// - Parameter records: those of the proxy's challenges for this tunnel.
    func refusal(
        by proxy: Proxy, _ head: HTTPResponseHead, _ records: ArraySlice<ChallengeRecord>, at endpoint: Endpoint
    ) -> SessionError {
        var failure = ProxyFailure.refused(status: head.status, reason: head.reason)
        if head.status == 407 {
            let hasOther = records.contains { $0.result == .refused || $0.result == .unanswered }
            if !hasOther, records.contains(where: { $0.result == .insecure }) {
                return SessionError(
                    .proxy, "proxy \(proxy): it requires Basic, which would send the password in plain text",
                    records.last?.protectionSpace)
            }
            failure = Self.loginFailure(records, hasCredential: proxy.credential != nil)
        }
        return SessionError(
            .proxy, "proxy \(proxy): \(failure.message)", records.last?.protectionSpace,
            fetchError: .proxy(
                proxy.label, .negotiation(.proxy(proxy.kind.name), endpoint, .proxy(failure))),
            isProxyFailure: head.status != 407 && !failure.refusesRequest)
    }

    /// Why a proxy that requires a login gets none.
    private static func loginFailure(_ records: ArraySlice<ChallengeRecord>, hasCredential: Bool) -> ProxyFailure {
        let schemes = records.compactMap(\.scheme)
        if records.isEmpty { return .invalidChallenge }
        if let refused = records.last(where: { $0.result == .refused }) {
            return .credentialRefused(scheme: refused.scheme ?? "")
        }
        if let record = records.last(where: { $0.reason == LoginNegotiation.notTransportable }) {
            return .credentialNotTransportable(scheme: record.scheme ?? "")
        }
        let isUnanswered = records.contains { $0.result == .unanswered }
        let isGiven = hasCredential || records.contains { $0.answer == .useCredential }
        return isGiven && !isUnanswered ? .noUsableScheme(schemes) : .credentialsRequired(schemes: schemes)
    }

    /// The error of an exchange with the server, or with the proxy that forwards requests to it.
    func sessionError(for failure: HTTPExchange.Failure, _ connection: OpenConnection) -> SessionError {
        if let proxy = forwardingProxy { return sessionError(for: failure, of: proxy, connection) }
        if case .stream(.tls(let error)) = failure, let alert = error.alert, alert.isAboutCertificate,
            connection.requestedCertificate
        {
            return clientCertificateError(alert.name)
        }
        let (code, message) = Self.text(of: failure, of: connection.peer, after: timeout)
        return SessionError(code, message)
    }

    /// The error of an exchange with a proxy. A server behind a proxy that forwards requests can be the cause, but the connection is that
    /// to the proxy, which should answer with a status such as 502 or 504.
    func sessionError(
        for failure: HTTPExchange.Failure, of proxy: Proxy, _ connection: OpenConnection
    ) -> SessionError {
        let (code, message) = Self.text(of: failure, of: connection.peer, after: timeout)
        let (step, endpoint) = (PlaintextStep.proxy(proxy.kind.name), connection.stream.endpoint)
        // It selects the hint.
        let error: FetchError =
            code == .timeout
            ? .timeout(.negotiating(step, endpoint, hasAnswered: false), after: timeout)
            : .negotiation(step, endpoint, .closed(nil))
        return SessionError(failureOf: proxy, message, fetchError: .proxy(proxy.label, error))
    }

    private static func text(
        of failure: HTTPExchange.Failure, of peer: String, after timeout: Duration
    ) -> (SessionError.Code, String) {
        switch failure {
        case .stream(.timedOut): (.timeout, "\(peer) did not send a complete response within \(timeout.inSeconds)")
        case .stream(.tls(let error)): (.connection, "the TLS connection to \(peer) failed: \(error.text)")
        case .stream(.cut): (.connection, "the connection to \(peer) failed: it was closed")
        case .stream(.closed(let error)):
            (.connection, "the connection to \(peer) failed: \(error?.text ?? "it was closed")")
        case .closedBeforeResponse: (.connection, "\(peer) closed the connection without a response")
        case .notHTTP(let bytes):
            (.response, "\(peer) did not answer with HTTP/1: it sent \(AnswerExcerpt.text(bytes).quotedExcerpt)")
        case .headTooLong: (.response, "\(peer) sent headers of more than \(HTTPResponseHead.maximumLength >> 10) KiB")
        case .tooManyInterimResponses: (.response, "\(peer) sent too many interim responses")
        case .invalidFraming: (.response, "\(peer) sent a response whose framing is not valid")
        case .unrequestedBytes: (.response, "\(peer) sent bytes that were not requested")
        case .truncated: (.response, "\(peer) closed the connection before the end of the response")
        }
    }

    /// The error of a server that refuses the client certificate, or the absence of one.
    ///
    /// - Parameter alert: the name of the server's alert.
    func clientCertificateError(_ alert: String) -> SessionError {
        let space = url.space(.clientCertificate)
        let index = run.records.lastIndex { $0.protectionSpace == space }
        let hasSent = index.map { run.records[$0].certificate != nil } ?? false
        if let index {
            run.records[index].result = hasSent ? .refused : .unanswered
            run.records[index].isRequired = true
            run.records[index].reason = "the server sent the alert \(alert.quoted)"
        }
        state.identities[space] = nil
        return SessionError(
            .clientCertificate,
            hasSent
                ? "\(server) refused the client certificate: alert \(alert.quoted)"
                : "\(server) requires a client certificate: alert \(alert.quoted)", space)
    }
}
