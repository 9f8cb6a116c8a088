/// The key and the one declaration of an option; what it gives is typed.
///
/// The name is written without its dashes. An option has no abbreviations, so that one more option can never change
/// what an old command line means.
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
    /// Takes no value; true where it was typed, however often.
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
    /// Takes one value, and has one where it was not typed.
    ///
    /// - Parameter defaultText: how help shows the default; by itself only a text, a whole number or a choice is shown.
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

    /// Takes one value; nil where it was not typed.
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

    /// Takes one value, and the command cannot do without it.
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

    /// Takes a value each time it is typed; the values are in the order of typing.
    ///
    /// - Parameter default: what holds where it was not typed at all.
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
