/// A text that is compared by its bytes, for keys and names from outside.
///
/// Swift's strings are equal if they are canonically equivalent: "K" and the Kelvin sign (U+212A), or two spellings of "é". Platforms
/// compare bytes or code units.
package struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    private let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool { one.text.isSame(as: other.text) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
