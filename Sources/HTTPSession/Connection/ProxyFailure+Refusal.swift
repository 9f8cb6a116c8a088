internal import PlaintextProtocols

extension ProxyFailure {
    /// Whether the proxy refused the request or the login, as opposed to a failed connection. The statuses are those that
    /// refuse a request to a server.
    var refusesRequest: Bool {
        switch self {
        case .refused(let status, _): TaskResult.refusingStatuses.contains(status)
        case .credentialsRequired, .credentialRefused, .noUsableScheme, .credentialNotTransportable,
            .noAcceptableMethod:
            true
        // identd on this machine does not confirm the user.
        case .socks4(let code): code == 92 || code == 93
        // The rules of the proxy do not allow the connection (RFC 1928, section 6).
        case .socks5(let code): code == 2
        case .invalidChallenge, .invalidFraming, .needsNewConnection, .needsIPv4, .untrusted, .pinMismatch: false
        }
    }
}
