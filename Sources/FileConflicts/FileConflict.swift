internal import Arguments
internal import Encodings

/// An output of a command that would replace one of its inputs, or another output.
package enum FileConflict: Error, Equatable {
    /// An option or operand for an output and one for an input, as they were given, refer to the same file.
    case inputOption(output: String, input: String)
    /// Two options for outputs, as they were given, refer to the same file.
    case outputOptions(String, String)
    /// The path of an output refers to a file that the command has read.
    case input(String)
    /// The paths of two outputs refer to the same file.
    case outputs(String, String)

    package var message: String {
        switch self {
        case .inputOption(let output, let input):
            "\(output.quoted) is also another file of the command line, \(input.quoted), and would change it"
        case .outputOptions(let one, let two): "\(one.quoted) and \(two.quoted) would write the same file"
        case .input(let path): "\(path.quoted) is an input of this command and was not replaced"
        case .outputs(let one, let two): "\(one.quoted) and \(two.quoted) are the same file, for two outputs"
        }
    }

    package var hint: String {
        switch self {
        case .inputOption, .input: "use another file name for the output"
        case .outputOptions, .outputs: "use a separate file for each output"
        }
    }
}
