internal import Pinning

/// Predicted behaviour of one platform for a connection, with the rule.
public struct PlatformVerdict: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The platform accepts the connection: a pin matches, or a mismatch is only reported.
        case accepts
        /// The connection fails.
        case rejects
        /// The platform compares no pins and accepts every valid chain.
        case notPinned = "not-pinned"
        /// The platform rejects the pin set itself.
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

/// A verdict without its platform.
package struct PlatformRuling {
    package let verdict: PlatformVerdict.Verdict
    package let rule: String

    package init(_ verdict: PlatformVerdict.Verdict, _ rule: String) {
        (self.verdict, self.rule) = (verdict, rule)
    }
}

/// The rules of one platform.
package protocol PlatformRules: SendableMetatype {
    /// Whether a converter writes IP addresses; otherwise it leaves them out.
    static var takesAddresses: Bool { get }

    /// Why the platform rejects the set or the host for any chain; nil if it accepts them.
    static func refusal(of connection: PlatformConnection) -> PlatformRuling?

    /// The result for a valid chain.
    static func ruling(on connection: PlatformConnection) -> PlatformRuling
}

extension PlatformRules {
    package static var takesAddresses: Bool { true }

    package static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        connection.retiredEntry(among: connection.set.entries.filter { takesAddresses || !$0.isAddress })
    }
}
