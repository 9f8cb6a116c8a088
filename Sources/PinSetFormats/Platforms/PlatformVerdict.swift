internal import Pinning

/// What one platform would make of a connection, and why.
public struct PlatformVerdict: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The connection is made: the pins match, or a mismatch is only reported.
        case accepts
        /// The connection fails.
        case rejects
        /// The connection is made like any other with a valid chain: no pin is compared.
        case notPinned = "not-pinned"
        /// The platform does not take the pin set at all.
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

/// A verdict before it is known whose.
struct PlatformRuling {
    let verdict: PlatformVerdict.Verdict
    let rule: String

    init(_ verdict: PlatformVerdict.Verdict, _ rule: String) {
        (self.verdict, self.rule) = (verdict, rule)
    }
}

/// The rules of one platform.
protocol PlatformRules: SendableMetatype {
    /// Whether a converter writes IP addresses; otherwise it leaves them out.
    static var takesAddresses: Bool { get }

    /// Why the platform does not take the set, or the host, whatever the chain; nil where it does.
    static func refusal(of connection: PlatformConnection) -> PlatformRuling?

    /// What comes of a chain that validates.
    static func ruling(on connection: PlatformConnection) -> PlatformRuling
}

extension PlatformRules {
    static var takesAddresses: Bool { true }

    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        connection.retiredEntry(among: connection.set.entries.filter { takesAddresses || !$0.isAddress })
    }
}
