import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// A spread replaces the members above it (ECMA-262, section 13.2.5.5).
@Suite struct SpreadTests: FormatSuite {
    @Test(arguments: [
        ("{\"h.example\": {publicKeyHashes: [PINS], ...other}}", "...other"),
        ("{\"h.example\": {publicKeyHashes: [PINS]}, ...hosts()}", "...hosts()"),
        ("{\"h.example\": {...other, publicKeyHashes: [PINS]}}", nil),
    ])
    func isReportedBelowPins(object: String, spread: String?) throws {
        let pins = "\"\(Self.pin)\", \"\(OkHttpFormatTests.x1)\""
        let text = "initializeSslPinning(\(object.replacing("PINS", with: pins)));\n"
        let reading = try read(text, as: .reactNative)
        #expect(summary(reading) == ["h.example any \(Self.pin) any \(OkHttpFormatTests.x1)"])
        let found = reading.warnings.compactMap { warning -> String? in
            if case .valueNotLiteral(let text, _, _) = warning.reason { text } else { nil }
        }
        #expect(found == (spread.map { [$0] } ?? []))
    }
}
