import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct OkHttpFormatTests {
    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let x2 = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="

    func read(_ source: String) throws -> PinSetReading { try PinSet.read(Array(source.utf8)) }

    func summary(_ reading: PinSetReading) -> [String] {
        reading.set.entries.map { entry in
            "\(entry.host) \(entry.subdomains) "
                + entry.pins.map { $0.pin.base64 == Self.x1 ? "x1" : "x2" }.joined(separator: ",")
        }
    }

    /// Complete files, each with the expected set.
    @Test(
        arguments: [
            (
                #"val p = CertificatePinner.Builder().add("example.com", "sha256/\#(x1)", "sha256/\#(x2)").build()"#,
                ["example.com none x1,x2"]
            ),
            (
                """
                CertificatePinner pinner = new CertificatePinner.Builder()
                    .add("example.com", "sha256/" + "\(x1)")   // one
                    .add("*.example.com",
                         "sha256/\(x1.prefix(20))" +
                         "\(x1.dropFirst(20))")
                    .build();
                """, ["example.com one x1"]
            ),
            (
                """
                /* .add("no.example", "sha256/\(x2)") */ // .add("no.example", "sha256/\(x2)")
                const val ROOT = "sha256/\(x1)"
                private val SPARE: String = "sha256/\(x2)"
                object Pins { val all = listOf(ROOT, SPARE) }
                val builder = CertificatePinner.Builder()
                builder.add("**.example.com", *Pins.all.toTypedArray())
                builder.add(pattern = "example.org", pins = arrayOf(ROOT))
                builder.add(pins = arrayOf(ROOT), pattern = "example.net")
                """, ["example.com all x1,x2", "example.org none x1", "example.net none x1"]
            ),
            (
                #"""
                val p = CertificatePinner.Builder().apply {
                    add("example.com", """sha256/\#(x1)""")
                    add("""
                        example.org
                    """.trimIndent(), "sha256\u002f\#(x2)")
                }.build()
                """#, ["example.com none x1", "example.org none x2"]
            ),
            (
                """
                private static final String[] PINS = { "sha256/\(x1)", "sha256/\(x2)" };
                private static final String HOST = "example.com";
                Headers h = new Headers.Builder().add("Accept", "sha256").add("a", "b").build();
                CertificatePinner c = new CertificatePinner.Builder().add(HOST, PINS).build();
                """, ["example.com none x1,x2"]
            ),
            (#"val p = CertificatePinner(setOf(Pin("example.com", "sha256/\#(x1)")), null)"#, ["example.com none x1"]),
            ("class CertificatePinner; b.add(\"bücher.example\", \"sha256/\(x1)\")", ["xn--bcher-kva.example none x1"]),
            (
                "/* a /* b */ CertificatePinner.Builder().add(\"example.com\", \"sha256/\(x1)\")",
                ["example.com none x1"]
            ),
        ] as [(String, [String])])
    func readsSource(source: String, expected: [String]) throws {
        let reading = try read(source)
        #expect(summary(reading) == expected)
        #expect(reading.warnings.isEmpty)
        #expect(reading.format == .okhttp)
    }

    @Test func readsCommentsAsLabels() throws {
        let reading = try read(
            """
            CertificatePinner.Builder()
                .add("example.com",
                    "sha256/\(Self.x1)", // ISRG Root X1
                    "sha256/\(Self.x2)" // spare; backup; notAfter 2030-01-01
                )
                .add("example.org", "sha256/\(Self.x1)", "sha256/\(Self.x2)") // both, so neither's
            """)
        let pins = reading.set.entries.flatMap(\.pins)
        #expect(pins.map(\.label) == ["ISRG Root X1", "spare", nil, nil])
        #expect(pins.map(\.state) == [.active, .backup, .active, .active])
        #expect(pins[1].notAfter == Timestamp(rfc3339: "2030-01-01"))
    }

    /// The mark of the key is after the characters that a message shows.
    @Test func aKeyInAnUnknownValueIsNotShown() throws {
        let reading = try read(
            """
            CertificatePinner.Builder()
                .add("example.com", "sha256/\(Self.x1)",
                    key("a text of some length", "d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"))
            """)
        let message = try #require(reading.warnings.first?.message)
        #expect(message.contains("has no value") && message.contains("870M") && !message.contains("870MB"))
    }

    @Test func warnsOfUnknownValues() throws {
        let reading = try read(
            """
            val pinner = CertificatePinner.Builder()
                .add("example.com", "sha256/\(Self.x1)", BuildConfig.SPARE, "sha256/$root")
                .add(host(), "sha256/\(Self.x2)")
                .add("example.org", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/\(Self.x2)")
                .add("old.example.org", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                .build()
            """)
        #expect(summary(reading) == ["example.com none x1", "example.org none x2"])
        let warnings = reading.warnings.map { ($0.host ?? "-") + ": " + $0.message }
        #expect(
            warnings == [
                #"example.com: the pin on line 2, "BuildConfig.SPARE", has no value in this file; it is left out"#,
                #"example.com: the pin on line 2, "\"sha256/$root\"", has no value in this file; it is left out"#,
                #"-: the host on line 3, "host()", has no value in this file; its pins are left out"#,
                "example.org: sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA= is a SHA-1 pin, which a pin set does not support; it is left out",
                "old.example.org: sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA= is a SHA-1 pin, which a pin set does not support; it is left out",
                "old.example.org: no pin of the pattern can be read; it is left out",
            ])
    }

    @Test func constantWithTwoValuesIsUnknown() throws {
        let reading = try read(
            """
            val pin = "sha256/\(Self.x1)"
            fun f() { val pin = "sha256/\(Self.x2)" }
            val sum = "a" ; sum += "b"
            CertificatePinner.Builder().add("a.example", pin).add(sum, "sha256/\(Self.x1)").add("b.example", "sha256/\(Self.x2)")
            """)
        #expect(summary(reading) == ["b.example none x2"])
        #expect(reading.warnings.count == 3)
    }

    /// internal/-HostnamesCommon.kt, `toCanonicalHost`, keeps the dot: the pattern matches only URLs with it.
    @Test(arguments: ["", "*.", "**."]) func warnsOfADotAfterAPattern(prefix: String) throws {
        let reading = try read(
            "\n CertificatePinner.Builder().add(\"\(prefix)example.com.\", \"sha256/\(Self.x1)\").build()")
        #expect(reading.set.entries.map(\.name) == ["example.com"])
        let warning = ConversionWarning(
            host: "example.com.", .hostSpelling(written: "\(prefix)example.com", line: 2))
        #expect(reading.warnings.first == warning)
        #expect(warning.harm == .unpins)
        #expect(try read("CertificatePinner.Builder().add(\"EXAMPLE.com\", \"sha256/\(Self.x1)\")").warnings.isEmpty)
    }

    /// CertificatePinner.kt, `Pin.init`: these texts stop the app. pinctl still reads the rest of the file.
    @Test(
        arguments: [
            ("example.*", "sha256/\(x1)"), ("*a.example.com", "sha256/\(x1)"), ("a.*.example.com", "sha256/\(x1)"),
            ("*.*.example.com", "sha256/\(x1)"), ("*", "sha256/\(x1)"), ("*.", "sha256/\(x1)"), ("", "sha256/\(x1)"),
            ("a b", "sha256/\(x1)"), ("[::1", "sha256/\(x1)"), ("example.com", "sha256/A%AA"),
            ("example.com", "md5/\(x1)"), ("example.com", x1),
        ])
    func namesWhatOkHttpRefuses(pattern: String, pin: String) throws {
        let source =
            "\n CertificatePinner.Builder().add(\"\(pattern)\", \"\(pin)\").add(\"b.example\", \"sha256/\(Self.x2)\")"
        let reading = try read(source)
        #expect(summary(reading) == ["b.example none x2"])
        let names = reading.warnings.contains { warning in
            switch warning.reason {
            case .patternLeftOut(pattern, line: 2, isRejected: true), .pinWithoutPrefix(pin, line: 2): true
            case .pinLeftOut(let error, line: 2, .rejectsFile): error.spelling == pin
            default: false
            }
        }
        #expect(names)
    }

    /// `String.toCanonicalHost` has no rule for IPv4 addresses (okhttp, -HostnamesCommon.kt), so `**.` before one matches the address, and
    /// these others match no host of a pin set.
    @Test(arguments: [
        ("**.192.0.2.1", true), ("*.192.0.2.1", false), ("1.2.3", false), ("256.1.1.1", false), ("a(b", false),
    ])
    func patternsWithoutAHostName(pattern: String, isRead: Bool) throws {
        let reading = try read(
            "CertificatePinner.Builder().add(\"\(pattern)\", \"sha256/\(Self.x1)\").add(\"b.example\", \"sha256/\(Self.x2)\")"
        )
        #expect(summary(reading) == (isRead ? ["192.0.2.1 none x1"] : []) + ["b.example none x2"])
        #expect(
            reading.warnings.map(\.reason) == (isRead ? [] : [.patternLeftOut(pattern, line: 1, isRejected: false)]))
    }

    /// okio, Base64.kt, `decodeBase64ToArray`: padding is optional, both alphabets and white space are accepted, and the last bits
    /// are ignored. CertificatePinner.kt does not check the length, so pins of other lengths never match.
    @Test(arguments: [
        ("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M", x1), ("C5-lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", x1),
        ("C5+lpZ7tcVwmwQIM cRtPbsQtWLABXhQzejna0wHFr8M==", x1), ("AAAA", nil), ("", nil),
        ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", nil),
    ])
    func decodesPinsAsOkioDoes(text: String, pin: String?) throws {
        let source = "CertificatePinner.Builder().add(\"a.example\", \"sha256/\(text)\", \"sha256/\(Self.x2)\")"
        let reading = try read(source)
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [pin, Self.x2].compactMap(\.self))
        let isNamed = reading.warnings.contains { warning in
            switch warning.reason {
            case .pinSpelling("sha256/" + text, let read, "sha256/", line: 1, nil): read.base64 == pin
            case .pinLeftOut(_, line: 1, .neverMatches): pin == nil
            default: false
            }
        }
        #expect(isNamed)
    }

    @Test func readsConstantsOfOtherFiles() throws {
        let text = """
            CertificatePinner.Builder().add(Pinning.HOST, Pinning.ROOT).add(getString(R.string.host), getString(R.string.pin))
            """
        let constants = "object Pinning { const val HOST = \"a.example\"; const val ROOT = \"sha256/\(Self.x1)\" }"
        let strings =
            "<resources><string name=\"host\">b.example</string>\n<string name=\"pin\"> sha256/\(Self.x2)\n</string></resources>"
        let inputs = ConversionInputs(sources: [Array(constants.utf8), Array(strings.utf8)])
        let reading = try PinSet.read(Array(text.utf8), with: inputs)
        #expect(summary(reading) == ["a.example none x1", "b.example none x2"])
        #expect(reading.warnings.isEmpty)
    }

    /// A reference to `add` adds values that are not read, and other names of `CertificatePinner.Pin` are read.
    @Test(arguments: ["b", "this", ""]) func referencesToAdd(owner: String) throws {
        let reading = try read(
            "val b = CertificatePinner.Builder()\nb.add(\"a.example\", \"sha256/\(Self.x1)\")\nold.forEach(\(owner)::add)\n"
        )
        #expect(summary(reading) == ["a.example none x1"])
        #expect(reading.warnings.map(\.reason) == [.unknownPattern("\(owner)::add", line: 3)])
        let alias = try read(
            "import okhttp3.CertificatePinner.Pin as P\nval p = CertificatePinner(setOf(P(\"a.example\", \"sha256/\(Self.x1)\")))"
        )
        #expect(summary(alias) == ["a.example none x1"])
    }

    /// Of a name with values for several products, the build selects one.
    @Test func stringResourcesForProducts() throws {
        let strings = ["\(Self.x1)", "\(Self.x2)"].map {
            "<string name=\"pin\" product=\"\($0.prefix(1))\">sha256/\($0)</string>"
        }
        let text = "CertificatePinner.Builder().add(\"a.example\", getString(R.string.pin), \"sha256/\(Self.x2)\")"
        let file = Array("<resources>\(strings.joined())</resources>".utf8)
        let reading = try PinSet.read(Array(text.utf8), with: ConversionInputs(sources: [file]))
        #expect(summary(reading) == ["a.example none x2"] && !reading.warnings.isEmpty)
    }

    /// aapt2 replaces these texts by others (tools/aapt2/ResourceUtils.cpp). No pin of the app is known.
    @Test(arguments: ["\"<>\"", "\\u0073ha256/AAAA", "@string/other", "<xliff:g xmlns:xliff=\"x\">a</xliff:g><>"])
    func stringResourcesThatTheBuildChanges(value: String) throws {
        let strings =
            "<resources><string name=\"pin\">\(value.replacing("<>", with: "sha256/\(Self.x1)"))</string></resources>"
        let text = "CertificatePinner.Builder().add(\"a.example\", getString(R.string.pin), \"sha256/\(Self.x2)\")"
        let reading = try PinSet.read(Array(text.utf8), with: ConversionInputs(sources: [Array(strings.utf8)]))
        #expect(summary(reading) == ["a.example none x2"])
        #expect(reading.warnings.map(\.message).contains { $0.contains("has no value") }, "\(reading.warnings)")
    }

    /// Pins whose host is unknown can only be read if the host is given.
    @Test(arguments: [
        "fun f(h: String) = CertificatePinner.Builder().add(h, \"sha256/\(x1)\")",
        "internal val pins = arrayOf(\n\"sha256/\(x1)\")",
        "<resources><string name=\"p\">sha256/\(x1)</string></resources>",
    ])
    func asksForTheHost(text: String) throws {
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(text.utf8)) }
        #expect(error?.need == .host && error?.format == .okhttp)
        let reading = try PinSet.read(Array(text.utf8), with: ConversionInputs(host: "a.example"))
        #expect(summary(reading) == ["a.example none x1"])
        #expect(reading.warnings.count == 1)
    }

    @Test func readsTheFailureText() throws {
        let reading = try read(
            """
            11-21 10:00:00.123  1234  1256 W System.err: javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!
            11-21 10:00:00.123  1234  1256 W System.err:   Peer certificate chain:
            11-21 10:00:00.123  1234  1256 W System.err:     sha256/\(Self.x2): CN=publicobject.com, OU=PositiveSSL
            11-21 10:00:00.124  1234  1256 W System.err:   Pinned certificates for publicobject.com:
            11-21 10:00:00.124  1234  1256 W System.err:     sha256/\(Self.x1)
            11-21 10:00:00.124  1234  1256 W System.err: \tat okhttp3.CertificatePinner.check(CertificatePinner.kt:209)
            """)
        #expect(summary(reading) == ["publicobject.com none x1"])
        #expect(
            reading.warnings.map(\.message) == [
                "sha256/\(Self.x2) was in the chain (CN=publicobject.com, OU=PositiveSSL) and is not pinned"
            ])
    }

    /// The key of RFC 8410, section 10.3, in place of a pin.
    @Test func failureTextsShowNoPrivateKey() throws {
        let key = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC"
        let text = """
            Certificate pinning failure!
              Peer certificate chain:
                sha256/\(key): CN=a.example
                sha1/\(key.dropFirst(8)): CN=\(key)
              Pinned certificates for a.example:
                sha256/\(Self.x1)
            """
        #expect(
            try read(text).warnings.map(\.message) == [
                "sha256/MC4C… was in the chain (CN=a.example) and is not pinned",
                "sha1/BQYD… was in the chain (CN=MC4C…) and is not pinned",
            ])
    }

    /// A part of a key without its start, which is longer than the excerpt of a message.
    @Test func pinsOfCallsShowNoPartOfAKey() throws {
        let part = String(repeating: "d4ee72dbf913584a", count: 10)
        let text = """
            val a = CertificatePinner.Builder().add("a.example", "sha256/\(Self.x1)").add("b.example", "\(part)").build()
            """
        let messages = try read(text).warnings.map(\.message)
        #expect(messages.contains { $0.contains("d4ee…") } && !messages.joined().contains("d4ee7"), "\(messages)")
    }

    /// A second implementation of OkHttp's rule: a pattern covers certain hosts, and OkHttp combines the pins of all patterns that
    /// cover a host.
    private func pooled(_ patterns: [(String, Pin)], for host: String) -> Set<Pin> {
        Set(
            patterns.filter { pattern, _ in
                let labels = host.split(separator: ".")
                if pattern.hasPrefix("**.") {
                    let base = pattern.dropFirst(3)
                    return host == base || host.hasSuffix("." + base)
                }
                if pattern.hasPrefix("*.") { return labels.dropFirst().joined(separator: ".") == pattern.dropFirst(2) }
                return host == pattern
            }.map(\.1))
    }

    @Test func agreesWithOkHttpIfNothingIsLost() throws {
        var generator = SeededGenerator(seed: 3141)
        let names = ["example.co.uk", "foo.example.co.uk", "bar.foo.example.co.uk", "co.uk", "anotherexample.co.uk"]
        let hosts = names + ["x.bar.foo.example.co.uk", "y.example.co.uk", "z.y.example.co.uk"]
        var exact = 0
        for _ in 0..<TestEnvironment.rounds(2_000) {
            let patterns = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                let prefix = ["", "*.", "**."].randomElement(using: &generator) ?? ""
                let name = names.randomElement(using: &generator) ?? ""
                return (prefix + name, Pin.numbered(Int.random(in: 0..<3, using: &generator)))
            }
            let calls = patterns.map { ".add(\"\($0)\", \"sha256/\($1)\")" }.joined()
            let reading = try read("CertificatePinner.Builder()\(calls)")
            for host in hosts {
                let ours = Set(reading.set.entry(for: host)?.pins.map(\.pin) ?? [])
                let theirs = pooled(patterns, for: host)
                // If the result is not exact, it contains more pins, and there is a warning.
                #expect(ours.isSuperset(of: theirs) && (ours == theirs || !reading.warnings.isEmpty))
            }
            if reading.warnings.isEmpty { exact += 1 }
        }
        #expect(exact > TestEnvironment.rounds(300))
    }

    /// An app with these patterns accepts more keys than the set.
    @Test func pinsOfOtherPatternsAreALoss() throws {
        let json =
            #"{"version":1,"hosts":{"a.example":{"subdomains":"all","pins":["\#(Self.x1)"]},"b.a.example":["\#(Self.x2)"]}}"#
        let warnings = try PinSet(json: Array(json.utf8)).written(as: .okhttp).warnings
        #expect(warnings.filter { if case .pinsPooled = $0.reason { true } else { false } }.map(\.harm) == [.unpins])
    }

    @Test func writesPatternsThatCoverWhatTheEntryCovers() throws {
        var generator = SeededGenerator(seed: 2718)
        var sets = GeneratedSets.plain(.okhttp)
        sets.hosts = ["example.co.uk", "foo.example.co.uk", "bar.foo.example.co.uk", "co.uk"]
        for _ in 0..<TestEnvironment.rounds(300) {
            let set = try sets.next(&generator)
            let writing = try set.written(as: .okhttp)
            let source = String(decoding: writing.files[0].bytes, as: UTF8.self)
            // This code reads the source in another way: it collects the quoted words, which are patterns and their pins.
            var patterns: [(String, Pin)] = []
            var pattern = ""
            for (index, word) in source.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 {
                if word.hasPrefix("sha256/") {
                    patterns.append((pattern, try Pin(spelling: String(word))))
                } else {
                    pattern = String(word)
                }
            }
            for host in sets.hosts + ["x.example.co.uk", "y.x.example.co.uk", "example.com"] {
                let ours = Set(set.entry(for: host)?.pins.map(\.pin) ?? [])
                let theirs = pooled(patterns, for: host)
                #expect(theirs.isSuperset(of: ours) && (ours == theirs || !writing.warnings.isEmpty))
            }
        }
    }
}
