import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinSetTests {
    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    @Test func readsTheFullForm() throws {
        let set = try PinSet(
            json: Array(
                """
                { "version": 1,
                  "hosts": {
                    "API.example.com.": {
                      "subdomains": "one",
                      "expires": "2027-06-01",
                      "enforce": false,
                      "anchors": ["inhouse-ca.pem", "other/ca.pem"],
                      "pins": [
                        { "sha256": "\(Self.x1)", "role": "root", "state": "active", "label": "ISRG Root X1", "notAfter": "2035-06-04" },
                        { "sha256": "sha256/\(Self.x2)", "role": "leaf", "state": "backup" },
                        { "sha256": "\(Self.x2)", "state": "retired", "notAfter": "2035-06-04T11:04:38Z" }
                      ] },
                    "192.0.2.1": { "pins": [{ "sha256": "\(Self.x2)" }] } } }
                """.utf8
            )
        )
        #expect(set.entries.map(\.host) == ["API.example.com.", "192.0.2.1"])
        #expect(set.unknownKeys.isEmpty)
        let first = try #require(set.entries.first)
        #expect(first.name == "api.example.com")
        #expect(first.subdomains == .one)
        #expect(first.expires?.description == "2027-06-01T00:00:00Z")
        #expect(!first.enforce)
        #expect(first.anchors == ["inhouse-ca.pem", "other/ca.pem"])
        #expect(first.position == SourcePosition(line: 3, column: 5))
        #expect(!first.isShorthand)
        #expect(first.pins.map(\.pin.base64) == [Self.x1, Self.x2, Self.x2])
        #expect(first.pins.map(\.role) == [.root, .leaf, .any])
        #expect(first.pins.map(\.state) == [.active, .backup, .retired])
        #expect(first.pins.map(\.label) == ["ISRG Root X1", nil, nil])
        #expect(first.pins.map(\.notAfter?.description) == ["2035-06-04T00:00:00Z", nil, "2035-06-04T11:04:38Z"])
        #expect(first.pins.map(\.position?.line) == [9, 10, 11])
        let second = try #require(set.entries.last)
        #expect(second.subdomains == PinSet.Subdomains.none)
        #expect(second.expires == nil)
        #expect(second.enforce)
        #expect(second.anchors.isEmpty)
        #expect(second.pins.map(\.role) == [.any])
        #expect(second.pins.map(\.state) == [.active])
    }

    @Test func readsTheShorthandInEveryForm() throws {
        let set = try PinSet(
            json: Array(
                """
                {"version":1,"hosts":{"a.example":["\(Self.x1)","sha256/\(Self.x1)","sha256//\(Self.x1)",
                "pin-sha256=\\"\(Self.x1)\\"","pin-sha256:\(Self.x1)","SHA256:\(Self.x1.dropLast())",
                "0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"],
                "b.example":{"pins":["\(Self.x2)"]}}}
                """.utf8
            )
        )
        #expect(set.entries.map(\.isShorthand) == [true, false])
        #expect(set.entries.first?.pins.map(\.pin.base64) == Array(repeating: Self.x1, count: 7))
        #expect(set.entries.last?.pins.map(\.pin.base64) == [Self.x2])
    }

    @Test func keepsAndListsUnknownKeys() throws {
        let set = try PinSet(
            json: Array(
                """
                { "$schema": "x", "version": 1,
                  "hosts": { "a.example": {
                      "enforced": false,
                      "pins": [ { "sha256": "\(Self.x1)",
                                  "Role": ["root", 1.50] } ] } },
                  "note": null }
                """.utf8
            )
        )
        #expect(
            set.unknownKeys == [
                .init(key: "$schema", host: nil, line: 1, column: 3), .init(key: "note", host: nil, line: 6, column: 3),
                .init(key: "enforced", host: "a.example", line: 3, column: 7),
                .init(key: "Role", host: "a.example", line: 5, column: 19),
            ])
        var writer = JSONWriter(.compact)
        writer.value(try #require(set.entries.first?.pins.first?.unknown.first?.value))
        #expect(String(decoding: writer.output, as: UTF8.self) == #"["root",1.50]"#)
    }

    @Test func allowsASetWithNoHosts() throws {
        let set = try PinSet(json: Array("\u{feff}{\"version\":1,\"hosts\":{}}".utf8))
        #expect(set.entries.isEmpty)
        #expect(set.entry(for: "example.com") == nil)
    }

    @Test func isCreatedInCode() throws {
        let pin = try Pin(spelling: Self.x1)
        let entry = try PinSet.Entry(host: "Example.com", subdomains: .all, pins: [.init(pin: pin, role: .ca)])
        let set = try PinSet(entries: [entry])
        #expect(set.entry(for: "www.example.com") == entry)
        let twice = #expect(throws: PinSetError.self) {
            try PinSet(entries: [entry, PinSet.Entry(host: "example.com.", pins: entry.pins)])
        }
        #expect(twice?.description == #"the host "example.com." occurs twice: first as "Example.com""#)
        let empty = #expect(throws: PinSetError.self) { try PinSet.Entry(host: "example.com", pins: []) }
        #expect(empty?.message == #"the host "example.com" has an empty list of pins"#)
        #expect(throws: PinSetError.self) { try PinSet.Entry(host: "example.com:443", pins: entry.pins) }
        #expect(throws: PinSetError.self) { try PinSet.Entry(host: "::1", subdomains: .one, pins: entry.pins) }
    }

    @Test func acceptsAnyBytesWithoutTrap() {
        var generator = SeededGenerator(seed: 2027)
        let seed = Array(
            """
            {"version":1,"hosts":{"a.example":{"subdomains":"one","expires":"2027-06-01","enforce":true,"anchors":["a"],
            "pins":[{"sha256":"\(Self.x1)","role":"root","state":"active","label":"é"}]},"::1":["\(Self.x2)"]}}
            """.utf8
        )
        var refused = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0x20...0x7e, using: &generator), at: place)
                }
            }
            do throws(PinSetError) {
                _ = try PinSet(json: bytes)
            } catch {
                refused += 1
                #expect((1...4).contains(error.line ?? 0) && (error.column ?? 0) > 0)
                #expect(!error.message.isEmpty && !error.message.hasSuffix(".") && error.hint != "")
            }
        }
        #expect(refused > TestEnvironment.rounds(10_000))
    }
}
