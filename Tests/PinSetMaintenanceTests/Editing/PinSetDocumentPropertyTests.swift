import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Random edits of files with random layouts. Foundation reads the expected values, and all other bytes are unchanged.
@Suite struct PinSetDocumentPropertyTests {
    @Test(.limit(minutes: 3), arguments: 1...40) func editsKeepOtherBytes(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<25 {
            var author = Author(random: random)
            let file = author.file()
            random = author.random
            var document = try PinSetDocument(file)
            for _ in 0..<6 {
                let edit = Self.edit(of: document.set, &random)
                let changed = try document.applying([edit])
                try Self.check(document, changed, edit)
                document = changed
            }
        }
    }

    /// Edits in one call and edits in separate calls have equal results.
    @Test(arguments: 1...20) func combinedEditsEqualSeparateEdits(seed: Int) throws {
        var author = Author(random: SeededGenerator(seed: UInt64(seed &+ 1000)))
        for _ in 0..<25 {
            let document = try PinSetDocument(author.file())
            var edits: [PinSetEdit] = []
            // Pins are added last, because other edits in the call cannot refer to an added pin.
            for _ in 0..<5 { edits.append(Self.edit(of: document.set, &author.random)) }
            edits.sort { !$0.adds && $1.adds }
            var turned = document
            for edit in edits { turned = try turned.applying([edit]) }
            let together = try document.applying(edits)
            #expect(Self.facts(of: together.set) == Self.facts(of: turned.set), "\(edits)\n\(Self.text(document))")
        }
    }

    /// The contents of a set, without its layout.
    private static func facts(of set: PinSet) -> [String] {
        set.entries.flatMap { entry in
            ["\(entry.host) \(entry.subdomains) \(entry.expires?.description ?? "-")"]
                + entry.pins.map { key in
                    let dates = [key.notAfter, key.added, key.goneSince].map { $0?.date ?? "-" }
                    return "\(key.pin) \(key.role) \(key.state) \(key.label ?? "-") \(dates)"
                }
        }
    }

    // MARK: Expectations

    private static func check(_ before: PinSetDocument, _ after: PinSetDocument, _ edit: PinSetEdit) throws {
        let context: Comment = "\(edit)\n\(text(before))\n\(text(after))"
        #expect(same(try object(after), expected(try object(before), before.set, edit)), context)
        let (old, new) = (before.bytes, after.bytes)
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
        let lost = old.count - prefix - suffix
        switch edit {
        case .add, .insert: #expect(lost == 0, context)
        case .expires(nil, _), .subdomains(.none, _): break
        case .expires(_, let entry), .subdomains(_, let entry):
            if before.set.entries[entry].isShorthand {
                // There is new text before the array and after it.
                var rest = new[...]
                let isWhole = old.allSatisfy { byte in
                    guard let next = rest.firstIndex(of: byte) else { return false }
                    rest = rest[(next + 1)...]
                    return true
                }
                #expect(isWhole, context)
            } else {
                #expect(lost <= 26, context)
            }
        case .change(let field, _, _):
            // The edit changes a date, a state or a label, or removes the line of a key.
            #expect(lost <= (field.value == nil ? 140 : 64), context)
        }
    }

    private static func expected(_ file: [String: Any], _ set: PinSet, _ edit: PinSetEdit) -> [String: Any] {
        var root = file
        var hosts = file["hosts"] as? [String: Any] ?? [:]
        func change(_ index: Int, _ body: (inout [String: Any], inout [Any]) -> Void) {
            let host = set.entries[index].host
            var entry = hosts[host] as? [String: Any] ?? [:]
            let isBare = hosts[host] is [Any]
            var pins = (isBare ? hosts[host] : entry["pins"]) as? [Any] ?? []
            body(&entry, &pins)
            if isBare, entry.isEmpty {
                hosts[host] = pins
            } else {
                entry["pins"] = pins
                hosts[host] = entry
            }
        }
        switch edit {
        case .add(let key, let index):
            change(index) { _, pins in
                pins.append(pin(key, after: pins))
            }
        case .change(let field, let index, let place):
            change(index) { _, pins in
                var pin = pins[place] as? [String: Any] ?? ["sha256": pins[place]]
                let value = field.value.map { $0.dropFirst().dropLast().replacing("\\\"", with: "\"") }
                if value == nil || pin[field.key] != nil || value != "active" {
                    pin[field.key] = value.map { String($0) }
                }
                pins[place] = pins[place] is String && pin.count == 1 ? pins[place] : pin
            }
        case .expires(let end, let index): change(index) { entry, _ in entry["expires"] = end?.date }
        case .subdomains(let which, let index):
            change(index) { entry, _ in entry["subdomains"] = which == .none ? nil : which.rawValue }
        case .insert(let new):
            let last = set.entries.last.map { hosts[$0.host] } ?? nil
            let pins = (last as? [Any]) ?? (last as? [String: Any])?["pins"] as? [Any] ?? []
            var entry: [String: Any] = ["pins": new.pins.map { pin($0, after: pins) }]
            if new.subdomains != .none { entry["subdomains"] = new.subdomains.rawValue }
            if let end = new.expires { entry["expires"] = end.date }
            hosts[new.host] = entry
        }
        root["hosts"] = hosts
        return root
    }

    /// A new pin, written in the same way as the other pins.
    private static func pin(_ key: PinSet.PinnedKey, after pins: [Any]) -> Any {
        let last = (pins.last as? String) ?? (pins.last as? [String: Any])?["sha256"] as? String ?? ""
        let prefix =
            ["sha256//", "sha256/", "SHA256:"].first { last.count == $0.count + 44 && last.hasPrefix($0) } ?? ""
        var pin: [String: Any] = ["sha256": prefix + key.pin.base64]
        if key.role != .any { pin["role"] = key.role.rawValue }
        if key.state != .active { pin["state"] = key.state.rawValue }
        if let label = key.label { pin["label"] = label }
        if let end = key.notAfter { pin["notAfter"] = end.date }
        return pin.count == 1 && pins.allSatisfy { $0 is String } ? prefix + key.pin.base64 : pin
    }

    private static func object(_ document: PinSetDocument) throws -> [String: Any] {
        var bytes = document.bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes.removeFirst(3) }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func same(_ one: [String: Any], _ other: [String: Any]) -> Bool {
        NSDictionary(dictionary: one).isEqual(to: other)
    }

    private static func text(_ document: PinSetDocument) -> String { String(decoding: document.bytes, as: UTF8.self) }

    // MARK: Edits

    private static func edit(of set: PinSet, _ random: inout SeededGenerator) -> PinSetEdit {
        let entry = Int.random(in: set.entries.indices, using: &random)
        let pin = Int.random(in: set.entries[entry].pins.indices, using: &random)
        let day = Timestamp(year: Int.random(in: 2020...2030, using: &random), month: 2, day: 28)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return .add(Author.key(&random), entry: entry)
        case 2:
            return .change(
                .state(PinSet.State.allCases.randomElement(using: &random) ?? .retired), entry: entry, pin: pin)
        case 3: return .change(.label(Bool.random(using: &random) ? "a \"b\"" : nil), entry: entry, pin: pin)
        case 4: return .change(.notAfter(Bool.random(using: &random) ? day : nil), entry: entry, pin: pin)
        case 5: return .change(.goneSince(Bool.random(using: &random) ? day : nil), entry: entry, pin: pin)
        case 6: return .change(.added(day), entry: entry, pin: pin)
        case 7:
            return .subdomains(PinSet.Subdomains.allCases.randomElement(using: &random) ?? .all, entry: entry)
        case 8:
            let host = "n\(UInt32.random(in: 0...UInt32.max, using: &random)).example"
            let new = try? PinSet.Entry(
                host: host, subdomains: PinSet.Subdomains.allCases.randomElement(using: &random) ?? .all,
                expires: Bool.random(using: &random) ? day : nil, pins: [Author.key(&random), Author.key(&random)])
            return new.map { .insert($0) } ?? .expires(nil, entry: entry)
        default: return .expires(Bool.random(using: &random) ? day : nil, entry: entry)
        }
    }
}

extension PinSetEdit {
    fileprivate var adds: Bool {
        switch self {
        case .add, .insert: true
        case .change, .expires, .subdomains: false
        }
    }
}

/// Writes pin sets with random layouts.
private struct Author {
    var random: SeededGenerator
    private var lineEnd = "\n"
    private var unit = "  "
    private var colon = ": "

    init(random: SeededGenerator) { self.random = random }

    static func key(_ random: inout SeededGenerator) -> PinSet.PinnedKey {
        let digest = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        return PinSet.PinnedKey(
            pin: Pin(digest: digest) ?? Pin(subjectPublicKeyInfo: digest),
            role: PinSet.AllowedRole.allCases.randomElement(using: &random) ?? .any,
            state: PinSet.State.allCases.randomElement(using: &random) ?? .active,
            label: Bool.random(using: &random) ? "new" : nil
        )
    }

    mutating func file() -> [UInt8] {
        lineEnd = pick(["\n", "\r\n"])
        unit = pick(["  ", "\t", "    "])
        colon = pick([":", ": ", " : "])
        var members = [("\"version\"", "1"), ("\"hosts\"", hosts(1))]
        if flip() { members.insert(("\"$schema\"", "\"x\""), at: 0) }
        if flip() { members.append(("\"// note\"", "{ \"pins\" : [1, {}, \"\\\"]\"] }")) }
        let text = pick(["", "\u{FEFF}", " "]) + object(members, 0) + pick(["", lineEnd, "  "])
        return Array(text.utf8)
    }

    private mutating func hosts(_ depth: Int) -> String {
        let members = (0..<Int.random(in: 1...3, using: &random)).map { index in
            ("\"h\(index).example\"", entry(depth + 1))
        }
        return object(members, depth)
    }

    private mutating func entry(_ depth: Int) -> String {
        let isBare = flip()
        let pins = array(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in pin(depth + (isBare ? 1 : 2)) },
            depth + (isBare ? 0 : 1))
        guard !isBare else { return pins }
        var members = [("\"pins\"", pins)]
        if flip() { members.insert(("\"expires\"", "\"2027-06-01\""), at: flip() ? 0 : 1) }
        if flip() { members.append(("\"comment\"", "[ true,null , -1.5e3 ]")) }
        return object(members, depth)
    }

    private mutating func pin(_ depth: Int) -> String {
        let key = Self.key(&random)
        let spelling =
            "\"\(pick(["", "sha256/", "sha256//", "SHA256:"]))\(key.pin.base64.replacing("/", with: pick(["/", "\\/"])))\""
        if flip() { return spelling }
        var members = [("\"sha256\"", spelling)]
        if flip() { members.append(("\"role\"", "\"\(key.role.rawValue)\"")) }
        if flip() { members.insert(("\"state\"", "\"\(key.state.rawValue)\""), at: 0) }
        if flip() { members.append(("\"label\"", "\"l\\u00e4bel \\\\\"")) }
        if flip() { members.append(("\"notAfter\"", "\"2027-01-01\"")) }
        if flip() { members.append(("\"goneSince\"", "\"2026-01-01\"")) }
        if flip() { members.insert(("\"//\"", "\"a, b: {\""), at: 0) }
        return object(members, depth)
    }

    private mutating func object(_ members: [(String, String)], _ depth: Int) -> String {
        "{" + joined(members.map { $0.0 + colon + $0.1 }, depth) + "}"
    }

    private mutating func array(_ values: [String], _ depth: Int) -> String { "[" + joined(values, depth) + "]" }

    private mutating func joined(_ parts: [String], _ depth: Int) -> String {
        let inner = lineEnd + String(repeating: unit, count: depth + 1)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return parts.joined(separator: ",")
        case 1: return " " + parts.joined(separator: ", ") + " "
        default: return inner + parts.joined(separator: "," + inner) + lineEnd + String(repeating: unit, count: depth)
        }
    }

    private mutating func flip() -> Bool { Bool.random(using: &random) }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
}
