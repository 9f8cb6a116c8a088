package import PinSetCodec
internal import Pinning

extension CommandError {
    /// Creates the error for the contents of a file.
    package init(_ error: PinSetFormatError, in path: String) {
        let name = InputFile.plainName(of: path)
        let location = error.line == nil ? "\(name): " : "\(name):"
        self.init(location + error.description, hint: error.hint(inFile: true))
    }
}

extension PinSetFormatError {
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
