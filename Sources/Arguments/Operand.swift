/// Number of operands that a command takes.
package enum OperandCount: Hashable, Sendable {
    case one
    case optional
    /// Zero or more.
    case any
    /// One or more.
    case some

    var isMany: Bool { self == .any || self == .some }
    var isRequired: Bool { self == .one || self == .some }
}

/// The declaration of a command's operands, and the key to read their values.
package struct Operand<Output: Sendable>: Sendable {
    package let declaration: OperandDeclaration

    private init<Element>(
        _ count: OperandCount, _ value: Value<Element>, help: String,
        gather: @escaping @Sendable ([Element], Scope) throws(ArgumentError) -> Output
    ) {
        declaration = OperandDeclaration(value: value.shape, count: count, help: help) {
            locations, scope throws(ArgumentError) in
            var elements: [Element] = []
            for location in locations {
                elements.append(try value.read(location.text, at: location))
            }
            return Box(value: try gather(elements, scope))
        }
    }

    /// Exactly one.
    package static func one(_ value: Value<Output>, help: String) -> Operand {
        Operand(.one, value, help: help) { elements, scope throws(ArgumentError) in
            guard let first = elements.first else { throw .missingOperand(value.shape.placeholder, .one, scope) }
            return first
        }
    }

    /// Zero or one.
    package static func optional<Element>(_ value: Value<Element>, help: String) -> Operand
    where Output == Element? {
        Operand(.optional, value, help: help) { elements, _ in elements.first }
    }

    /// Zero or more.
    package static func any<Element>(_ value: Value<Element>, help: String) -> Operand where Output == [Element] {
        Operand(.any, value, help: help) { elements, _ in elements }
    }

    /// One or more.
    package static func some<Element>(_ value: Value<Element>, help: String) -> Operand where Output == [Element] {
        Operand(.some, value, help: help) { elements, scope throws(ArgumentError) in
            guard !elements.isEmpty else { throw .missingOperand(value.shape.placeholder, .some, scope) }
            return elements
        }
    }
}

/// A command's operands, without the type of their values.
package struct OperandDeclaration: Sendable {
    let value: ValueDescription
    let count: OperandCount
    let help: String
    /// Converts the operands to a ``Box`` of their type.
    let convert: @Sendable ([ArgumentLocation], Scope) throws(ArgumentError) -> any Sendable

    func resolve(_ locations: [ArgumentLocation], _ scope: Scope) throws(ArgumentError) -> any Sendable {
        if !count.isMany, let extra = locations.dropFirst().first {
            throw .unexpectedOperand(extra, value.placeholder, count, scope)
        }
        return try convert(locations, scope)
    }
}
