/// How long to wait before a host is tried again.
enum Backoff {
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(15)

    /// The longest pause after this many failures: twice as long after each, up to a bound.
    static func bound(afterFailures count: Int) -> Duration {
        min(longest, first * (1 << min(max(0, count - 1), 10)))
    }

    /// A pause of any length up to the bound: hosts that failed together do not come back together.
    static func pause(
        afterFailures count: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let milliseconds = bound(afterFailures: count) / .milliseconds(1)
        return .milliseconds(Int64.random(in: 0...Int64(milliseconds), using: &generator))
    }
}

extension FetchError {
    /// Whether the same host may answer a moment later: it was not there, or the way to it was not. What a server answered is
    /// an answer, and stays one.
    package var mayPass: Bool {
        switch self {
        case .timeout, .connect, .closed: true
        case .resolve(_, let failure): failure.mayPass
        case .family, .notTLS, .alert, .handshake, .noCertificate, .badCertificate: false
        }
    }
}
