package import PinSetCodec
internal import PinSetFormats

extension PinSetFormat {
    /// The names of the formats for which `matches` returns true, separated by commas.
    package static func names(where matches: (FormatTraits) -> Bool) -> String {
        allCases.filter { matches($0.traits) }.map(\.rawValue).joined(separator: ", ")
    }

    /// The names of the formats that use an input when they are read or written.
    package static func names(using input: FormatTraits.Input) -> String {
        names { $0.readingInputs.contains(input) || $0.writingInputs.contains(input) }
    }
}
