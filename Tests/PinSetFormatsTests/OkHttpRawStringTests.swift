import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Kotlin keeps the white space in a raw string, with which OkHttp stops the app (CertificatePinner.kt, `Pin.init`).
@Suite struct OkHttpRawStringTests: FormatSuite {
    @Test(arguments: [
        (#""""sha256/PIN""""#, true), (#"""" sha256/PIN""""#, false), (#""""sha256/PIN """.trim()"#, true),
        ("\"\"\"\n    sha256/PIN\n\"\"\"", false), ("\"\"\"\n    sha256/PIN\n\"\"\".trimIndent()", true),
        ("\" sha256/PIN\"", false), ("\" sha256/PIN\".trim()", true),
    ])
    func pins(literal: String, isRead: Bool) throws {
        let pin = literal.replacing("PIN", with: OkHttpFormatTests.x2)
        let text = "val p = CertificatePinner.Builder().add(\"h.example\", \"sha256/\(Self.pin)\", \(pin)).build()"
        let reading = try read(text, as: .okhttp)
        #expect(summary(reading) == ["h.example any \(Self.pin)" + (isRead ? " any \(OkHttpFormatTests.x2)" : "")])
        #expect(reading.warnings.isEmpty == isRead)
    }

    @Test(arguments: [(#""""h.example""""#, true), (#""""h.example """"#, false), (#""""h.example """.trim()"#, true)])
    func hosts(literal: String, isRead: Bool) throws {
        let text =
            "val p = CertificatePinner.Builder().add(\(literal), \"sha256/\(Self.pin)\").add(\"b.example\", \"sha256/\(Self.pin)\").build()"
        let hosts = try read(text, as: .okhttp).set.entries.map(\.host)
        #expect(hosts == (isRead ? ["h.example", "b.example"] : ["b.example"]))
    }
}
