import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Pins in source code, as people write it.
@Suite struct SourceCodeFormatTests: FormatSuite {
    /// Chromium, CronetEngineBuilderImpl.java (`addPublicKeyPins`): host, pins, subdomains, expiry.
    @Test func cronetReadsJava() throws {
        let reading = try PinSet.read(try vector("cronet.java"))
        #expect(reading.format == .cronet)
        #expect(
            summary(reading) == [
                "example.com any \(OkHttpFormatTests.x1) any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
            ])
        let entry = reading.set.entries[0]
        #expect(entry.subdomains == .all && entry.expires == Timestamp(rfc3339: "2027-06-01"))
        #expect(entry.pins[0].label == "ISRG Root X1")
        let bypass =
            "without \"enablePublicKeyPinningBypassForLocalTrustAnchors(false)\", the pins do not apply to CAs that a user has installed on the device"
        #expect(
            reading.warnings.map(\.reason) == [
                .unknownPattern("Hosts.API", line: 12), .uncheckedConnections(bypass, line: 10),
            ])
        let given = try read(
            String(decoding: try vector("cronet.java"), as: UTF8.self), as: .cronet, host: "api.example.com")
        #expect(given.set.entries.map(\.host) == ["example.com", "api.example.com"])
        #expect(given.set.entries[1].expires == nil && given.set.entries[1].subdomains == .none)
    }

    /// CronetEngineBuilderImpl.java, `validateHostNameForPinningAndConvert`; RFC 3490, section 4.1, step 3.
    @Test(arguments: [
        ("10.1.1.1", true), ("1.2", true), ("a_b.example.com", true), ("x-.example.com", true),
        ("-x.example.com", true),
        ("a b.example.com", true), ("[::1]", true), ("1.example.com", false), ("b\u{FC}cher.example", false),
        ("a--b.example.com", false),
    ])
    func cronetRejectsHosts(host: String, isRejected: Bool) throws {
        let text =
            "b.enablePublicKeyPinningBypassForLocalTrustAnchors(false)\n"
            + "b.addPublicKeyPins(\"\(host)\", setOf(pin(\"\(Self.pin)\")), false, Date(Long.MAX_VALUE))\n"
        let reading = try read(text, as: .cronet)
        let rejected = reading.warnings.contains { if case .hostRejected = $0.reason { true } else { false } }
        #expect(rejected == isRejected && reading.set.entries.isEmpty == isRejected)
        guard isRejected else { return }
        try PlatformFileCase(.cronet, .cronet, text, host: "other.example", is: .refusesConfig).check()
    }

    /// The setting belongs to one builder (CronetEngineBuilderImpl.java), so another one in the file still has the exception.
    @Test(arguments: [
        ("B(<a>S).x(); B(<b>).x()", [2]), ("B(<a>S).x(); B(<b>S).x()", []), ("B(<a>).x(); B(<b>).x()", [1, 2]),
        ("B().x(); B().x(); y(<a>); y(<b>); y(S); z(S)", []), ("y(<a>S); B().x(); B(<b>).x()", [2]),
        ("B().x(); y(<a>); y(<b>S)", []),
    ])
    func cronetReadsTheSettingOfEachBuilder(code: String, lines: [Int]) throws {
        func pins(_ host: String) -> String {
            "b.addPublicKeyPins(\"\(host).example\", setOf(pin(\"\(Self.pin)\")), false, Date(Long.MAX_VALUE))\n"
        }
        let text = code.replacing("B(", with: "CronetEngine.Builder(").replacing("<a>", with: pins("a"))
            .replacing("<b>", with: pins("b"))
            .replacing("S", with: "b.enablePublicKeyPinningBypassForLocalTrustAnchors(false)")
        let reading = try read(text, as: .cronet)
        #expect(reading.set.entries.count == 2)
        let found = reading.warnings.compactMap { warning in
            if case .uncheckedConnections(_, let line) = warning.reason { line } else { nil }
        }
        #expect(found == lines, "\(text)")
    }

    /// The builder copies the set when it is called (CronetEngineBuilderImpl.java). A variable of another method is another set.
    @Test(arguments: [
        (
            "Set<byte[]> s = new HashSet<>(); A; call(a); Set<byte[]> s = new HashSet<>(); B; call(b);",
            ["a 1", "b 2"]
        ),
        ("val s = HashSet(); A\ncall(a)\nval s = HashSet(); B\ncall(b)", ["a 1", "b 2"]),
        ("Set<byte[]> s = new HashSet<>(); A; call(a); s = new HashSet<>(); B; call(b);", []),
        ("Set<byte[]> s = new HashSet<>(); A; B; call(a);", ["a 1,2"]),
        ("Set<byte[]> s = new HashSet<>(); A; call(a); B; call(b);", ["b 1,2"]),
        ("val s = HashSet(); A\ncall(a)\nother.B\n", ["a 1"]),
        ("val s = HashSet(); A\ns.apply { add(x) }\ncall(a)", []),
        ("val s = HashSet(); A\nwith(s) { add(x) }\ncall(a)", []),
        ("val s = HashSet(); A\nl.forEach(s::add)\ncall(a)", []),
    ])
    func cronetReadsFilledSets(code: String, expected: [String]) throws {
        let pins = [Self.pin, "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]
        func call(_ host: String) -> String {
            "b.addPublicKeyPins(\"\(host).example\", s, false, Date(Long.MAX_VALUE))"
        }
        let text = code.replacing("A", with: "s.add(pin(\"\(pins[0])\"))").replacing(
            "B;", with: "s.add(pin(\"\(pins[1])\"));"
        )
        .replacing("B\n", with: "s.add(pin(\"\(pins[1])\"))\n")
        .replacing("call(a)", with: call("a")).replacing("call(b)", with: call("b"))
        guard !expected.isEmpty else {
            let reading = try read(text, as: .cronet)
            return #expect(
                reading.set.entries.isEmpty
                    && reading.warnings.contains { if case .unknownPin("s", _) = $0.reason { true } else { false } })
        }
        let reading = try read(text, as: .cronet)
        let found = reading.set.entries.map { entry in
            let numbers = entry.pins.map { "\((pins.firstIndex(of: $0.pin.base64) ?? 8) + 1)" }.joined(separator: ",")
            return "\(entry.host.prefix(1)) \(numbers)"
        }
        #expect(found == expected)
    }

    /// aiohttp 3.14, client.py: `url` is the first parameter of `get`, and the second one of `request`.
    @Test(arguments: [
        ("s.get(f\"{API}/x\", proxy=\"http://proxy.example:3128\", ssl=F)", nil),
        ("s.post(data=\"https://b.example/\", url=\"https://a.example/\", ssl=F)", "a.example"),
        ("s.request(\"GET\", \"https://a.example/\", ssl=F)", "a.example"),
        ("p = {\"a.example\": {\"timeout\": 30, \"fingerprint\": F}}", "a.example"),
        ("p = {\"prod\": {\"localhost\": F}}", "localhost"), ("p = {\"a.example\": F}", "a.example"),
        ("p = {\"server\": F}", "server"),
    ])
    func aiohttpHosts(code: String, host: String?) throws {
        let text =
            "import aiohttp\n" + code.replacing("F", with: "aiohttp.Fingerprint(bytes.fromhex(\"\(Self.hex)\"))")
        var warnings = ConversionWarnings()
        let entries = try AIOHTTPFormat.entries(in: Array(text.utf8), host: "given.example", &warnings)
        #expect(entries.map(\.host) == [host ?? "given.example"])
    }

    @Test func cronetReadsKotlinAndNamesWhatItCannotRead() throws {
        let text = """
            fun addPublicKeyPins(host: String) {}
            const val PIN = "\(Self.pin)"
            builder.addPublicKeyPins("a.example", setOf(decode(PIN), BuildConfig.PIN), flag, Date(1_811_808_000_000L))
            builder.addPublicKeyPins("b.example", setOf(decode("AAAA")), false, end())
            builder.addPublicKeyPins("A.example.", hashSetOf(pin(PIN)), true, Date(1_811_808_000_000L))
            """
        let reading = try read(text, as: .cronet)
        #expect(summary(reading) == ["A.example. any \(Self.pin)"])
        #expect(reading.set.entries[0].expires == Timestamp(secondsSince1970: 1_811_808_000))
        #expect(
            reading.warnings.map(\.reason).contains(.unknownPin("BuildConfig.PIN", line: 3))
                && reading.warnings.map(\.reason).contains(.laterEntry(line: 3)))
        #expect(reading.warnings.contains { $0.host == "b.example" && $0.reason == .hostWithoutPins })
        #expect(try error("class A { val x = \"addPublicKeyPins(\" }", as: .cronet).message.contains("no pins"))
    }

    @Test func urlSessionReadsPinsWithTheirHosts() throws {
        let reading = try PinSet.read(try vector("urlsession.swift"))
        #expect(reading.format == .urlsession)
        #expect(
            summary(reading) == [
                "api.example.com any \(OkHttpFormatTests.x1)",
                "other.example.com any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
            ])
        #expect(reading.set.entries[0].pins[0].label == "ISRG Root X1")
        #expect(reading.warnings.map(\.reason) == [.codeNotRead])
        let bare =
            "import Foundation\nlet session: URLSession\nlet pins = [\"\(Self.pin)\"] /* \"\(OkHttpFormatTests.x1)\" */"
        #expect(try PinSetFormat.recognized(in: Array(bare.utf8)) == .urlsession)
        #expect(try error(bare, as: .urlsession).need == .host)
        #expect(summary(try read(bare, as: .urlsession, host: "h.example")) == ["h.example any \(Self.pin)"])
    }

    /// Apps store the patterns of each pin for a CertificatePinner in JSON.
    @Test func okHttpReadsPinsAsKeys() throws {
        let reading = try PinSet.read(try vector("pins-as-keys.json"))
        #expect(reading.format == .okhttp)
        #expect(
            summary(reading) == [
                "example.com any \(OkHttpFormatTests.x1) any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
                "a.example.org any \(OkHttpFormatTests.x1)",
            ])
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.warnings.map(\.reason) == [.codeNotRead])
    }

    /// react-native-ssl-public-key-pinning, src/types.ts; react-native-ssl-manager, src/config.ts: each value that is not a literal
    /// causes a warning.
    @Test func reactNativeNamesWhatHasNoValue() throws {
        let text = """
            initializeSslPinning({
              [domain]: { publicKeyHashes: ['\(Self.pin)'] },
              '{{host}}': { publicKeyHashes: ['\(Self.pin)'] },
              "h.example": { publicKeyHashes: ['\(Self.pin)', process.env.PIN], expirationDate: '2027-06-01' },
            });
            """
        let reading = try read(text, as: .reactNative)
        #expect(summary(reading) == ["h.example any \(Self.pin)"])
        #expect(reading.set.entries[0].expires == Timestamp(rfc3339: "2027-06-01"))
        #expect(
            reading.warnings.map(\.message) == [
                "\"[domain]\" on line 2 is not a literal; it is left out",
                "\"process.env.PIN\" for \"publicKeyHashes\" on line 4 is not a literal; it is left out",
                "the platform never matches the host on line 3, and it is left out: the host \"{{host}}\" contains a character"
                    + " that host names cannot contain: \"{\"",
            ])
    }

    /// react-native-ssl-manager 2.2.0, android/…/SslConfigStore.kt and PinningClientConfigurator.kt: the defaults of `domains`.
    @Test func reactNativeSSLManagerHasDefaults() throws {
        let text = """
            { "sha256Keys": { "a.example": ["sha256/\(Self.pin)"], "b.example": ["sha256/\(Self.pin)"] },
              "domains": { "b.example": { "enforcePinning": false, "expirationDate": "2027-06-30", "includeSubdomains": false },
                           "c.example": {} } }
            """
        let reading = try read(text, as: .reactNativeSSLManager)
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.set.entries.map(\.enforce) == [true, false])
        #expect(reading.set.entries.map(\.expires) == [nil, Timestamp(rfc3339: "2027-06-30")])
        #expect(reading.warnings == [ConversionWarning(host: "c.example", .hostWithoutPins)])
    }
}
