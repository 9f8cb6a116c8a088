/// An option of any type, so that options of different types fit in one list.
package protocol AnyOption: Sendable {
    var declaration: OptionDeclaration { get }
}

/// Whether an option is required and repeatable, with its default as help shows it.
enum Presence: Equatable, Sendable {
    case optional
    case defaulted(String?)
    case required
    case repeatable(String?)
}

/// An option, without the type of its value.
package struct OptionDeclaration: Sendable {
    /// The name without dashes.
    package let name: String
    package let short: Unicode.Scalar?
    let value: ValueDescription?
    let presence: Presence
    let conflicts: [String]
    package let help: String
    /// Converts the occurrences to a ``Box`` of the option's type.
    let resolve: @Sendable ([Occurrence], Scope) throws(ArgumentError) -> any Sendable

    /// The complete name: `--timeout`.
    package var spelling: String { "--\(name)" }
}

/// A titled group of options in help: "Connection", "Output".
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionDeclaration]

    package init(_ title: String, _ options: [any AnyOption]) {
        self.title = title
        self.options = options.map(\.declaration)
    }
}

/// One occurrence of an option on the command line.
struct Occurrence: Equatable, Sendable {
    let location: ArgumentLocation
    /// Number of occurrences before this one. Short options that are joined in one word have the same location but different
    /// orders.
    let order: Int
    /// The option alone: `-4` for the word `-46`.
    let spelling: String
    /// Nil for a flag.
    let value: String?
}

/// An option on the command line, with its occurrences in their order.
///
/// Options are in arrays and not in dictionaries, because there are few: at run time, the first use of a dictionary costs a search in
/// the conformances of the program.
struct TypedOption: Sendable {
    /// The name without dashes.
    let name: String
    /// At least one.
    var occurrences: [Occurrence]
}

extension [TypedOption] {
    /// - Parameter name: the name without dashes.
    func occurrences(of name: String) -> [Occurrence] { first { $0.name == name }?.occurrences ?? [] }
}

/// A wrapper that distinguishes `Optional.none` from a missing value inside `any Sendable`.
struct Box<Output: Sendable>: Sendable {
    let value: Output
}
