import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// One row of a table of verdicts on a platform's own file.
///
/// In the text, `<leaf>`, `<root>`, `<spare>` and other words in angle brackets with a name of ``PlatformCase`` are the base64 of
/// these pins.
struct PlatformFileCase: Sendable, CustomTestStringConvertible {
    let platform: Platform
    let format: PinSetFormat
    let text: String
    let host: String
    let verdict: PlatformVerdict.Verdict
    let rule: String
    var now = "2026-11-21T12:00:00Z"
    var chain = ["leaf", "intermediate", "root"]
    var inputs = ConversionInputs()

    init(
        _ platform: Platform, _ format: PinSetFormat, _ text: String, host: String = "example.com",
        is verdict: PlatformVerdict.Verdict, _ rule: String = "", now: String = "2026-11-21T12:00:00Z",
        chain: [String] = ["leaf", "intermediate", "root"], inputs: ConversionInputs = ConversionInputs()
    ) {
        (self.platform, self.format, self.text, self.host) = (platform, format, text, host)
        (self.verdict, self.rule, self.now, self.chain, self.inputs) = (verdict, rule, now, chain, inputs)
    }

    var testDescription: String { "\(platform.rawValue) for \(host): \(verdict.rawValue) \(rule)" }

    func check() throws {
        let configuration = try #require(try configuration())
        let connection = try PlatformCase("unused.example | spare", host: host, is: verdict, chain: chain, now: now)
            .connection()
        let found = configuration.verdict(on: connection)
        #expect(found.verdict == verdict, "\(found.rule)")
        #expect(found.rule.contains(rule), "\(found.rule)")
    }

    func configuration() throws -> PlatformConfiguration? {
        try platform.configuration(ofFile: Array(Self.filled(text).utf8), format: format, with: inputs)
    }

    static func filled(_ text: String) -> String {
        var text = text
        for name in ["leaf", "intermediate", "root", "spare", "spare2"] {
            text = text.replacing("<\(name)>", with: PlatformCase.pin(name).base64)
        }
        return text
    }
}
