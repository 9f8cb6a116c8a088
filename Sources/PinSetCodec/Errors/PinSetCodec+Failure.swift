package import Encodings
internal import Pinning

extension PinSetCodec {
    /// The error for pins without a host.
    package static func missingHost(at position: SourcePosition?) -> PinSetFormatError {
        error(.noHost(of: .pins), at: position)
    }

    /// The error for a file without pins.
    ///
    /// - Parameters:
    ///   - warnings: the warnings of the reader. The first one is a part of the message.
    ///   - example: the hint, an example of pins in this format.
    package static func noPins(_ warnings: ConversionWarnings, example: String) -> PinSetFormatError {
        error(.file(.noPins(warnings.list.first, example: example)))
    }

    /// The error for a text that makes a program fail at its start.
    ///
    /// - Parameters:
    ///   - program: the name of the program.
    ///   - expected: what the program accepts.
    package static func rejected(
        _ text: String, by program: String, expected: String, at position: SourcePosition
    ) -> PinSetFormatError {
        error(.file(.rejected(text, by: program, expected: expected)), at: position)
    }
}
