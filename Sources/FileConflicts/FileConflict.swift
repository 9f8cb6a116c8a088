internal import Arguments
internal import Encodings

/// Two files of a command that must not be the same: an output and an input, two outputs, or a file of passwords and another input.
package enum FileConflict: Error, Equatable {
    /// An option or operand for an output and one for an input, as they were given, refer to the same file.
    case inputOption(output: String, input: String)
    /// Two options for outputs, as they were given, refer to the same file.
    case outputOptions(String, String)
    /// An option or operand for an output, as it was given, refers to the file that is standard output.
    case standardOutput(String)
    /// The same for an input, or for a file in a folder of inputs.
    case redirectedInput(String)
    /// Two options or operands, as they were given, refer to a file with passwords. The command reads it as something else, too.
    case passwords(String, String)
    /// The path of an output refers to a file that the command has read.
    case input(String)
    /// The paths of two outputs refer to the same file.
    case outputs(String, String)

    package var message: String {
        switch self {
        case .inputOption(let output, let input):
            "\(output.quoted) is also another file of the command line, \(input.quoted), and would change it"
        case .passwords(let one, let two):
            "\(one.quoted) and \(two.quoted) are the same file, and the passwords in it could be printed"
        case .outputOptions(let one, let two): "\(one.quoted) and \(two.quoted) would write the same file"
        case .standardOutput(let output): "\(output.quoted) would write the file to which standard output goes"
        case .redirectedInput(let input):
            "standard output goes to \(input.quoted), or to a file in it, and would change it"
        case .input(let path): "\(path.quoted) is an input of this command and was not replaced"
        case .outputs(let one, let two): "\(one.quoted) and \(two.quoted) are the same file, for two outputs"
        }
    }

    package var hint: String {
        switch self {
        case .inputOption, .input: "use another file name for the output"
        case .passwords: "keep passwords in a file of their own"
        case .outputOptions, .outputs: "use a separate file for each output"
        case .standardOutput, .redirectedInput: "redirect standard output to another file"
        }
    }
}
