/// The converted values of a command line.
package struct Values: Sendable {
    /// Location of each operand, without `--`.
    package let operandLocations: [ArgumentLocation]

    private let command: String
    private let occurrences: [String: [Occurrence]]
    private let outputs: [String: any Sendable]
    private let operandOutput: (any Sendable)?

    /// The value of an option, which the command must declare.
    package subscript<Output>(option: Option<Output>) -> Output {
        unboxed(outputs[option.declaration.name], option.declaration.spelling)
    }

    /// The value of the operands, which the command must declare.
    package subscript<Output>(operand: Operand<Output>) -> Output {
        unboxed(operandOutput, operand.declaration.value.placeholder)
    }

    /// The operands as typed.
    package var operands: [String] { operandLocations.map(\.text) }

    /// Whether an option is on the command line.
    package func contains(_ option: any AnyOption) -> Bool { location(of: option) != nil }

    /// Location of an option's first occurrence.
    package func location(of option: any AnyOption) -> ArgumentLocation? { locations(of: option).first }

    /// Locations of an option's occurrences, in the order of the command line.
    package func locations(of option: any AnyOption) -> [ArgumentLocation] {
        (occurrences[option.declaration.name] ?? []).map(\.location)
    }

    /// Reading an option that the command does not declare is a programming error, which no command line can cause.
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
