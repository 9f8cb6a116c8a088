/// Reason why a command line is invalid, as data. ``message`` and ``hint`` are its sentences.
package enum ArgumentError: Error, Hashable, Sendable {
    /// The command line contains words, but none of them can be a command.
    case missingCommand(after: ArgumentLocation, Scope)
    case unknownCommand(ArgumentLocation, suggestions: [String], Scope)
    /// The command does not have this option. The values are the option's spelling, the word that contains it, the scope, and the
    /// likely correction.
    case unknownOption(String, ArgumentLocation, Scope, Remedy)
    /// The line ends before the value of an option.
    case missingValue(of: String, expected: String)
    /// Another option, or `--`, follows instead of the value.
    case valueIsOption(of: String, ArgumentLocation)
    /// The command line gives a value to a flag, which takes none.
    case unexpectedValue(ArgumentLocation, String)
    case invalidValue(ArgumentLocation, expected: String, suggestions: [String])
    /// The value has the expected form but is invalid. The command gives the reason.
    case rejected(ArgumentLocation, ValueError)
    /// An option that takes one value is given twice.
    case givenTwice(String, ArgumentLocation, ArgumentLocation)
    /// Two options, as typed, that exclude each other.
    case conflict(String, String)
    case missingOption(String, Scope)
    case missingOperand(String, OperandCount, Scope)
    /// There are too many operands. The string is the operand that the command takes, or nil if it takes none.
    case unexpectedOperand(ArgumentLocation, String?, OperandCount?, Scope)
    /// Options or operands that are valid alone but not together. The command checks this.
    case invalidCombination(ValueError)

    /// The likely correction of an unknown option.
    package enum Remedy: Hashable, Sendable {
        /// Options with a similar name that exist here; the list may be empty.
        case suggestions([String])
        /// The commands that have the option.
        case owners([String], suggestions: [String])
        /// A global option, such as `--version`.
        case beforeCommand
    }
}

typealias Remedy = ArgumentError.Remedy
