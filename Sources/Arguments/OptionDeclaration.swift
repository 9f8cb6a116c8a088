/// Something with the declaration of an option: lets options of different types stand in one list.
package protocol AnyOption: Sendable {
    var declaration: OptionDeclaration { get }
}

/// Whether an option has to be typed, may be, or may be more than once; with how help shows the default.
enum Presence: Equatable, Sendable {
    case optional
    case defaulted(String?)
    case required
    case repeatable(String?)
}

/// An option without the type of what it gives.
package struct OptionDeclaration: Sendable {
    /// Without the dashes.
    package let name: String
    package let short: Unicode.Scalar?
    let value: ValueDescription?
    let presence: Presence
    let conflicts: [String]
    package let help: String
    /// What the option gives for what was typed: a ``Box`` of its type.
    let resolve: @Sendable ([Occurrence], Scope) throws(ArgumentError) -> any Sendable

    /// As it is typed in full: `--timeout`.
    package var spelling: String { "--\(name)" }
}

/// Options that belong together in help: "Connection", "Output".
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionDeclaration]

    package init(_ title: String, _ options: [any AnyOption]) {
        self.title = title
        self.options = options.map(\.declaration)
    }
}

/// One typing of an option.
struct Occurrence: Equatable, Sendable {
    let location: ArgumentLocation
    /// Counts the occurrences of the whole line: joined letters stand at one location, but one after another.
    let order: Int
    /// The option alone: `-4` where `-46` was typed.
    let spelling: String
    /// Nil for a flag only.
    let value: String?
}

/// A box that tells `Optional<T>.none` from nothing at all when it is taken out of `any Sendable`.
struct Box<Output: Sendable>: Sendable {
    let value: Output
}
