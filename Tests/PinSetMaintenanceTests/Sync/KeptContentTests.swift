import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Contents of files that pinctl did not write, and does not delete.
@Suite struct KeptContentTests: CopySuite {
    @Test func keepsSourceOfOtherAuthors() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let other = #"val p = CertificatePinner.Builder().add("a.example", "sha256/\#(Self.x2)").build() // by hand"#
        let comparison = try CopyFolder(main: Array(other.utf8)).compared(with: set, as: nil)
        #expect(comparison.differences.map(\.code) == [.missingPin, .extraPin])
        guard case .refused(let error) = comparison.outcome else {
            Issue.record("written")
            return
        }
        #expect(error.hint?.contains("// pinctl:begin") == true)
        // A file with the same pins has no difference, even if pinctl did not write it.
        let equal = other.replacing(Self.x2, with: Self.x1)
        expectEqual(try CopyFolder(main: Array(equal.utf8)).compared(with: set, as: nil))
        // The file is replaced if the copy has "overwrite".
        var copy = CopyFolder(main: Array(other.utf8))
        try copy.write(copy.compared(with: set, as: .okhttp, overwrites: true))
        #expect(!String(decoding: copy.main ?? [], as: UTF8.self).contains("by hand"))
        expectEqual(try copy.compared(with: set, as: .okhttp, overwrites: true))
    }

    @Test func keepsJSONWithOtherContents() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        for (text, isWritten) in [
            (#"{"sha256Keys":{"a.example":["sha256/\#(Self.x2)"]}}"#, true),
            (#"{"sha256Keys":{"a.example":["sha256/\#(Self.x2)"]},"theme":"dark"}"#, false),
            (#"{"version":1,"hosts":{"a.example":["\#(Self.x2)"]}}"#, true),
            (#"{"version":1,"hosts":{"a.example":["\#(Self.x2)"]},"theme":"dark"}"#, false),
        ] {
            let comparison = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: nil)
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
        guard case .refused = try CopyFolder(main: Array(text.utf8)).compared(with: new, as: format).outcome else {
            Issue.record("written")
            return
        }
        // Without this change, the file contains only what pinctl wrote.
        var copy = CopyFolder(main: Array(written.utf8))
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
            (try set(x1 + ",\"state\":\"backup\"", x2), "\(first) ; by hand; backup\n\(second)\n"),
            (try set(x1 + ",\"label\":\"one\"", x2), "\(first) ; one\n\(second)\n"), (try set(x2), "\(second)\n"),
        ] {
            var copy = CopyFolder(main: Array("\(first) ; by hand\n".utf8))
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
            let comparison = try CopyFolder(main: text(Self.x2, top, entry)).compared(with: set, as: .pins)
            if case .write = comparison.outcome { #expect(isWritten) } else { #expect(!isWritten) }
        }
    }

    /// pinctl also replaces the names file next to the JSON file.
    @Test(arguments: ["# by hand\n", "\nOther\nsha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\n"])
    func keepsChromiumNamesThatItDidNotWrite(more: String) throws {
        let old = try set(#""a.example":["\#(Self.x1)"]"#)
        let new = try set(#""a.example":["\#(Self.x2)"]"#)
        var copy = CopyFolder()
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
}
