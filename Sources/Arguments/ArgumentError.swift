/// Why a command line was not accepted, as data. ``message`` and ``hint`` make the sentences.
package enum ArgumentError: Error, Hashable, Sendable {
    /// Words were typed, but none that could be a command.
    case missingCommand(after: ArgumentLocation, Scope)
    case unknownCommand(ArgumentLocation, suggestions: [String], Scope)
    /// The option alone, then the whole word that it was typed in.
    case unknownOption(String, ArgumentLocation, Scope, Remedy)
    /// The line ends where the value of an option was due.
    case missingValue(of: String, expected: String)
    /// An option, or `--`, stands where the value of another was due.
    case valueIsOption(of: String, ArgumentLocation)
    /// A flag was given a value.
    case unexpectedValue(ArgumentLocation, String)
    case invalidValue(ArgumentLocation, expected: String, suggestions: [String])
    /// The value is wrong in a way that whoever reads it can name.
    case rejected(ArgumentLocation, ValueError)
    /// An option that takes one value was given two.
    case givenTwice(String, ArgumentLocation, ArgumentLocation)
    /// Two options, as spelled, that contradict each other.
    case conflict(String, String)
    case missingOption(String, Scope)
    case missingOperand(String, OperandCount, Scope)
    /// One operand too many; what the command takes instead, or nil where it takes none.
    case unexpectedOperand(ArgumentLocation, String?, OperandCount?, Scope)
    /// The line as a whole lacks or contradicts something in a way that only the command itself can tell.
    case invalidCombination(ValueError)

    /// What to do about an option that does not exist here.
    package enum Remedy: Hashable, Sendable {
        /// Options of this name that do exist here; there may be none.
        case suggestions([String])
        /// The commands that have it.
        case owners([String])
        /// It is the tool's own.
        case beforeCommand
    }
}

typealias Remedy = ArgumentError.Remedy
