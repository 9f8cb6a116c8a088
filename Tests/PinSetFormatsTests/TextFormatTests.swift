import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Formats with one line: the HPKP header, curl's string, and zone records.
@Suite struct TextFormatTests {
    static let x1 = OkHttpFormatTests.x1
    static let x2 = OkHttpFormatTests.x2
    static let x1Hex = "0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"
    static let x2Hex = "854705162a75cf418e8a85acf10998579808769dbf1caed406f6abf817ee4cd5"

    private func read(
        _ text: String, host: String? = nil, as format: PinSetFormat? = nil
    ) throws -> PinSetReading {
        try PinSet.read(Array(text.utf8), as: format, with: ConversionInputs(host: host))
    }

    private func summary(_ reading: PinSetReading) -> [String] {
        reading.set.entries.map { entry in
            "\(entry.host) \(entry.subdomains) \(entry.enforce ? "" : "report-only ")"
                + entry.pins.map { ($0.pin.base64 == Self.x1 ? "x1" : "x2") + ($0.role == .any ? "" : ":\($0.role)") }
                .joined(separator: ",")
        }
    }

    /// A reader of one file does not know the records that these directives add (RFC 1035, section 5.1; BIND 9, "Zone File").
    @Test(arguments: ["$INCLUDE other.zone", "$include \"other.zone\" example.com.", "$GENERATE 1-3 h$ TLSA 3 1 1 00"])
    func namesRecordsThatAreNotRead(directive: String) throws {
        let reading = try read("$TTL 1h\n\(directive)\n_443._tcp.h.example. IN TLSA 3 1 1 \(Self.x1Hex)\n")
        #expect(summary(reading) == ["h.example none x1:leaf"])
        let name = directive.prefix { $0 != " " }
        #expect(reading.warnings.map(\.message) == ["\"\(name)\" on line 2 adds records that are not read"])
    }

    // MARK: HPKP

    /// The examples of the header in RFC 7469, section 2.1.5, and headers from real servers.
    @Test(
        arguments: [
            ("Public-Key-Pins: max-age=3000; pin-sha256=\"\(x1)\"; pin-sha256=\"\(x2)\"", "h.example none x1,x2"),
            (
                "HTTP/1.1 200 OK\r\nServer: x\r\npublic-key-pins: PIN-SHA256=\"\(x1)\"; includeSubDomains;\r\n\tmax-age=10\r\n\r\n",
                "h.example all x1"
            ),
            (
                "Public-Key-Pins-Report-Only: pin-sha256=\"\(x1)\"; report-uri=\"https://r.example/?a=b;c\"",
                "h.example none report-only x1"
            ),
            ("pin-sha256=\"\(x1)\"; pin-sha256=\"\(x1)\"; max-age=5", "h.example none x1"),
            (
                "add_header Public-Key-Pins 'pin-sha256=\"\(x1)\"; max-age=5; includeSubDomains' always;",
                "h.example all x1"
            ),
            ("Header set Public-Key-Pins \"pin-sha256=\\\"\(x1)\\\"; max-age=5\"", "h.example none x1"),
        ])
    func readsHeaders(text: String, expected: String) throws {
        let reading = try read(text, host: "h.example")
        #expect(reading.format == .hpkp)
        #expect(summary(reading) == [expected])
    }

    @Test func warnsOfOtherDirectives() throws {
        let reading = try read(
            "Public-Key-Pins: pin-sha256=\"\(Self.x1)\"; max-age=0; report-uri=\"https://r.example\"; pin-sha1=\"x\"; strict",
            host: "h.example")
        #expect(
            reading.warnings.map(\.message) == [
                "max-age=0 tells browsers to remove the pins; they are read as valid pins",
                #"a pin set has no field for "report-uri=https://r.example""#,
                #"a pin set has no field for "pin-sha1=x""#,
                #"a pin set has no field for "strict""#,
            ])
        let twice = try read(
            "# h.example\nPublic-Key-Pins-Report-Only: pin-sha256=\"\(Self.x1)\"\n# h.example\nPublic-Key-Pins: pin-sha256=\"\(Self.x2)\""
        )
        #expect(summary(twice) == ["h.example none report-only x1"])
        #expect(twice.warnings.map(\.reason) == [.duplicateHeader(line: 4)])
    }

    @Test func aHeaderNeedsItsHost() throws {
        for text in [
            "Public-Key-Pins: pin-sha256=\"\(Self.x1)\"; max-age=1", "sha256//\(Self.x1)", "TLSA 3 1 1 \(Self.x1Hex)",
        ] {
            let error = #expect(throws: PinSetFormatError.self) { try read(text) }
            #expect(error?.need == .host)
            #expect(error?.line == 1)
        }
    }

    @Test(arguments: [
        "Public-Key-Pins: pin-sha256=\"AAAA\"", "\nPublic-Key-Pins: pin-sha256=x; pin-sha256=\"", "pin-sha256=",
    ])
    func rejectsInvalidHeaders(text: String) {
        let error = #expect(throws: PinSetFormatError.self) { try read(text, host: "h.example", as: .hpkp) }
        #expect(error?.line != nil)
    }

    /// Headers in source code and in other text. A text with only a part of a header is skipped.
    @Test(arguments: [
        "\"Public-Key-Pins\": []string{`max-age=3000; pin-sha256=\"\(x1)\"; includeSubDomains`},",
        "{ \"Public-Key-Pins\": \"max-age=9; pin-sha256=\\\"\(x1)\\\"; includeSubDomains\" }\nx",
        "#define PREFIX \"pin-sha256=\\\"\"\n  (such as 'pin-sha256=\"\(x1)\"; includeSubDomains')",
    ])
    func readsHeadersInOtherText(text: String) throws {
        let reading = try PinSet.read(Array(("x " + text).utf8), as: .hpkp, with: ConversionInputs(host: "h.example"))
        #expect(summary(reading) == ["h.example all x1"])
    }

    /// RFC 7469, section 2.1.1: an invalid pin makes the header invalid, and a browser ignores it.
    @Test func readsTheOtherHeadersOfAFile() throws {
        let reading = try read(
            "# a.example\nPublic-Key-Pins: pin-sha256=\"AAAA\"\n# b.example\nPublic-Key-Pins: pin-sha256=\"\(Self.x1)\"; max-age=9"
        )
        #expect(summary(reading) == ["b.example none x1"])
        #expect(reading.warnings.map(\.reason) == [.headerIgnored(line: 2), .maximumAge("9")])
    }

    /// nginx sends no header of a comment, also not of one after a directive (1.22.1 was run).
    @Test(arguments: [
        "  # add_header <>;", "  listen 443 ssl; # add_header <>;", "// res.setHeader(<>)", "  send() // <>",
        "/* <> */",
        "   * <>", "<!-- <add name=<>/> -->",
    ])
    func readsAConfigurationWithHeadersInComments(line: String) throws {
        let header = "Public-Key-Pins 'pin-sha256=\"\(Self.x1)\"; max-age=60'"
        let reading = try read("server {\n\(line.replacing("<>", with: header))\n}", host: "h.example", as: .hpkp)
        #expect(reading.set.entries.isEmpty)
        #expect(reading.warnings.map(\.reason) == [.headerInComment(line: 2), .nothingPinned])
    }

    /// The example of RFC 7469, section 3, with other pins.
    @Test func readsAReport() throws {
        let reading = try read(
            """
            {
              "date-time": "2014-04-06T13:00:50Z", "hostname": "www.example.com", "port": 443,
              "noted-hostname": "example.com", "include-subdomains": true,
              "known-pins": [ 'pin-sha256="\(Self.x1)"', "pin-sha256=\\"\(Self.x2)\\"" ]
            }
            """.replacing("'pin-sha256=\"\(Self.x1)\"'", with: "\"pin-sha256=\\\"\(Self.x1)\\\"\""))
        #expect(reading.format == .hpkp)
        #expect(summary(reading) == ["example.com all x1,x2"])
        #expect(reading.warnings.map(\.reason) == [.readFromReport])
    }

    // MARK: curl

    @Test(
        arguments: [
            "sha256//\(x1);sha256//\(x2)", "sha256//\(x1);sha256//\(x2)\r\n", "\"sha256//\(x1);sha256//\(x2)\"",
            "pinnedpubkey = \"sha256//\(x1);sha256//\(x2)\"", "--pinnedpubkey 'sha256//\(x1);sha256//\(x2)'",
            "--pinnedpubkey=sha256//\(x1);sha256//\(x2) https://h.example/",
            "curl --pinnedpubkey 'sha256//\(x1);sha256//\(x2)' https://h.example/ # was --pinnedpubkey sha256//\(x1)",
            "curl --pinnedpubkey 'sha256//\(x1);sha256//\(x2)' --proxy-pinnedpubkey sha256//\(x1) https://h.example/",
            "test -e x && curl --pinnedpubkey 'sha256//\(x1);sha256//\(x2)' https://h.example/ | sh; echo done",
            "proxy-pinnedpubkey = sha256//\(x1)\npinnedpubkey = sha256//\(x1);sha256//\(x2) # both",
            "curl --pinnedpubkey sha256//\(x1) -o x --pinnedpubkey 'sha256//\(x1);sha256//\(x2)' https://h.example/",
        ])
    func readsCurl(text: String) throws {
        let reading = try read(text, host: "h.example")
        #expect(reading.format == .curl)
        #expect(summary(reading) == ["h.example none x1:leaf,x2:leaf"])
        #expect(reading.warnings.isEmpty)
    }

    /// lib/vtls/vtls.c, Curl_pin_peer_pubkey: a part ends only at `;sha256//`, and is compared as text. curl 7.88.1 was run.
    @Test(
        arguments: [
            ("sha256//\(x1);\(x2)", [], ["\(x1);\(x2)"]),
            ("sha256//\(x1); sha256//\(x2)", [], ["\(x1); sha256//\(x2)"]),
            ("sha256//\(x1);sha256//\(x2);\n", ["h.example none x1:leaf"], ["\(x2);"]),
            ("sha256//\(x2);;sha256//\(x1)", ["h.example none x1:leaf"], ["\(x2);"]),
            ("sha256//\(x1Hex);sha256//\(x2)", ["h.example none x2:leaf"], [x1Hex]),
            ("--pinnedpubkey 'sha256//\(x1); sha256//\(x2)'", [], ["\(x1); sha256//\(x2)"]),
        ] as [(String, [String], [String])])
    func leavesOutWhatCurlNeverMatches(text: String, entries: [String], parts: [String]) throws {
        let reading = try read(text, host: "h.example", as: .curl)
        #expect(summary(reading) == entries)
        let expected = parts.map { ConversionWarning(host: "h.example", .partNeverMatches($0, line: 1)) }
        #expect(reading.warnings == expected + (entries.isEmpty ? [ConversionWarning(.nothingRead)] : []))
        #expect(expected.allSatisfy { $0.harm == .unpins })
    }

    /// Other options and comments of a configuration file or a script (curl(1), `--config`).
    @Test(arguments: [
        "silent\nuser-agent = \"x\"\npinnedpubkey = \"sha256//<1>;sha256//<2>\"\n",
        "# security\nsilent\npinnedpubkey = sha256//<1>;sha256//<2>\n",
        "# pins of our server\n# primary = \"x\"\n--pinnedpubkey sha256//<1>;sha256//<2>\n",
        "#!/bin/sh\nset -e\ncurl -fsS --pinnedpubkey 'sha256//<1>;sha256//<2>' https://h.example/ \\\n  -o file\n",
        "# h.example\n# the next line is for it\nsha256//<1>;sha256//<2>\n", "sha256//<1>;sha256//<2>",
    ])
    func curlOptionsAmongOthers(text: String) throws {
        let file = text.replacing("<1>", with: Self.x1).replacing("<2>", with: Self.x2)
        let reading = try read(file, host: text.hasPrefix("# h.") ? nil : "h.example", as: .curl)
        #expect(summary(reading) == ["h.example none x1:leaf,x2:leaf"] && reading.warnings.isEmpty)
        let connection = PlatformConnection(
            host: "h.example", chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_790_000_000))
        let configuration = try Platform.curl.configuration(
            ofFile: Array(file.utf8), format: .curl, with: ConversionInputs(host: "h.example"))
        #expect(configuration?.traps.isEmpty == true)
        #expect(configuration?.verdict(on: connection).verdict == .rejects)
    }

    @Test(arguments: ["key.pem", "sha256//AAAA", "sha256//\(x1);key.pem", "# h.example\n", "sha256//"])
    func rejectsInvalidCurlPins(text: String) {
        #expect(throws: PinSetFormatError.self) { try read(text, host: "h.example", as: .curl) }
    }

    /// Each command of a line has its string, so the strings of two hosts are not the last one's.
    @Test(arguments: ["&&", ";", "||", "|", "&"]) func curlCommandsInOneLine(sign: String) {
        let text = ["1", "2"].map {
            "curl --pinnedpubkey 'sha256//\($0 == "1" ? Self.x1 : Self.x2)' https://\($0).example"
        }
        let error = #expect(throws: PinSetFormatError.self) {
            try read(text.joined(separator: " \(sign) "), host: "h.example", as: .curl)
        }
        #expect(error?.line == 1)
    }

    /// curl 7.88.1 ignores each of these lines of a configuration file, and connects without a pin.
    @Test(arguments: [
        "; <>", "// <>", "\u{FEFF}<>", "\u{A0}<>", "-<>", "x\n ; --<>",
        "/* <>", "* <>", "/ <>", "user-agent = --<>", "--<>",
    ])
    func linesThatCurlIgnores(line: String) {
        let file = Array(line.replacing("<>", with: "pinnedpubkey = \"sha256//\(Self.x1)\"\n").utf8)
        #expect(throws: PinSetFormatError.self) { try PinSet.read(file, with: ConversionInputs(host: "h.example")) }
    }

    /// curl 7.88.1 ignores the option in a configuration file, but Wget accepts it in a command.
    @Test func anEqualsSignAfterAnOptionWithHyphens() throws {
        let reading = try read("--pinnedpubkey=sha256//\(Self.x1)\n", host: "h.example", as: .curl)
        #expect(reading.set.entries.count == 1)
        let warning = ConversionWarning(
            host: "h.example",
            .uncheckedConnections(
                "in a configuration file, curl ignores an option with two hyphens and an equals sign or a colon",
                line: 1))
        #expect(reading.warnings == [warning])
    }

    /// The same in a command. curl 7.88.1 made the second transfer without a pin.
    @Test(arguments: ["--next", "-:"]) func commandsWithNext(option: String) throws {
        let text = "curl --pinnedpubkey 'sha256//\(Self.x1)' https://h.example/ \(option) https://b.example/\n"
        let reading = try read(text, host: "h.example", as: .curl)
        #expect(reading.warnings.count == 1 && reading.set.entries.count == 1)
    }

    /// curl(1), `--next`: it resets the options of a transfer.
    @Test(arguments: [("url = a\nnext\nurl = b\n", [3]), ("silent\n", []), ("-:\n", [2]), ("next-x\n", [])])
    func optionsBeforeNext(rest: String, lines: [Int]) throws {
        let reading = try read("pinnedpubkey = \"sha256//\(Self.x1)\"\n\(rest)", host: "h.example", as: .curl)
        #expect(reading.set.entries.count == 1)
        let found = reading.warnings.compactMap { warning in
            if case .uncheckedConnections(_, let line) = warning.reason { line } else { nil }
        }
        #expect(found == lines)
    }

    /// curl 7.88.1 exits with status 90. With double quotation marks, it connects.
    @Test func singleQuotesInAConfigurationFile() throws {
        let file = Array("silent\npinnedpubkey = 'sha256//\(Self.x1)'\n".utf8)
        let error = #expect(throws: PinSetFormatError.self) {
            try PinSet.read(file, with: ConversionInputs(host: "h.example"))
        }
        #expect(
            error?.format == .curl && error?.line == 2 && error?.description.contains("single quotation marks") == true)
    }

    /// A configuration file of curl can have a password in another line.
    @Test func showsNoOtherOptionOfCurl() throws {
        let text = "pinnedpubkey = \"sha256//\(Self.x1)\"\nuser = \"bob:hunter22\"\n"
        let reading = try read(text, host: "h.example", as: .curl)
        #expect(summary(reading) == ["h.example none x1:leaf"] && reading.warnings.isEmpty)
    }

    @Test func writesTheGivenHost() throws {
        let set = try PinSet(entries: [
            PinSet.Entry(host: "a.example", subdomains: .all, pins: [.init(pin: .numbered(1), role: .leaf)]),
            PinSet.Entry(host: "b.example", pins: [.init(pin: .numbered(2), role: .leaf)]),
        ])
        let writing = try set.written(as: .curl, with: ConversionInputs(host: "x.a.example"))
        #expect(String(decoding: writing.files[0].bytes, as: UTF8.self) == "sha256//\(Pin.numbered(1))\n")
        let error = #expect(throws: PinSetFormatError.self) {
            try set.written(as: .hpkp, with: ConversionInputs(host: "c.example"))
        }
        #expect(error?.message == #"the set has no pins for "c.example""#)
    }

    // MARK: TLSA

    /// dig(1) divides long data into words of 56 digits.
    @Test func readsTheOutputOfDigShort() throws {
        let text = "3 1 1 \(x1Digits.prefix(56)) \(x1Digits.dropFirst(56))\n2 1 1 \(x1Digits)\n"
        let reading = try read(text, host: "h.example")
        #expect(reading.format == .tlsa)
        #expect(summary(reading) == ["h.example none x1"])
    }

    private var x1Digits: String { Self.x1Hex.uppercased() }

    @Test(
        arguments: [
            ("_443._tcp.h.example. IN TLSA 3 1 1 \(x1Hex)", "h.example none x1:leaf"),
            (
                "_443._tcp.H.example. 3600 IN TLSA ( 2 1 1\n  \(x1Hex.prefix(32)) ; first half\n  \(x1Hex.dropFirst(32)) )",
                "h.example none x1:ca"
            ),
            (
                "_443._tcp.h.example. TLSA 0 1 1 \(x1Hex.uppercased())\n\tIN 60 TLSA 1 1 1 \(x2Hex)",
                "h.example none x1:ca,x2:leaf"
            ),
            (
                "$ORIGIN example.\n$TTL 1h\n@ SOA a b 1 2 3 4 5\n_443._tcp.h TLSA 3 1 1 \(x1Hex)\n TLSA 2 1 1 \(x1Hex)",
                "h.example none x1"
            ),
            (
                "_443._tcp.h.example. IN TYPE52 \\# 35 030101\(x1Hex)\nh.example. TXT \"a ; ( b\"",
                "h.example none x1:leaf"
            ),
            ("3 1 1 \(x1Hex)", "h.example none x1:leaf"),
        ])
    func readsZones(text: String, expected: String) throws {
        let reading = try read(text, host: "h.example", as: .tlsa)
        #expect(summary(reading) == [expected])
        #expect(reading.warnings.isEmpty)
    }

    @Test(arguments: Vectors.certificates.prefix(3)) func readsKeysAndCertificatesInRecords(vector: Vectors.Expectation)
        throws
    {
        let certificate = try Certificate(der: try Vectors.bytes(vector.file))
        let key = try read("_443._tcp.h.example. TLSA 3 1 0 \(Hex.encode(certificate.subjectPublicKeyInfo))")
        #expect(key.set.entries[0].pins[0].pin.base64 == vector.pin)
        #expect(key.warnings.isEmpty)
        let whole = try read("_443._tcp.h.example. TLSA 2 0 0 \(Hex.encode(certificate.der))")
        #expect(whole.set.entries[0].pins[0].pin.base64 == vector.pin)
        #expect(whole.warnings.count == 1)
    }

    @Test func warnsOfRecordsWithoutAPin() throws {
        let reading = try read(
            """
            _443._tcp.h.example. TLSA 3 1 1 \(Self.x1Hex)
            _443._tcp.h.example. TLSA 3 0 1 \(Self.x1Hex)
            _443._tcp.h.example. TLSA 3 1 2 \(Self.x1Hex)\(Self.x2Hex)
            _443._tcp.h.example. TLSA 255 1 1 \(Self.x1Hex)
            _25._tcp.h.example. TLSA 3 1 1 \(Self.x2Hex)
            """)
        #expect(summary(reading) == ["h.example none x1:leaf,x2:leaf"])
        #expect(
            reading.warnings.map(\.message) == [
                "\"3 0 1\" on line 2 is a hash of a certificate, not of a key; the record is left out",
                "\"3 1 2\" on line 3 is not a SHA-256 of a key; the record is left out",
                "the usage of \"255 1 1\" on line 4 is unknown; the record is left out",
                "a pin set has no pins of one service: those of \"_25._tcp\" apply to every endpoint of the host",
            ])
        #expect(reading.set.entries.first?.endpoints.map(\.text) == ["h.example", "smtp://h.example"])
    }

    /// The ports are those of the IANA registry of service names.
    @Test(arguments: [
        (["_443._tcp"], [String]()), (["_25._tcp"], ["smtp://h.example"]), (["_993._TCP"], ["imaps://h.example"]),
        (["_8443._tcp"], ["h.example:8443"]), (["_443._tcp", "_5432._tcp"], ["h.example", "postgres://h.example"]),
    ])
    func readsPortsAsEndpoints(names: [String], endpoints: [String]) throws {
        let lines = names.map { "\($0).h.example. IN TLSA 3 1 1 \(Self.x1Hex)\n" }
        let reading = try read(lines.joined())
        #expect(reading.warnings.isEmpty)
        #expect(reading.set.entries.first?.endpoints.map(\.text) == endpoints)
        let again = try reading.set.written(as: .tlsa)
        #expect(String(decoding: again.main, as: UTF8.self) == lines.joined().replacing("_TCP", with: "_tcp"))
    }

    /// pinctl cannot connect to these services.
    @Test(arguments: ["_443._udp", "*._tcp", "_0._tcp", "_65536._tcp"]) func warnsOfOtherServices(name: String) throws {
        let reading = try read("\(name).h.example. IN TLSA 3 1 1 \(Self.x1Hex)\n")
        #expect(reading.warnings.map(\.reason) == [.service(name)])
        #expect(reading.set.entries.first?.endpoints.isEmpty == true)
    }

    @Test(
        arguments: [
            "_443._tcp.h.example. TLSA 3 1 1 xyz", "_443._tcp.h.example. TLSA 3 1 1",
            "_443._tcp.h.example. TLSA 3 1 1 00",
            "h.example. TLSA 3 1 1 \(x1Hex)", "_443._tcp.h.example. TLSA ( 3 1 1 \(x1Hex)",
            "_443._tcp.h.example. TLSA 3 1 1 ) \(x1Hex)",
            "_443._tcp.a..b. TLSA 3 1 1 \(x1Hex)", "_443._tcp.h.example. TYPE52 \\# 9 030101\(x1Hex)", "h TXT \"x",
            "_443._tcp.h.example. TLSA 3 1 0 0102", "_443._tcp.h.example. TLSA 3 0 0 3000",
            "_443._tcp.h.example. TLSA 3 1 1 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ])
    func rejectsInvalidRecords(text: String) {
        let error = #expect(throws: PinSetFormatError.self) { try read(text, as: .tlsa) }
        #expect(error?.line == 1)
    }
}
