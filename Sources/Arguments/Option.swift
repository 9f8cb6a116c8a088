/// The declaration of an option, and the key to read its typed value.
///
/// The name is without dashes. Options cannot be abbreviated, so that a new option never changes the meaning of an existing
/// command line.
package struct Option<Output: Sendable>: AnyOption {
    package let declaration: OptionDeclaration

    private init(
        _ name: String,
        short: Unicode.Scalar?,
        value: ValueDescription?,
        presence: Presence,
        conflicts: [any AnyOption],
        help: String,
        resolve: @escaping @Sendable ([Occurrence], Scope) throws(ArgumentError) -> Output
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, value: value, presence: presence,
            conflicts: conflicts.map(\.declaration.name), help: help
        ) { occurrences, scope throws(ArgumentError) in
            Box(value: try resolve(occurrences, scope))
        }
    }
}

extension Option where Output == Bool {
    /// An option without a value: true if it is given at least once.
    package static func flag(
        _ name: String, short: Unicode.Scalar? = nil, conflicts: [any AnyOption] = [], help: String
    ) -> Option {
        Option(name, short: short, value: nil, presence: .optional, conflicts: conflicts, help: help) {
            occurrences, _ in
            !occurrences.isEmpty
        }
    }
}

extension Option {
    /// An option with one value and a default.
    ///
    /// - Parameter defaultText: the default as help shows it; nil shows the value if it is a text, a whole number or a choice.
    package static func single(
        _ name: String, short: Unicode.Scalar? = nil, takes value: Value<Output>, default: Output,
        defaultText: String? = nil, conflicts: [any AnyOption] = [], help: String
    ) -> Option {
        let shown = defaultText ?? value.spell?(`default`)
        return Option(
            name, short: short, value: value.shape, presence: .defaulted(shown), conflicts: conflicts, help: help
        ) { occurrences, _ throws(ArgumentError) in
            try only(name, occurrences, value) ?? `default`
        }
    }

    /// An option with one value; nil if it is not given.
    package static func optional<Element>(
        _ name: String, short: Unicode.Scalar? = nil, takes value: Value<Element>,
        conflicts: [any AnyOption] = [], help: String
    ) -> Option where Output == Element? {
        Option(
            name, short: short, value: value.shape, presence: .optional, conflicts: conflicts, help: help
        ) { occurrences, _ throws(ArgumentError) in
            try only(name, occurrences, value)
        }
    }

    /// An option with one value that must be given.
    package static func required(
        _ name: String, short: Unicode.Scalar? = nil, takes value: Value<Output>,
        conflicts: [any AnyOption] = [], help: String
    ) -> Option {
        Option(
            name, short: short, value: value.shape, presence: .required, conflicts: conflicts, help: help
        ) { occurrences, scope throws(ArgumentError) in
            guard let output = try only(name, occurrences, value) else {
                throw .missingOption("--\(name) \(value.shape.placeholder)", scope)
            }
            return output
        }
    }

    /// An option that may be given several times; the values are in the order of the command line.
    ///
    /// - Parameter default: the values if the option is not given.
    package static func repeated<Element>(
        _ name: String, short: Unicode.Scalar? = nil, takes value: Value<Element>, default: [Element] = [],
        defaultText: String? = nil, conflicts: [any AnyOption] = [], help: String
    ) -> Option where Output == [Element] {
        Option(
            name, short: short, value: value.shape, presence: .repeatable(defaultText), conflicts: conflicts, help: help
        ) { occurrences, _ throws(ArgumentError) in
            guard !occurrences.isEmpty else { return `default` }
            var outputs: [Element] = []
            for occurrence in occurrences {
                outputs.append(try value.read(occurrence.value ?? "", at: occurrence.location))
            }
            return outputs
        }
    }
}

private func only<Element>(
    _ name: String, _ occurrences: [Occurrence], _ value: Value<Element>
) throws(ArgumentError) -> Element? {
    guard let first = occurrences.first else { return nil }
    if let second = occurrences.dropFirst().first { throw .givenTwice("--\(name)", first.location, second.location) }
    return try value.read(first.value ?? "", at: first.location)
}
