/// A platform that rejects a trusted chain by its own rules for the pins of a set.
package struct PlatformRefusal: Sendable {
    package enum Cause: Sendable {
        /// No chain of the host can have the pins that must match, for this reason.
        case set(String)
        /// The host has other keys than the pins that must match.
        case keys
        case unknown
    }

    /// The rule that decided, as a sentence without its full stop.
    package let rule: String
    package let cause: Cause

    package init(rule: String, cause: Cause) { (self.rule, self.cause) = (rule, cause) }
}
