import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Edits of files with different layouts.
@Suite struct PinSetDocumentTests {
    static let one = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let two = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="
    static let day = Timestamp(year: 2026, month: 11, day: 21)

    struct Case: CustomTestStringConvertible, Sendable {
        let about: String
        let file: String
        let edits: [PinSetEdit]
        let expected: String
        var testDescription: String { about }
    }

    private static func key(_ state: PinSet.State = .backup, _ role: PinSet.AllowedRole = .leaf) -> PinSet.PinnedKey {
        guard let pin = try? Pin(spelling: two) else { preconditionFailure("no pin") }
        return PinSet.PinnedKey(pin: pin, role: role, state: state, label: "spare \"1\"")
    }

    private static func set(_ entry: String, before: String = "", after: String = "") -> String {
        "\(before){ \"version\": 1, \"hosts\": { \"a.example\": \(entry) } }\(after)"
    }

    /// Each key that a reader knows decides something for which a run read the entry.
    @Test func changedKeysIncludeEveryKey() throws {
        let values = [
            "subdomains": #""all""#, "expires": #""2030-01-01""#, "enforce": "false", "anchors": #"["ca.pem"]"#,
            "endpoints": #"["a.example:8443"]"#, "a later key": #"{ "a": [null, 1] }"#,
        ]
        let known = Set(PinSetReader.entryKeys).subtracting(["pins"])
        #expect(known.isSubset(of: values.keys))
        let pins = #""pins": ["\#(Self.one)"]"#
        let bare = try PinSetDocument(Array(Self.set(#"["\#(Self.one)"]"#).utf8))
        let plain = try PinSetDocument(Array(Self.set("{ \(pins) }").utf8))
        let otherPins = try PinSetDocument(Array(Self.set(#"{ "pins": ["\#(Self.two)"] }"#).utf8))
        #expect(plain.changedKeys(of: "a.example", since: bare) == [])
        #expect(otherPins.changedKeys(of: "a.example", since: bare) == [])
        for (key, value) in values {
            let one = try PinSetDocument(Array(Self.set("{ \"\(key)\": \(value), \(pins) }").utf8))
            let spaced = value.replacing("[", with: "[ ").replacing("{", with: "{\n")
            let same = try PinSetDocument(Array(Self.set("{\n\(pins) ,\n \"\(key)\" : \(spaced) }", before: "\n").utf8))
            #expect(one.changedKeys(of: "a.example", since: plain) == [key])
            #expect(bare.changedKeys(of: "a.example", since: one) == [key])
            #expect(same.changedKeys(of: "a.example", since: one) == [], "\(key)")
        }
    }

    /// Two values of one key that differ in one part.
    @Test(arguments: [
        (#"["a.example"]"#, #"["a.example", "a.example:8443"]"#), (#"["a.example"]"#, #"["a.example:8443"]"#),
        (#"["smtp://a.example"]"#, #"["imap://a.example"]"#),
    ]) func changedKeysCompareValues(one: String, other: String) throws {
        let (before, after) = (
            try PinSetDocument(Array(Self.set(#"{ "endpoints": \#(one), "pins": ["\#(Self.one)"] }"#).utf8)),
            try PinSetDocument(Array(Self.set(#"{ "endpoints": \#(other), "pins": ["\#(Self.one)"] }"#).utf8))
        )
        #expect(after.changedKeys(of: "a.example", since: before) == ["endpoints"])
        #expect(after.changedKeys(of: "b.example", since: before) == [])
    }

    static let added = #"{ "sha256": "\#(two)", "role": "leaf", "state": "backup", "label": "spare \"1\"" }"#

    static let cases = [
        Case(
            about: "a pin after one in a line",
            file: set(#"{ "pins": [{ "sha256": "\#(one)" }] }"#), edits: [.add(key(), entry: 0)],
            expected: set(#"{ "pins": [{ "sha256": "\#(one)" }, \#(added)] }"#)
        ),
        Case(
            about: "a pin in a compact file",
            file: #"{"version":1,"hosts":{"a.example":{"pins":[{"sha256":"\#(one)","role":"ca"}]}}}"#,
            edits: [.add(key(), entry: 0)],
            expected: #"{"version":1,"hosts":{"a.example":{"pins":[{"sha256":"\#(one)","role":"ca"},"#
                + #"{"sha256":"\#(two)","role":"leaf","state":"backup","label":"spare \"1\""}]}}}"#
        ),
        Case(
            about: "a pin among objects over several lines, with CRLF, tabs and a byte-order mark",
            file: set(
                "{\"pins\" : [\r\n\t{\r\n\t\t\"sha256\" : \"\(one)\",\r\n\t\t\"role\" : \"root\"\r\n\t}\r\n]}",
                before: "\u{FEFF}", after: "\r\n\r\n"),
            edits: [.add(key(.active), entry: 0)],
            expected: set(
                "{\"pins\" : [\r\n\t{\r\n\t\t\"sha256\" : \"\(one)\",\r\n\t\t\"role\" : \"root\"\r\n\t},\r\n\t{\r\n\t\t"
                    + "\"sha256\" : \"\(two)\",\r\n\t\t\"role\" : \"leaf\",\r\n\t\t\"label\" : \"spare \\\"1\\\"\"\r\n\t}\r\n]}",
                before: "\u{FEFF}", after: "\r\n\r\n")
        ),
        Case(
            about: "a pin among bare ones, which keeps their spelling",
            file: set(#"["sha256/\#(one)"]"#), edits: [.add(key(), entry: 0)],
            expected: set(
                #"["sha256/\#(one)", "# + added.replacing(two, with: "sha256/" + two) + "]")
        ),
        Case(
            about: "a bare pin that becomes an object, and keeps its spelling",
            file: set(#"[ "sha256//\#(one)" , "\#(two)" ]"#),
            edits: [.change(.state(.retired), entry: 0, pin: 0), .change(.goneSince(day), entry: 0, pin: 0)],
            expected: set(
                #"[ { "sha256": "sha256//\#(one)", "state": "retired", "goneSince": "2026-11-21" } , "\#(two)" ]"#)
        ),
        Case(
            about: "a bare pin of which nothing new is said",
            file: set(#"["\#(one)"]"#),
            edits: [.change(.state(.active), entry: 0, pin: 0), .change(.goneSince(nil), entry: 0, pin: 0)],
            expected: set(#"["\#(one)"]"#)
        ),
        Case(
            about: "values in place, whatever stands around them",
            file: set(
                #"{"pins":[{"state" :"backup","//":"why","sha256":"\#(one)","notAfter": "2026-01-01"}], "x":[1]}"#),
            edits: [.change(.state(.active), entry: 0, pin: 0), .change(.notAfter(day), entry: 0, pin: 0)],
            expected: set(
                #"{"pins":[{"state" :"active","//":"why","sha256":"\#(one)","notAfter": "2026-11-21"}], "x":[1]}"#)
        ),
        Case(
            about: "keys that go, first, middle and last, and one that comes",
            file: set(
                #"[{ "label":"l" , "sha256": "\#(one)", "goneSince": "2026-01-01", "c": 0, "notAfter": "2027-01-01" }]"#
            ),
            edits: [
                .change(.label(nil), entry: 0, pin: 0), .change(.goneSince(nil), entry: 0, pin: 0),
                .change(.notAfter(nil), entry: 0, pin: 0), .change(.state(.retired), entry: 0, pin: 0),
            ],
            expected: set(#"[{ "sha256": "\#(one)", "c": 0, "state": "retired" }]"#)
        ),
        Case(
            about: "the last of several changes of one thing",
            file: set(#"[{ "sha256": "\#(one)" }]"#),
            edits: [.change(.state(.retired), entry: 0, pin: 0), .change(.state(.backup), entry: 0, pin: 0)],
            expected: set(#"[{ "sha256": "\#(one)", "state": "backup" }]"#)
        ),
        Case(
            about: "an end before the pins",
            file: set("{\n  \"enforce\": false,\n  \"pins\": [\"\(one)\"]\n}"), edits: [.expires(day, entry: 0)],
            expected: set("{\n  \"enforce\": false,\n  \"expires\": \"2026-11-21\",\n  \"pins\": [\"\(one)\"]\n}")
        ),
        Case(
            about: "an end of a bare array, with a change in it",
            file: set(#"["\#(one)", "\#(two)"]"#),
            edits: [.expires(day, entry: 0), .change(.state(.backup), entry: 0, pin: 1)],
            expected: set(
                #"{ "expires": "2026-11-21", "pins": ["\#(one)", { "sha256": "\#(two)", "state": "backup" }] }"#)
        ),
        Case(
            about: "an end that is there, and one that goes",
            file: set(
                #"{"expires":"2020-01-01T01:02:03Z","pins":["\#(one)"]},"b.example":{ "pins":["\#(two)"], "expires":"2020-01-01"}"#
            ),
            edits: [.expires(day, entry: 0), .expires(nil, entry: 1)],
            expected: set(#"{"expires":"2026-11-21","pins":["\#(one)"]},"b.example":{ "pins":["\#(two)"]}"#)
        ),
        Case(
            about: "what is not there", file: set(#"["\#(one)"]"#),
            edits: [.add(key(), entry: 1), .change(.state(.retired), entry: 0, pin: 1), .expires(nil, entry: 0)],
            expected: set(#"["\#(one)"]"#)
        ),
        Case(
            about: "keys spelt with escapes",
            file:
                #"{ "\u0068osts": { "a.example": { "p\u0069ns": [{ "sh\u0061256": "\#(one)", "\u0073tate": "backup" }] } }, "version": 1 }"#,
            edits: [.change(.state(.retired), entry: 0, pin: 0)],
            expected:
                #"{ "\u0068osts": { "a.example": { "p\u0069ns": [{ "sh\u0061256": "\#(one)", "\u0073tate": "retired" }] } }, "version": 1 }"#
        ),
    ]

    @Test(arguments: cases) func changes(test: Case) throws {
        let document = try PinSetDocument(Array(test.file.utf8))
        let changed = try document.applying(test.edits)
        #expect(String(decoding: changed.bytes, as: UTF8.self) == test.expected)
    }
}
