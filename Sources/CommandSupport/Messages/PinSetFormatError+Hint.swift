internal import Encodings
package import PinSetCodec
internal import Pinning

extension CommandError {
    /// Creates the error for the contents of a file.
    package init(_ error: PinSetFormatError, in path: String) {
        self.init(error, in: path, hint: error.hint(inFile: true))
    }

    init(_ error: PinSetFormatError, in path: String, hint: String?) {
        let name = InputFile.plainName(of: path)
        let location = error.line == nil ? "\(name): " : "\(name):"
        self.init(location + error.description, hint: hint)
    }
}

extension PinSetFormatError {
    /// The next step in a command that has no option for the missing input.
    func stepWithoutOptions(for path: String) -> String? {
        let option: [String]
        switch need {
        case .host: option = ["--host", "NAME"]
        case .certificates: option = ["--certificates", "FILE"]
        case .names: option = ["--names", "FILE"]
        case .format, nil: return hint(inFile: true)
        }
        let line = ShellCommand.line(
            ["pinctl", "convert", "--to", "pins"] + option + [path == "-" ? "FILE" : ShellCommand.path(path)])
        return "convert the file with \(line), and use the set that this prints"
    }

    /// The next step: the option for the missing input.
    package func hint(inFile isReading: Bool) -> String? {
        switch need {
        case .format: "use --from-format FORMAT"
        case .host: "use --host NAME"
        case .certificates: "use --certificates FILE|DIR"
        case .names: "use --names FILE"
        case nil: hint
        }
    }
}
