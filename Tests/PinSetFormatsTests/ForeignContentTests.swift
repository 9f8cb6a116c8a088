import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// A file that is not a pin set is an error in every format, and not an empty set.
@Suite struct ForeignContentTests {
    static let contents = [
        "", "\n", "hello\n", "let x = 1\n", "a: 1\n", "# comment\n", "[]\n", #"{"a": 1}"# + "\n", "<html></html>\n",
        String(repeating: "\u{FFFD}\u{0}", count: 100),
    ]

    @Test(arguments: FormatRegistry.standard.formats, contents)
    func isAnErrorAndNoEmptySet(format: PinSetFormat, content: String) {
        let inputs = ConversionInputs(host: "h.example")
        #expect(throws: PinSetFormatError.self, "\(format)") {
            try PinSet.read(Array(content.utf8), as: format, with: inputs)
        }
    }
}
