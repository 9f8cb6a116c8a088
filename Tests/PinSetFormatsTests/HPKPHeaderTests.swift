import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Headers that browsers ignore (RFC 7469, sections 2.1 and 2.1.2).
@Suite struct HPKPHeaderTests: FormatSuite {
    private static let pins = "pin-sha256=\"\(OkHttpFormatTests.x1)\"; pin-sha256=\"\(OkHttpFormatTests.x2)\""

    /// Section 2.1: max-age is required, a directive occurs once, a pin is a quoted string, includeSubDomains has no value.
    @Test(arguments: [
        (pins, "it has no max-age"), ("\(pins); max-age=60; max-age=60", "it has max-age twice"),
        ("\(pins); max-age=abc", "max-age is not a number"), ("\(pins); max-age", "it has no max-age"),
        ("\(pins); max-age=-1", "max-age is not a number"),
        ("\(pins.replacing("\"", with: "")); max-age=60", "the value of a pin is not quoted"),
        ("\(pins); max-age=60; includeSubDomains=1", "includeSubDomains has a value"),
        ("\(pins); max-age=60; report-uri=x", "report-uri is not a quoted URL"),
    ])
    func warnsOfAHeaderThatBrowsersIgnore(value: String, reason: String) throws {
        let reading = try read("# h.example\nPublic-Key-Pins: \(value)\n", as: .hpkp)
        #expect(reading.set.entries.map(\.host) == ["h.example"])
        #expect(reading.set.entries.first?.pins.count == 2)
        let warnings = reading.warnings.filter {
            $0.message.hasPrefix("browsers ignore the header on line 2: \(reason)")
        }
        #expect(warnings.count == 1, "\(reading.warnings.map(\.message))")
        #expect(warnings.first?.host == "h.example")
        #expect(warnings.first?.harm == .unpins)
    }

    /// Section 2.1.2: a report-only header needs no max-age. Names of directives have no case, and unknown directives are ignored.
    @Test(arguments: [
        "Public-Key-Pins: \(pins); max-age=60", "Public-Key-Pins: \(pins); Max-Age=\"60\"; includeSubDomains; strict",
        "Public-Key-Pins: \(pins); max-age=60; report-uri=\"https://r.example/\"",
        "Public-Key-Pins-Report-Only: \(pins)",
    ])
    func acceptsOtherHeaders(header: String) throws {
        let reading = try read("# h.example\n\(header)\n", as: .hpkp)
        #expect(!reading.warnings.contains { $0.message.contains("browsers ignore") })
    }

    /// Strings of source code that contain the name of the header, and an attribute in XML.
    @Test(arguments: [
        #"header("Public-Key-Pins: pin-sha256=\"<1>\"; pin-sha256=\"<2>\"; max-age=60; includeSubDomains"); // "x""#,
        #"header('Public-Key-Pins: pin-sha256="<1>"; pin-sha256="<2>"; max-age=60; includeSubDomains');"#,
        #"set("Public-Key-Pins", "pin-sha256=\"<1>\"; pin-sha256=\"<2>\"; max-age=60; includeSubDomains");"#,
        #"<add name="Public-Key-Pins" value="pin-sha256=&quot;<1>&quot;; pin-sha256=&#34;<2>&#34;; max-age=60; includeSubDomains" />"#,
        #"curl -H 'Public-Key-Pins: pin-sha256="<1>"; pin-sha256="<2>"; max-age=60; includeSubDomains' x"#,
    ])
    func readsSourceCode(text: String) throws {
        let text = text.replacing("<1>", with: OkHttpFormatTests.x1).replacing("<2>", with: OkHttpFormatTests.x2)
        let reading = try read(text, as: .hpkp, host: "h.example")
        #expect(summary(reading) == ["h.example any \(OkHttpFormatTests.x1) any \(OkHttpFormatTests.x2)"])
        #expect(reading.set.entries.map(\.subdomains) == [.all])
        #expect(reading.warnings.map(\.reason) == [.maximumAge("60")])
    }

    /// A header with max-age=0 is valid and removes the pins, so only this is reported.
    @Test(arguments: ["0", "00"]) func reportsRemovedPins(age: String) throws {
        let reading = try read("# h.example\nPublic-Key-Pins: \(Self.pins); max-age=\(age)\n", as: .hpkp)
        #expect(reading.warnings.map(\.reason) == [.maximumAge("0")])
    }
}
