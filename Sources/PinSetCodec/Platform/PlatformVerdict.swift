internal import Pinning

/// Predicted behaviour of one platform for a connection, and the rule that leads to it.
public struct PlatformVerdict: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The platform accepts the connection: a pin matches, or a mismatch is only reported.
        case accepts
        /// The connection fails.
        case rejects
        /// The platform compares no pins and accepts every valid chain.
        case notPinned = "not-pinned"
        /// The platform rejects the configuration itself: the app stops, or a browser or a library ignores it.
        case refusesConfig = "refuses-config"
    }

    public let platform: Platform
    public let verdict: Verdict
    /// The rule that decided, in a sentence without its full stop.
    public let rule: String

    public init(platform: Platform, verdict: Verdict, rule: String) {
        (self.platform, self.verdict, self.rule) = (platform, verdict, rule)
    }
}

/// A verdict that does not name its platform.
package struct PlatformRuling: Hashable, Sendable {
    package let verdict: PlatformVerdict.Verdict
    package let rule: String

    package init(_ verdict: PlatformVerdict.Verdict, _ rule: String) {
        (self.verdict, self.rule) = (verdict, rule)
    }
}
