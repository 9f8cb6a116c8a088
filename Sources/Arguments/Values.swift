/// The converted values of a command line.
package struct Values: Sendable {
    /// Location of each operand, without `--`.
    package let operandLocations: [ArgumentLocation]
    /// The paths on the command line: those of options, then those of operands.
    package let paths: [GivenPath]

    private let command: String
    private let options: [TypedOption]
    private let outputs: [Output]
    private let operandOutput: (any Sendable)?

    /// The converted value of one option.
    private struct Output: Sendable {
        /// The name of the option without dashes.
        let option: String
        let value: any Sendable
    }

    /// The value of an option, which the command must declare.
    package subscript<Output>(option: Option<Output>) -> Output {
        let name = option.declaration.name
        return unboxed(outputs.first { $0.option == name }?.value, option.declaration.spelling)
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
        options.occurrences(of: option.declaration.name).map(\.location)
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
        let declared = command.options
        var outputs: [Output] = []
        var paths: [GivenPath] = []
        // The first error of the line is reported.
        for typed in line.options {
            guard let option = declared.first(where: { $0.name == typed.name }) else { continue }
            outputs.append(Output(option: option.name, value: try option.resolve(typed.occurrences, scope)))
            guard let use = option.value?.pathUse else { continue }
            paths += typed.occurrences.map { GivenPath(location: $0.location, path: $0.value ?? "", use: use) }
        }
        for option in declared where !line.options.contains(where: { $0.name == option.name }) {
            outputs.append(Output(option: option.name, value: try option.resolve([], scope)))
        }
        for option in declared {
            for other in option.conflicts {
                guard let one = line.options.occurrences(of: option.name).first,
                    let two = line.options.occurrences(of: other).first
                else { continue }
                throw one.order < two.order
                    ? .conflict(one.spelling, two.spelling) : .conflict(two.spelling, one.spelling)
            }
        }
        if command.operand == nil, let first = line.operands.first {
            throw .unexpectedOperand(first, nil, nil, scope)
        }
        let operand = command.operand
        operandOutput = try operand?.resolve(line.operands, scope)
        if let use = operand?.value.pathUse {
            paths += line.operands.map { GivenPath(location: $0, path: $0.text, use: use) }
        }
        self.paths = paths
        operandLocations = line.operands
        options = line.options
        self.outputs = outputs
        self.command = command.name
    }
}
