internal import PlaintextProtocols

/// Decides whether and when a failed attempt is repeated.
struct RetryPolicy: Sendable {
    /// Maximum number of retries of one host or address.
    let maximumRetries: Int

    private static let firstPause = Duration.milliseconds(500)
    private static let maximumPause = Duration.seconds(15)

    /// Whether another attempt follows this error.
    ///
    /// - Parameter failures: the number of failed attempts so far, at least 1.
    func allowsRetry(after error: FetchError, failures: Int) -> Bool {
        failures <= maximumRetries && error.isTransient
    }

    /// The maximum pause after this number of failures. It doubles with each failure, up to a limit.
    static func maximumPause(afterFailures count: Int) -> Duration {
        min(maximumPause, firstPause * (1 << min(max(0, count - 1), 10)))
    }

    /// A random pause up to the maximum, so that hosts that failed together are not retried together.
    static func pause(
        afterFailures count: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let milliseconds = maximumPause(afterFailures: count) / .milliseconds(1)
        return .milliseconds(Int64.random(in: 0...Int64(milliseconds), using: &generator))
    }
}

extension FetchError {
    /// Whether another attempt may succeed, because the host or the network did not answer. If the server answered, its answer is
    /// final.
    package var isTransient: Bool {
        switch self {
        case .timeout, .connect, .closed, .negotiation(_, _, .closed): true
        case .resolve(_, let failure): failure.isTransient
        case .keyTypes(_, let error): error.isTransient
        case .proxy(_, let error), .throughProxy(_, _, _, let error): error.isTransient
        case .family, .excessAddresses, .excessCertificates, .negotiation, .tunnel, .notTLS, .alert,
            .alertAfterCertificate, .wrongKey, .handshake,
            .excessiveHandshake,
            .excessiveDiffieHellmanPrime, .noCertificate,
            .badCertificate:
            false
        }
    }
}
