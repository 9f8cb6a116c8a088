/// What was typed for a command, converted: every value in it was accepted.
package struct Values: Sendable {
    /// Each operand with where it stood; `--` is none of them.
    package let operandLocations: [ArgumentLocation]

    private let command: String
    private let occurrences: [String: [Occurrence]]
    private let outputs: [String: any Sendable]
    private let operandOutput: (any Sendable)?

    /// What an option gives. The command must have declared it.
    package subscript<Output>(option: Option<Output>) -> Output {
        unboxed(outputs[option.declaration.name], option.declaration.spelling)
    }

    /// What the operands give. The command must have declared them.
    package subscript<Output>(operand: Operand<Output>) -> Output {
        unboxed(operandOutput, operand.declaration.value.placeholder)
    }

    /// The operands as typed.
    package var operands: [String] { operandLocations.map(\.text) }

    /// Whether an option was typed, be it with the value that it has by default.
    package func contains(_ option: any AnyOption) -> Bool { location(of: option) != nil }

    /// Where an option was typed first.
    package func location(of option: any AnyOption) -> ArgumentLocation? { locations(of: option).first }

    /// Where an option was typed, in the order of typing: one location for each value of a repeatable one.
    package func locations(of option: any AnyOption) -> [ArgumentLocation] {
        (occurrences[option.declaration.name] ?? []).map(\.location)
    }

    /// Asking for what the command never declared is a mistake in the program that no command line can bring about.
    private func unboxed<Output: Sendable>(_ output: (any Sendable)?, _ name: String) -> Output {
        guard let unboxed = output as? Box<Output> else {
            preconditionFailure("\(command) does not declare \(name) as \(Output.self)")
        }
        return unboxed.value
    }
}

extension Values {
    init(_ line: Parser.Line, for command: Command, _ scope: Scope) throws(ArgumentError) {
        let typed = line.occurrences
        func order(_ option: OptionDeclaration) -> Int { typed[option.name]?.first?.order ?? .max }

        var outputs: [String: any Sendable] = [:]
        for option in command.options.sorted(by: { order($0) < order($1) }) {
            outputs[option.name] = try option.resolve(typed[option.name] ?? [], scope)
        }
        for option in command.options {
            for other in option.conflicts {
                guard let one = typed[option.name]?.first, let two = typed[other]?.first else { continue }
                throw one.order < two.order
                    ? .conflict(one.spelling, two.spelling) : .conflict(two.spelling, one.spelling)
            }
        }
        if command.operand == nil, let first = line.operands.first {
            throw .unexpectedOperand(first, nil, nil, scope)
        }
        operandOutput = try command.operand?.resolve(line.operands, scope)
        operandLocations = line.operands
        occurrences = typed
        self.outputs = outputs
        self.command = command.name
    }
}
