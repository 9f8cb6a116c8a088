import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct JSONFormatTests {
    static let x1 = OkHttpFormatTests.x1
    static let x2 = OkHttpFormatTests.x2

    private func text(_ writing: PinSetWriting) -> String { String(decoding: writing.files[0].bytes, as: UTF8.self) }

    // MARK: pins.json

    @Test func keepsUnknownKeysAndTheShorthand() throws {
        let source = """
            {
              "version": 1,
              "$schema": "pins.schema.json",
              "hosts": {
                "B.example": [
                  "\(Self.x1)"
                ],
                "a.example": {
                  "subdomains": "one",
                  "expires": "2027-06-01T12:00:00Z",
                  "enforce": false,
                  "anchors": [
                    "ca.pem"
                  ],
                  "pins": [
                    {
                      "sha256": "\(Self.x1)",
                      "role": "root",
                      "state": "retired",
                      "label": "é \\"x\\"",
                      "notAfter": "2035-06-04",
                      "x-owner": {
                        "team": 1.50
                      }
                    }
                  ],
                  "x-note": null
                }
              },
              "note": [
                true
              ]
            }

            """
        let reading = try PinSet.read(Array(source.utf8))
        #expect(text(try reading.set.written(as: .pins)) == source)
    }

    @Test func warnsOfKeysThatOtherFormatsOmit() throws {
        let set = try PinSet(
            json: Array(
                #"{"version":1,"top":1,"hosts":{"a.example":{"entry":2,"pins":[{"sha256":"\#(Self.x1)","pin":3}]}}}"#
                    .utf8))
        #expect(
            try set.written(as: .okhttp).warnings.map(\.description) == [
                #"the key "top" is unknown and left out"#,
                #""a.example": the key "pin" of the pin \#(Self.x1) ("ISRG Root X1") is unknown and left out"#,
                #""a.example": the key "entry" is unknown and left out"#,
            ])
    }

    // MARK: React Native

    @Test func readsReactNative() throws {
        let reading = try PinSet.read(
            Array(
                """
                {"a.example":{"includeSubdomains":true,"publicKeyHashes":["\(Self.x1)","\(Self.x2)"],
                "expirationDate":"2027-06-01"},"b.example":{"publicKeyHashes":["\(Self.x2)"],"other":1}}
                """.utf8))
        #expect(reading.format == .reactNative)
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.set.entries[0].expires == Timestamp(rfc3339: "2027-06-01"))
        #expect(reading.warnings == [ConversionWarning(host: "b.example", .unknownKey("other"))])
    }

    /// On iOS, the libraries use TrustKit, which looks a host up in lower case and without a dot at the end.
    @Test(arguments: ["EXAMPLE.com", "example.com."]) func warnsOfTheSpellingOfAHost(host: String) throws {
        for (text, format) in [
            (#"{"\#(host)":{"publicKeyHashes":["\#(Self.x1)","\#(Self.x2)"]}}"#, PinSetFormat.reactNative),
            (#"{"sha256Keys":{"\#(host)":["sha256/\#(Self.x1)","sha256/\#(Self.x2)"]}}"#, .reactNativeSSLManager),
        ] {
            let reading = try PinSet.read(Array(text.utf8), as: format)
            #expect(reading.set.entries.map(\.name) == ["example.com"])
            let warning = ConversionWarning(host: host, .hostSpelling(written: "example.com", line: 1))
            #expect(reading.warnings == [warning])
            #expect(warning.harm == .unpins)
        }
    }

    /// `extra` in the app.json of Expo: the app passes the lists to the library in its own code.
    @Test func readsListsOfPinsInAnotherFile() throws {
        let reading = try PinSet.read(
            Array(
                """
                {"expo":{"extra":{"eas":{},"publicKeyHashes":{"a.example":["\(Self.x1)","\(Self.x2)"],"b_.example.":[],
                "no host!":["\(Self.x1)"]}}}}
                """.utf8))
        #expect(reading.format == .reactNative)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.set.entries[0].pins.map(\.pin.base64) == [Self.x1, Self.x2])
        #expect(reading.warnings.map(\.host) == ["b_.example.", "no host!", nil])
        #expect(reading.warnings.last?.reason == .codeNotRead)
    }

    @Test func readsTheSSLManager() throws {
        let reading = try PinSet.read(
            Array(#"{"sha256Keys":{"a.example":["sha256/\#(Self.x1)"]},"expiration":"2030-01-01"}"#.utf8))
        #expect(reading.format == .reactNativeSSLManager)
        #expect(reading.set.entries[0].pins.map(\.pin.base64) == [Self.x1])
        #expect(reading.warnings.map(\.reason) == [.unknownKey("expiration")])
    }

    /// react-native-ssl-manager 2.2.0, android/…/SslConfigStore.kt and src/config.ts: the keys and their defaults.
    @Test func readsTheSettingsOfTheSSLManager() throws {
        let pins = "[\"sha256/\(Self.x1)\",\"sha256/\(Self.x2)\"]"
        let reading = try PinSet.read(
            Array(
                """
                {"sha256Keys":{"a.example":\(pins),"b.example":\(pins)},"domains":{"a.example":
                {"enforcePinning":false,"expirationDate":"2027-06-30","includeSubdomains":false},"c.example":{}},
                "reportUris":["https://r.example/"]}
                """.utf8))
        #expect(reading.set.entries.map(\.subdomains) == [.none, .all])
        #expect(reading.set.entries.map(\.enforce) == [false, true])
        #expect(reading.set.entries[0].expires == Timestamp(rfc3339: "2027-06-30"))
        #expect(
            reading.warnings == [
                ConversionWarning(.notRepresented("\"reportUris\"")),
                ConversionWarning(host: "c.example", .hostWithoutPins),
            ])
    }

    @Test(
        arguments: [
            (#"{"a.example":{"publicKeyHashes":"x"}}"#, PinSetFormat.reactNative, 1, 33),
            ("{\n\"a.example\":{}}", .reactNative, 2, 13),
            (#"{"a.example":{"publicKeyHashes":["\#(x1)"],"expirationDate":"soon"}}"#, .reactNative, 1, 99),
            (#"{"sha256Keys":[]}"#, .reactNativeSSLManager, 1, 15), (#"{"x":1}"#, .reactNativeSSLManager, 1, 1),
        ])
    func reportsErrorsWithPositions(source: String, format: PinSetFormat, line: Int, column: Int) {
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(source.utf8), as: format) }
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
    }

    // MARK: Chromium

    static let chromium = """
        // Copyright.
        {
          "pinsets": [
            // A comment.
            { "name": "test", "static_spki_hashes": ["First", "Pin2"], "bad_static_spki_hashes": ["First"], "report_uri": "http://r" }
          ],
          "entries": [
            { "name": "a.example", "include_subdomains_for_pinning": true, "pins": "test" },
            { "name": "b.example", "policy": "test", "mode": "force-https", "include_subdomains": true } // not "pinned"
          ]
        }
        """

    @Test func readsChromiumWithItsNames() throws {
        let certificate = try Vectors.bytes(Vectors.certificates[0].file)
        let names = """
            # Names.
            PinsListTimestamp
            1649894400

            First
            sha256/\(Self.x1)
            Pin2
            \(PEM.certificate(certificate))
            """
        let inputs = ConversionInputs(names: Array(names.utf8))
        let reading = try PinSet.read(Array(Self.chromium.utf8), with: inputs)
        #expect(reading.format == .chromium)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.set.entries[0].subdomains == .all)
        #expect(reading.set.entries[0].pins.map(\.pin.base64) == [Self.x1, Vectors.certificates[0].pin])
        #expect(reading.set.entries[0].pins.map(\.label) == ["First", nil])
        #expect(
            reading.warnings.map(\.message) == [
                "a pin set has no field for the date of the list, 2022-04-14; Chromium uses the list for ten weeks after it",
                #"a pin set has no field for the forbidden pin "First""#,
                #"a pin set has no field for "report_uri" (http://r)"#, "1 entry without pins is left out",
            ])
    }

    @Test func chromiumNeedsItsNames() {
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(Self.chromium.utf8)) }
        #expect(error?.need == .names)
    }

    @Test(
        arguments: [
            "first\nsha256/\(x1)", "First\nsha1/x", "First", "First\nsha256/\(x1)\nFirst\nsha256/\(x2)",
            "First\nsha256/AAAA",
            "PinsListTimestamp\nsoon", "First\n-----BEGIN PUBLIC KEY-----\nAAAA",
            "First\n-----BEGIN X-----\nAAAA\n-----END X-----",
            "Other\nsha256/\(x1)",
        ])
    func rejectsInvalidNames(names: String) {
        #expect(throws: PinSetFormatError.self) {
            try PinSet.read(Array(Self.chromium.utf8), with: ConversionInputs(names: Array(names.utf8)))
        }
    }

    /// The file of names can be a file with passwords by mistake: a `.netrc` file, or a list of passwords.
    @Test(arguments: [
        ("\nmachine a.example login bob password Hunter22\n", 2, "the line is not the name of a pin"),
        ("hunter22\n", 1, "the line is not the name of a pin"),
        ("Hunter22\nHunter22\n", 2, "the line is not the value of a pin"),
        ("PinsListTimestamp\nHunter22\n", 2, "the line is not a time in seconds since 1970"),
        ("# a\nHunter22\n", 2, "the name on this line has no value after it"),
    ]) func showsNoTextOfANamesFile(text: String, line: Int, message: String) {
        let names = Array(text.utf8)
        let error = #expect(throws: PinSetFormatError.self) {
            try PinSet.read(Array(Self.chromium.utf8), with: ConversionInputs(names: names))
        }
        #expect(error?.message == "in the file of names: \(message)")
        #expect(error?.line == line)
    }

    /// The libraries pass the pins to TrustKit (parse_configuration.m) and OkHttp, which both reject these. pinctl still reads the
    /// rest.
    @Test(arguments: [
        (
            #"{"a.example":{"publicKeyHashes":["AAAA"]},"b.example":{"publicKeyHashes":["\#(x1)"]}}"#,
            PinSetFormat.reactNative
        ),
        (#"{"a.example":{"publicKeyHashes":[]},"b.example":{"publicKeyHashes":["\#(x1)"]}}"#, .reactNative),
        (#"{"sha256Keys":{"a:1":["sha256/\#(x1)"],"b.example":["sha256/\#(x1)"]}}"#, .reactNativeSSLManager),
    ])
    func readsTheRestOfAFile(source: String, format: PinSetFormat) throws {
        let reading = try PinSet.read(Array(source.utf8), as: format)
        #expect(reading.set.entries.map(\.host) == ["b.example"])
        #expect(reading.warnings.contains { $0.host == "a.example" || $0.host == "a:1" })
    }

    // MARK: JavaScript

    @Test func readsTheArgumentOfInitializeSslPinning() throws {
        let source = """
            import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';
            const spare = '\(Self.x2)'; // a backup
            const hosts = { inner: "c.example" };
            export const options = { "production": {
                /* the API */
                'a.example': { includeSubdomains: true, publicKeyHashes: ['\(Self.x1)', spare], expirationDate: '2027-06-01' },
                [host]: { publicKeyHashes: [`\(Self.x1)`, "\(Self.x2)",], },
                'b.example': { publicKeyHashes: [...more, '\(Self.x1)', load()] as const, },
            } };
            await initializeSslPinning(options.production);
            """
        let reading = try PinSet.read(Array(source.utf8))
        #expect(reading.format == .reactNative)
        #expect(reading.set.entries.map(\.host) == ["a.example", "b.example"])
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.set.entries.map { $0.pins.map(\.pin.base64) } == [[Self.x1, Self.x2], [Self.x1]])
        #expect(reading.set.entries.first?.expires?.date == "2027-06-01")
        let unread = reading.warnings.compactMap { warning -> Int? in
            if case .valueNotLiteral(_, _, let line) = warning.reason { line } else { nil }
        }
        #expect(unread == [7, 8, 8])
    }

    @Test(arguments: [
        "const PIN = 'sha256/\(x1)';\nsetSSLConfig({ sha256Keys: { 'a.example': [PIN] } });",
        "const sha256Keys = {\n  \"a.example\": [\"sha256/\(x1)\"],\n};",
        "module.exports = { domains: { 'a.example': { pins: ['sha256/\(x1)'] } } };",
        "{ \"domains\": { \"a.example\": { \"pins\": [\"sha256/\(x1)\"] } } }",
        "const x = f({ 'a.example': ['sha256/\(x1)'] });",
    ])
    func readsPinsOfReactNativeLibraries(source: String) throws {
        let reading = try PinSet.read(Array(source.utf8))
        #expect(reading.format == .reactNativeSSLManager)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Self.x1])
    }

    // MARK: wultra

    @Test func writesAndReadsFingerprints() throws {
        let leaf = try #require(try Self.leaves().first)
        let pin = PinSet.PinnedKey(pin: leaf.pin, role: .leaf)
        let set = try PinSet(entries: [PinSet.Entry(host: "a.example", pins: [pin])])
        let needy = #expect(throws: PinSetFormatError.self) { try set.written(as: .wultra) }
        #expect(needy?.need == .certificates)
        let inputs = ConversionInputs(certificates: [leaf])
        let writing = try set.written(as: .wultra, with: inputs)
        #expect(text(writing).contains(Base64.encode(leaf.sha256)))
        let reading = try PinSet.read(writing.files[0].bytes, with: inputs)
        #expect(reading.format == .wultra)
        #expect(reading.set.entries[0].pins[0].pin == leaf.pin)
        #expect(reading.set.entries[0].pins[0].notAfter == leaf.notAfter)
    }

    private static func leaves() throws -> [Certificate] {
        try Vectors.certificates.map { try Certificate(der: Vectors.bytes($0.file)) }.filter { $0.notAfter != nil }
    }

    // MARK: Recognition

    @Test(
        arguments: [
            (#"{"version":1,"hosts":{}}"#, PinSetFormat.pins), ("\u{feff} {\"hosts\":", .pins),
            (#"{"version":2"#, .pins),
            (#"{"hosts":{"a":{"label":"publicKeyHashes\":"}}}"#, .pins),
            (#"{"a":{"publicKeyHashes":[]}}"#, .reactNative), (#"{"hosts":{"a":{"label":"publicKeyHashes"}}}"#, .pins),
            (#"{"x":{"y":{"publicKeyHashes" : {}}}}"#, .reactNative),
            (#"{"x":{"sha256/AA" : [ "*.a.example"]}}"#, .okhttp),
            (
                "// addPublicKeyPins(\nexpect(x('fun get(')); const sha256Keys = {}",
                .reactNativeSSLManager
            ),
            ("// addPublicKeyPins(\nclass A { val x = \"CertificatePinner\" }", .okhttp),
            ("// c\n{\"pinsets\":[]}", .chromium), (#"{"fingerprints":[]}"#, .wultra),
            (#"{"sha256Keys":1}"#, .reactNativeSSLManager),
            ("CertificatePinner", .okhttp), ("x. IN TLSA 3 1 1 00", .tlsa), ("# h\nsha256//x", .curl),
            ("pin-sha256=\"", .hpkp), ("initializeSslPinning({'a.example': {publicKeyHashes: []}})", .reactNative),
            ("b.addPublicKeyPins(h, p, true, d)", .cronet), ("let m = ServerTrustManager(evaluators: [:])", .alamofire),
        ])
    func recognizesEachFormatByItsContents(source: String, format: PinSetFormat) throws {
        #expect(try PinSetFormat.recognized(in: Array(source.utf8)) == format)
    }

    @Test(arguments: ["", " \n", "hello", "{}", "[]", "\0\u{1}", #"{"a":1}"#])
    func rejectsUnknownContents(source: String) {
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(source.utf8)) }
        #expect(error?.format == nil)
        #expect(error?.message.isEmpty == false)
    }

    @Test func rejectsAmbiguousContents() {
        let error = #expect(throws: PinSetFormatError.self) {
            try PinSet.read(Array(#"{"version":1,"hosts":{},"pinsets":[]}"#.utf8))
        }
        #expect(error?.message == #"the format is ambiguous: the file may be "pins" or "chromium""#)
        #expect(error?.need == .format)
    }

    @Test func rejectsReadingAWriteOnlyFormat() {
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read([1], as: .alamofire) }
        #expect(error?.message == "pinctl writes \"alamofire\" but cannot read it")
    }

    /// A damaged certificate file is recognized, so that the error says what is wrong with it.
    @Test func explainsADamagedCertificateFile() {
        let error = #expect(throws: PinSetFormatError.self) {
            try PinSet.read(Array("-----BEGIN CERTIFICATE-----\nAA=A\n-----END CERTIFICATE-----\n".utf8))
        }
        #expect(error?.format == .certificates)
        #expect(error?.message.hasPrefix("the PEM cannot be read: line 2") == true, "\(String(describing: error))")
    }
}
