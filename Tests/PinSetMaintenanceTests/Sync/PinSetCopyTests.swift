import InputPromises
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

@Suite struct PinSetCopyTests {
    static let formats = PinSetFormat.allCases.filter { !$0.traits.writingInputs.contains(.certificates) }

    /// A folder with one copy that `pinctl sync` wrote.
    private struct Copy {
        var main: [UInt8]?
        var others: [String: [UInt8]] = [:]

        func compared(
            with set: PinSet, as format: PinSetFormat?, others fate: OtherHosts = .removed, overwrites: Bool = false,
            fileName: String? = nil
        ) throws(PinSetCopyError) -> CopyComparison {
            let copy = try PinSetCopy(
                of: set, as: format, fileName: fileName ?? format?.fileName ?? "file", contents: main, others: fate,
                overwrites: overwrites, with: ConversionInputs(date: Timestamp(secondsSince1970: 1_790_000_000)))
            let others = others
            return try copy.compared(with: main) { others[$0] }
        }

        mutating func write(_ comparison: CopyComparison) throws {
            guard case .write(let files) = comparison.outcome else {
                Issue.record("not written: \(comparison.outcome)")
                return
            }
            for file in files {
                if let name = file.name { others[name] = file.bytes } else { main = file.bytes }
            }
        }
    }

    private func expectEqual(_ comparison: CopyComparison) {
        guard case .equal = comparison.outcome, comparison.differences.isEmpty else {
            Issue.record("\(comparison.differences.map(\.message)) \(comparison.outcome)")
            return
        }
    }

    /// A copy that was written has no difference, for every set and every change of it.
    @Test(arguments: formats) func writtenCopyIsEqual(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 2026)
        var rounds = 0
        for _ in 0..<30 {
            var copy = Copy()
            for _ in 0..<4 {
                let set = try GeneratedSets().next(&generator)
                // The format cannot express some of the sets.
                guard (try? set.written(as: format)) != nil else { continue }
                let comparison = try copy.compared(with: set, as: format)
                if case .equal = comparison.outcome { continue }
                #expect(!comparison.differences.isEmpty)
                try copy.write(comparison)
                expectEqual(try copy.compared(with: set, as: format))
                rounds += 1
                // The format is also recognized from the contents or the name.
                if rounds % 10 == 0, format != .trustkitSwift {
                    expectEqual(try copy.compared(with: set, as: nil, fileName: format.fileName))
                }
            }
        }
        #expect(rounds > 50)
    }

    /// Damaged files of every format, some with markers.
    @Test(arguments: formats) func damagedFilesAreUpdatedOrRefused(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 71)
        let words = ["// pinctl:begin\n", "// pinctl:end\n", "\n", "\"", "{", "}", "<!-- pinctl:begin -->", "# a\n"]
        for _ in 0..<TestEnvironment.rounds(75) {
            guard let file = try? GeneratedSets().next(&generator).written(as: format).main else { continue }
            let marked = Array("// a\n// pinctl:begin\n".utf8) + file + Array("\n// pinctl:end\n// b\n".utf8)
            for original in [file, marked] {
                let bytes = generator.damaged(original, words: words)
                let violation = SyncPromise.violation(in: bytes, as: format.rawValue)
                #expect(violation == nil, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [PinSetFormat.apple, .android, .trustkit]) func keepsOtherHosts(format: PinSetFormat)
        throws
    {
        var generator = SeededGenerator(seed: 14)
        var kept = 0
        for _ in 0..<60 {
            let old = try GeneratedSets.plain(format).next(&generator)
            let new = try GeneratedSets().next(&generator)
            guard (try? new.written(as: format)) != nil else { continue }
            var copy = Copy(main: try old.written(as: format).main)
            let comparison = try copy.compared(with: new, as: format, others: .kept)
            #expect(!comparison.differences.contains { $0.kind == .extraHost })
            kept += comparison.notes.count { $0.reason == .otherHost(.kept) }
            guard case .write = comparison.outcome else { continue }
            try copy.write(comparison)
            expectEqual(try copy.compared(with: new, as: format, others: .kept))
        }
        #expect(kept > 50)
        let error = #expect(throws: PinSetCopyError.self) {
            try Copy().compared(with: GeneratedSets().next(&generator), as: .hpkp, others: .kept)
        }
        #expect(error?.message.contains("is not supported for") == true)
    }

    // MARK: Differences

    private static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let x3 = "MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE="
    private static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    private func set(_ hosts: String) throws -> PinSet {
        try PinSet(json: Array("{\"version\":1,\"hosts\":{\(hosts)}}".utf8))
    }

    /// The codes and messages of the differences between `set` and `copy`.
    private func differences(_ set: String, _ copy: String) throws -> [String] {
        let comparison = try Copy(main: Array("{\"version\":1,\"hosts\":{\(copy)}}".utf8))
            .compared(with: self.set(set), as: .pins)
        return comparison.differences.map { "\($0.code.rawValue) \($0.host ?? "-"): \($0.message)" }
    }

    @Test func reportsEachDifference() throws {
        let plain = #""a.example":["\#(Self.x1)"]"#
        #expect(try differences(plain, #""A.example.":[{"sha256":"\#(Self.x1)"}]"#) == [])
        #expect(
            try differences(plain + #","b.example":["\#(Self.x1)"]"#, plain) == [
                "missing-host b.example: the host is missing"
            ])
        #expect(
            try differences(plain, plain + #","b.example":["\#(Self.x1)"]"#) == [
                "extra-host b.example: the host is not in the set"
            ])
        // A pin without a label has the name of its authority.
        #expect(
            try differences(#""a.example":["\#(Self.x1)","\#(Self.x2)"]"#, plain) == [
                "missing-pin a.example: the pin \(Self.x2) (ISRG Root X2) is missing"
            ])
        #expect(
            try differences(plain, #""a.example":["\#(Self.x1)",{"sha256":"\#(Self.x2)","label":"old"}]"#) == [
                #"extra-pin a.example: the pin \#(Self.x2) ("old") is not in the set"#
            ])
        func pins(_ pin: String, _ members: String = "") -> String {
            #""a.example":{\#(members)"pins":[{"sha256":"\#(Self.x1)"\#(pin)}]}"#
        }
        #expect(
            try differences(pins(#","role":"ca""#), pins(#","role":"leaf""#)) == [
                #"role a.example: the pin \#(Self.x1) (ISRG Root X1) has the role "leaf", expected "ca""#
            ])
        #expect(
            try differences(
                pins("").replacing("]", with: #","\#(Self.x2)"]"#),
                pins(#","state":"retired""#).replacing("]", with: #","\#(Self.x2)"]"#)
            ) == ["state a.example: the pin \(Self.x1) (ISRG Root X1) is retired, expected active"])
        #expect(
            try differences(pins(#","label":"new","state":"backup""#), pins(#","label":"old""#)) == [
                #"note a.example: the pin \#(Self.x1) has the comment "old", expected "new; backup""#
            ])
        #expect(
            try differences(pins("", #""subdomains":"all","#), pins("")) == [
                #"subdomains a.example: "subdomains" is "none", expected "all""#
            ])
        #expect(
            try differences(pins("", #""expires":"2027-06-01","#), pins("")) == [
                #"expires a.example: "expires" is absent, expected 2027-06-01"#
            ])
        #expect(
            try differences(pins("", #""enforce":false,"#), pins("")) == [
                "enforce a.example: a mismatch is a failure, expected only a report"
            ])
        #expect(
            try differences(pins("", #""endpoints":["a.example:8443"],"#), pins("")) == [
                #"endpoints a.example: "endpoints" is "", expected "a.example:8443""#
            ])
        #expect(
            try differences(pins("", #""anchors":["a.pem"],"#), pins("")) == [
                #"anchors a.example: "anchors" is "", expected "a.pem""#
            ])
    }

    @Test func ignoresSettingsThatFormatCannotExpress() throws {
        let set = try set(
            #""a.example":{"subdomains":"one","expires":"2027-06-01T12:00:00Z","anchors":["a.pem"],"pins":[{"sha256":"\#(Self.x1)","role":"ca"}]}"#
        )
        let xml = """
            <network-security-config><domain-config><domain includeSubdomains="true">a.example</domain>
            <pin-set expiration="2027-06-02"><pin digest="SHA-256">\(Self.x1)</pin></pin-set></domain-config>
            </network-security-config>
            """
        let comparison = try Copy(main: Array(xml.utf8)).compared(with: set, as: nil)
        expectEqual(comparison)
        #expect(comparison.notes.count == 4)
        // A copy that expires a day earlier is different.
        let sooner = xml.replacing("06-02", with: "06-01")
        let other = try Copy(main: Array(sooner.utf8)).compared(with: set, as: nil)
        #expect(
            other.differences.map(\.message) == [#""expires" is 2027-06-01, expected 2027-06-02"#])
    }

    // MARK: Services

    /// sync updates the records that it wrote for an endpoint, and leaves those of other services to their owners.
    @Test func updatesRecordsOfItsEndpoints() throws {
        func set(_ pin: String) throws -> PinSet {
            try self.set(#""a.example":{"endpoints":["smtp://a.example"],"pins":["\#(pin)"]}"#)
        }
        var copy = Copy(main: try set(Self.x2).written(as: .tlsa).main)
        try copy.write(copy.compared(with: set(Self.x1), as: .tlsa))
        expectEqual(try copy.compared(with: set(Self.x1), as: .tlsa))
        #expect(String(decoding: copy.main ?? [], as: UTF8.self).hasPrefix("_25._tcp.a.example. IN TLSA "))
        let other = try self.set(#""a.example":["\#(Self.x1)"]"#)
        let comparison = try copy.compared(with: other, as: .tlsa)
        #expect(comparison.differences.map(\.code) == [.endpoints])
        if case .write = comparison.outcome { Issue.record("written") }
    }

    // MARK: Files with other contents

    @Test func keepsSourceOfOtherAuthors() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let other = #"val p = CertificatePinner.Builder().add("a.example", "sha256/\#(Self.x2)").build() // by hand"#
        let comparison = try Copy(main: Array(other.utf8)).compared(with: set, as: nil)
        #expect(comparison.differences.map(\.code) == [.missingPin, .extraPin])
        guard case .refused(let error) = comparison.outcome else {
            Issue.record("written")
            return
        }
        #expect(error.hint?.contains("// pinctl:begin") == true)
        // A file with the same pins has no difference, even if pinctl did not write it.
        let equal = other.replacing(Self.x2, with: Self.x1)
        expectEqual(try Copy(main: Array(equal.utf8)).compared(with: set, as: nil))
        // The file is replaced if the copy has "overwrite".
        var copy = Copy(main: Array(other.utf8))
        try copy.write(copy.compared(with: set, as: .okhttp, overwrites: true))
        #expect(!String(decoding: copy.main ?? [], as: UTF8.self).contains("by hand"))
        expectEqual(try copy.compared(with: set, as: .okhttp, overwrites: true))
    }

    @Test(arguments: ["\n", "\r\n"]) func changesOnlyMarkedSection(lineEnd: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let before = "package app\nimport okhttp3.CertificatePinner\n\nobject Net {\n    /* pinctl:begin */\n"
            .replacing("\n", with: lineEnd)
        // The comparison ignores pins outside the markers.
        let after = "    /* pinctl:end */\n    val other = \"sha256/\(Self.x2)\"\n}\n".replacing("\n", with: lineEnd)
        var copy = Copy(main: Array((before + "    val old = 1" + lineEnd + after).utf8))
        let comparison = try copy.compared(with: set, as: .okhttp)
        #expect(comparison.differences.map(\.code) == [.unreadable])
        try copy.write(comparison)
        let text = String(decoding: copy.main ?? [], as: UTF8.self)
        #expect(text.hasPrefix(before) && text.hasSuffix(after))
        let inner = text.dropFirst(before.count).dropLast(after.count)
        #expect(!inner.contains("import") && !inner.contains("old"))
        #expect(inner.split(separator: lineEnd).allSatisfy { $0.hasPrefix("    ") })
        expectEqual(try copy.compared(with: set, as: .okhttp))
    }

    /// The program would not compile with a declaration in the place of a part of an expression.
    @Test(arguments: [
        ("val p = CertificatePinner.Builder()\n", ".add(\"a.example\", \"sha256/%\")\n", ".build()\n"),
        ("val p = CertificatePinner.Builder()\n", ".add(\"a.example\", \"sha256/%\")\n.build()\n", ""),
        ("val p =\n", "CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", ""),
        ("val p = CertificatePinner.Builder().add(\"a.example\",\n", "\"sha256/%\"\n", ").build()\n"),
        (
            "client.certificatePinner(\n", "CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n",
            ")\n"
        ),
        ("fun f() {\n", "val p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n}\n", ""),
    ])
    func replacesOnlyWholeDeclarations(before: String, inside: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let begin = before + "// pinctl:begin\n"
        let end = "// pinctl:end\n" + after
        let text = begin + inside.replacing("%", with: Self.x2) + end
        let comparison = try Copy(main: Array(text.utf8)).compared(with: set, as: .okhttp)
        #expect(!comparison.differences.isEmpty)
        guard case .refused(let error) = comparison.outcome, case .sectionInExpression = error else {
            Issue.record("\(comparison.outcome)")
            return
        }
        #expect(error.hint?.contains("whole declaration") == true)
        // An earlier version wrote declarations there.
        guard inside.hasPrefix(".") || before.hasSuffix("=\n") else { return }
        let generated = GeneratedSource(try set.written(as: .okhttp).main).body.joined(separator: "\n") + "\n"
        let written = try Copy(main: Array((begin + generated + end).utf8)).compared(with: set, as: .okhttp)
        let isBroken = before.hasSuffix("=\n") || !after.isEmpty
        #expect(written.differences.map(\.code) == (isBroken ? [.unreadable] : []))
    }

    /// Places at which a declaration may be.
    @Test(arguments: [
        ("", ""), ("import okhttp3.*\n", "val x = 1\n"), ("object Net {\n  val a = 1 // (\n", "}\n"),
        ("fun f(): Int {\n  val s = \"(\"\n", "  return 1\n}\n"), ("list.map { x ->\n", "}\n"),
        ("i++\n", "@A class B\n"),
        ("class Net(\n", ")\n"),
    ])
    func replacesDeclarationsAnywhere(before: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let old = "val p = CertificatePinner.Builder()\n  .add(\"a.example\", \"sha256/\(Self.x2)\")\n  .build()\n"
        for inside in ["", old] {
            var copy = Copy(main: Array((before + "// pinctl:begin\n" + inside + "// pinctl:end\n" + after).utf8))
            guard !inside.isEmpty || !before.hasSuffix("(\n") else { continue }
            try copy.write(copy.compared(with: set, as: .okhttp))
            expectEqual(try copy.compared(with: set, as: .okhttp))
        }
    }

    @Test(arguments: [
        "// pinctl:begin\n", "// pinctl:end\n// pinctl:begin\n", "// pinctl:begin\n// pinctl:begin\n// pinctl:end\n",
    ])
    func rejectsUnmatchedMarkers(text: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        for format in [PinSetFormat.okhttp, .cronet] {
            let comparison = try Copy(main: Array(text.utf8)).compared(with: set, as: format)
            guard case .refused = comparison.outcome else {
                Issue.record("written")
                return
            }
        }
    }

    /// Code that handles markers itself, such as a test of an app's build.
    @Test func aMarkerInAStringDoesNotCount() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let text = "let a = \"// pinctl:begin\"\nlet b = 1\nlet c = \"// pinctl:end\"\n"
        guard case .refused = try Copy(main: Array(text.utf8)).compared(with: set, as: .okhttp).outcome else {
            Issue.record("written")
            return
        }
    }

    @Test func keepsFilesInOtherLanguages() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let java =
            "// pinctl:begin\nnew CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.x2)\");\n// pinctl:end\n"
        let comparison = try Copy(main: Array(java.utf8)).compared(with: set, as: .okhttp, fileName: "Pins.java")
        #expect(comparison.differences.map(\.code) == [.missingPin, .extraPin])
        guard case .refused(let error) = comparison.outcome else {
            Issue.record("written")
            return
        }
        #expect(error.message.contains("Java"))
    }

    @Test func keepsJSONWithOtherContents() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        for (text, isWritten) in [
            (#"{"sha256Keys":{"a.example":["sha256/\#(Self.x2)"]}}"#, true),
            (#"{"sha256Keys":{"a.example":["sha256/\#(Self.x2)"]},"theme":"dark"}"#, false),
            (#"{"version":1,"hosts":{"a.example":["\#(Self.x2)"]}}"#, true),
            (#"{"version":1,"hosts":{"a.example":["\#(Self.x2)"]},"theme":"dark"}"#, false),
        ] {
            let comparison = try Copy(main: Array(text.utf8)).compared(with: set, as: nil)
            if case .write = comparison.outcome { #expect(isWritten) } else { #expect(!isWritten) }
        }
    }

    /// pinctl deletes no records, directives, comments and keys that it did not write.
    @Test(arguments: [
        (PinSetFormat.hpkp, "# see ticket 4711\n%"), (.hpkp, "%Public-Key-Pins: pin-sha256=\"x\"\n"),
        (.hpkp, "report-uri"), (.hpkp, "max-age=1"), (.curl, "# by hand\n%"), (.tlsa, "%; by hand\n"),
        (.tlsa, "%_443._tcp.www.a.example. IN CNAME _443._tcp.a.example.\n"),
        (.tlsa, "%_443._tcp.a.example. IN TXT \"by hand\"\n"), (.tlsa, " 300 IN "),
        (.tlsa, "%_25._tcp.a.example. IN TLSA 3 1 1 \(String(repeating: "ab", count: 32))\n"),
        (.reactNative, "%{"), (.reactNativeSSLManager, "%{"), (.pins, "%{"),
    ])
    func keepsContentThatItDidNotWrite(format: PinSetFormat, change: String) throws {
        let old = try set(
            #""a.example":{"pins":[{"sha256":"\#(Self.x1)","role":"leaf"},{"sha256":"\#(Self.x2)","role":"leaf"}]}"#)
        let new = try set(
            #""a.example":{"pins":[{"sha256":"\#(Self.x1)","role":"leaf"},{"sha256":"\#(Self.x3)","role":"leaf"}]}"#)
        let written = String(decoding: try old.written(as: format).main, as: UTF8.self)
        let text =
            switch change {
            case "report-uri": written.replacing("; max-age", with: "; report-uri=\"https://r.example/\"; max-age")
            case "max-age=1": written.replacing("max-age=5184000", with: change)
            case " 300 IN ": written.replacing(" IN ", with: change)
            case "%{": written.replacing(#"{"#, with: #"{"by hand": true, "#, maxReplacements: 1)
            default: change.replacing("%", with: written)
            }
        #expect(text != written)
        guard case .refused = try Copy(main: Array(text.utf8)).compared(with: new, as: format).outcome else {
            Issue.record("written")
            return
        }
        // Without this change, the file contains only what pinctl wrote.
        var copy = Copy(main: Array(written.utf8))
        try copy.write(copy.compared(with: new, as: format))
        expectEqual(try copy.compared(with: new, as: format))
    }

    /// The comment after a record is the label of its pin, or a person added it.
    @Test func keepsCommentsBehindRecords() throws {
        func set(_ keys: String...) throws -> PinSet {
            let pins = keys.map { "{\"sha256\":\($0),\"role\":\"leaf\"}" }.joined(separator: ",")
            return try self.set("\"a.example\":{\"pins\":[\(pins)]}")
        }
        let (x1, x2) = ("\"\(Self.x1)\"", "\"\(Self.x2)\"")
        let records = try set(x1, x2).written(as: .tlsa).main.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let (first, second) = (try #require(records.first), try #require(records.last))
        for (new, expected) in [
            (try set(x1, x2), "\(first) ; by hand\n\(second)\n"),
            (try set(x1, x2 + ",\"label\":\"two\""), "\(first) ; by hand\n\(second) ; two\n"),
            (try set(x1 + ",\"label\":\"one\"", x2), "\(first) ; one\n\(second)\n"), (try set(x2), "\(second)\n"),
        ] {
            var copy = Copy(main: Array("\(first) ; by hand\n".utf8))
            try copy.write(copy.compared(with: new, as: .tlsa))
            #expect(String(decoding: copy.main ?? [], as: UTF8.self) == expected)
        }
    }

    /// If the copy has an unknown key with a different value or at a different level, the change would delete it.
    @Test func keepsUnknownKeysWithOtherValues() throws {
        func text(_ pin: String, _ top: String, _ entry: String) -> [UInt8] {
            Array(#"{"version":1,"hosts":{"a.example":{"pins":["\#(pin)"]\#(entry)}}\#(top)}"#.utf8)
        }
        let set = try PinSet(json: text(Self.x1, #","owner":{"team":"a"}"#, ""))
        for (top, entry, isWritten) in [
            (#","owner":{"team":"a"}"#, "", true), (#","owner":{"team":"b"}"#, "", false),
            ("", #","owner":{"team":"a"}"#, false), ("", "", true),
        ] {
            let comparison = try Copy(main: text(Self.x2, top, entry)).compared(with: set, as: .pins)
            if case .write = comparison.outcome { #expect(isWritten) } else { #expect(!isWritten) }
        }
    }

    /// pinctl also replaces the names file next to the JSON file.
    @Test(arguments: ["# by hand\n", "\nOther\nsha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\n"])
    func keepsChromiumNamesThatItDidNotWrite(more: String) throws {
        let old = try set(#""a.example":["\#(Self.x1)"]"#)
        let new = try set(#""a.example":["\#(Self.x2)"]"#)
        var copy = Copy()
        try copy.write(copy.compared(with: old, as: .chromium))
        let names = try #require(copy.others.keys.first)
        let written = copy.others[names] ?? []
        copy.others[names] = written + Array(more.utf8)
        guard case .refused = try copy.compared(with: new, as: .chromium).outcome else {
            Issue.record("written")
            return
        }
        copy.others[names] = written
        try copy.write(copy.compared(with: new, as: .chromium))
        expectEqual(try copy.compared(with: new, as: .chromium))
    }

    /// A label can be any text of a certificate's subject, for example a text that looks like a marker.
    @Test(arguments: formats.filter { !["kubeadm", "elastic"].contains($0.rawValue) }) func readsNoMarkerInLabels(
        format: PinSetFormat
    ) throws {
        let pins = [Self.x1, Self.x2].enumerated().map { index, pin in
            #"{"sha256":"\#(pin)","role":"leaf","label":"\#(index == 0 ? "pinctl:end" : "x PinCTL:begin y")"}"#
        }
        let set = try set(#""a.example":{"pins":[\#(pins.joined(separator: ","))]}"#)
        for main in [nil, Array("// pinctl:begin\n// pinctl:end\n".utf8)] where main == nil || format == .okhttp {
            var copy = Copy(main: main)
            try copy.write(copy.compared(with: set, as: format))
            expectEqual(try copy.compared(with: set, as: format))
        }
    }

    @Test func recognizesFormatByContentsOrName() throws {
        let set = try set(#""a.example":["\#(Self.x1)","\#(Self.x2)"]"#)
        func format(_ name: String, _ contents: String? = nil) throws(PinSetCopyError) -> PinSetFormat {
            try PinSetCopy(of: set, as: nil, fileName: name, contents: contents.map { Array($0.utf8) }).format
        }
        #expect(try format("network_security_config.xml") == .android)
        #expect(try format("Pins.kt") == .okhttp)
        #expect(try format("Pins.kt", "class Empty\n") == .okhttp)
        #expect(try format("any.xml", "<network-security-config/>") == .android)
        #expect(try format("App.swift", "let k = [kTSKPinnedDomains: [:]]") == .trustkitSwift)
        // An `Info.plist` can have Apple's pins or TrustKit's.
        #expect(throws: PinSetCopyError.self) { try format("Info.plist") }
        #expect(throws: PinSetCopyError.self) { try format("notes.txt", "hello") }
    }
}
