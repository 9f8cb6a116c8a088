import Foundation
import Testing

@testable import Encodings
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Edits of entries as a whole: new entries, and their properties.
@Suite struct PinSetEntryEditTests {
    private static let one = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let two = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="

    private func entry(_ host: String = "b.example", subdomains: PinSet.Subdomains = .none) throws -> PinSet.Entry {
        try PinSet.Entry(
            host: host, subdomains: subdomains,
            pins: [PinSet.PinnedKey(pin: try Pin(spelling: Self.two), role: .root)])
    }

    private func edited(_ file: String, _ edits: [PinSetEdit]) throws -> String {
        String(decoding: try PinSetDocument(Array(file.utf8)).applying(edits).bytes, as: UTF8.self)
    }

    @Test func insertsInTheLayoutOfTheLastEntry() throws {
        let lines = """
            {
              "version": 1,
              "hosts": {
                "a.example": {
                  "pins": [
                    { "sha256": "\(Self.one)", "role": "ca" }
                  ]
                }
              },
              "note": 1
            }

            """
        let expected = lines.replacing(
            """
                  ]
                }
            """,
            with: """
                      ]
                    },
                    "b.example": {
                      "subdomains": "all",
                      "pins": [
                        { "sha256": "\(Self.two)", "role": "root" }
                      ]
                    }
                """)
        #expect(try edited(lines, [.insert(entry(subdomains: .all))]) == expected)
        let compact = #"{"version":1,"hosts":{"a.example":{"pins":[{"sha256":"\#(Self.one)"}]}}}"#
        #expect(
            try edited(compact, [.insert(entry())])
                == #"{"version":1,"hosts":{"a.example":{"pins":[{"sha256":"\#(Self.one)"}]},"#
                + #""b.example":{"pins":[{"sha256":"\#(Self.two)","role":"root"}]}}}"#)
        let bare = #"{ "version": 1, "hosts": { "a.example": ["\#(Self.one)"] } }"#
        #expect(
            try edited(bare, [.insert(entry())])
                == #"{ "version": 1, "hosts": { "a.example": ["\#(Self.one)"], "#
                + #""b.example": { "pins": [ { "sha256": "\#(Self.two)", "role": "root" } ] } } }"#)
    }

    @Test func insertsIntoASetWithoutHosts() throws {
        let document = try PinSetDocument(Array(#"{ "version": 1, "hosts": {} }"#.utf8))
        let set = try document.applying([.insert(entry()), .insert(entry("c.example"))]).set
        #expect(set.entries.map(\.host) == ["b.example", "c.example"])
        #expect(set.entries[0].pins.map(\.role) == [.root])
    }

    /// The new lines end like the others.
    @Test(arguments: ["{}", "{\r\n\t}"]) func keepsTheLineEndsOfASetWithoutHosts(hosts: String) throws {
        let text = try edited("{\r\n\t\"version\": 1,\r\n\t\"hosts\": \(hosts)\r\n}\r\n", [.insert(entry())])
        let bytes = Array(text.utf8)
        let ends = bytes.indices.filter { bytes[$0] == 0x0A }
        #expect(ends.count > 5 && ends.allSatisfy { bytes[$0 - 1] == 0x0D })
    }

    @Test func refusesAHostThatIsThere() throws {
        let file = #"{ "version": 1, "hosts": { "B.example": ["\#(Self.one)"] } }"#
        #expect(throws: PinSetError.self) { try edited(file, [.insert(entry())]) }
    }

    @Test func changesTheProperties() throws {
        let day = try #require(Timestamp(year: 2027, month: 6, day: 1))
        let pins = #""pins": ["\#(Self.one)"]"#
        func file(_ entry: String) -> String { "{ \"version\": 1, \"hosts\": { \"a.example\": \(entry) } }" }
        let both: [PinSetEdit] = [.expires(day, entry: 0), .subdomains(.one, entry: 0)]
        #expect(
            try edited(file("{ \(pins) }"), both)
                == file(#"{ "expires": "2027-06-01", "subdomains": "one", \#(pins) }"#))
        #expect(
            try edited(file(#"["\#(Self.one)"]"#), both)
                == file(#"{ "expires": "2027-06-01", "subdomains": "one", \#(pins) }"#))
        let full = file(#"{ "subdomains": "all", "x": 1, \#(pins), "expires": "2026-01-01" }"#)
        #expect(
            try edited(full, both) == file(#"{ "subdomains": "one", "x": 1, \#(pins), "expires": "2027-06-01" }"#))
        #expect(
            try edited(full, [.subdomains(.none, entry: 0), .expires(nil, entry: 0)]) == file("{ \"x\": 1, \(pins) }"))
        #expect(try edited(full, [.subdomains(.none, entry: 0), .subdomains(.all, entry: 0)]) == full)
    }
}
