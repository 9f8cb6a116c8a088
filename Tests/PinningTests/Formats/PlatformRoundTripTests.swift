import Foundation
import Testing

@testable import Pinning

/// Sets made at random, written in each format and read again.
@Suite struct PlatformRoundTripTests {
    static var codecs: [any PinSetCodec.Type] {
        [AppleFormat.self, AndroidFormat.self, TrustKitFormat.self, SwiftSource.self]
    }

    /// The form of TrustKit's that is a format of its own to read and write.
    enum SwiftSource: PinSetCodec {
        static let format = PinSetFormat.trustkit
        static func recognizes(_ bytes: [UInt8]) -> Bool { TrustKitFormat.recognizes(bytes) }
        static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading { try TrustKitFormat.read(bytes) }
        static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
            try TrustKitFormat.writeSwift(set)
        }
    }

    /// What one pin of a set says, in so far as it decides what matches, and its label.
    struct Meaning: Hashable {
        let pin: Pin
        let role: PinSet.AllowedRole
        let label: String?
        let notAfter: Timestamp?
    }

    struct EntryMeaning: Hashable {
        let name: String
        let subdomains: PinSet.Subdomains
        let expires: Timestamp?
        let enforce: Bool
        let anchors: [String]
        let pins: Set<Meaning>

        /// A backup pin matches as an active one does.
        init(_ entry: PinSet.Entry, labels: Bool = true) {
            name = entry.name
            subdomains = entry.subdomains
            expires = entry.expires
            enforce = entry.enforce
            anchors = entry.anchors
            pins = Set(
                entry.pins.map {
                    Meaning(pin: $0.pin, role: $0.role, label: labels ? $0.label : nil, notAfter: $0.notAfter)
                })
        }
    }

    /// - Parameter plain: in how many cases of ten a part is one that is easy to hold.
    static func set(plain: Int, using generator: inout SeededGenerator) throws -> PinSet {
        func isPlain() -> Bool { Int.random(in: 0..<10, using: &generator) < plain }
        let names = [
            "example.org", "a.example.org", "b.a.example.org", "API.example.net.", "xn--bcher-kva.example",
            "_x.example.com",
            "example.com", "www.example.com",
        ].shuffled(using: &generator)
        let labels = [
            "ISRG Root X1", "spare key, 2026", "é <&> \"'", "a -- b", " x ", "ends with -", "two\nlines", "日本",
        ]
        var entries: [PinSet.Entry] = []
        for index in 0..<Int.random(in: 1...5, using: &generator) {
            let isAddress = !isPlain() && Bool.random(using: &generator)
            let roles: [PinSet.AllowedRole] =
                isPlain()
                ? [[.leaf], [.ca], [.any]].randomElement(using: &generator) ?? [] : PinSet.AllowedRole.allCases
            let states: [PinSet.State] = isPlain() ? [.active] : PinSet.State.allCases
            let pins = (0..<Int.random(in: 2...5, using: &generator)).map { _ in
                PinSet.PinnedKey(
                    pin: Self.pin(using: &generator), role: roles.randomElement(using: &generator) ?? .any,
                    state: states.randomElement(using: &generator) ?? .active,
                    label: isPlain()
                        ? Bool.random(using: &generator) ? "ISRG Root X1" : nil
                        : labels.randomElement(using: &generator),
                    notAfter: isPlain() ? nil : Timestamp(year: 2030, month: 1, day: 2))
            }
            entries.append(
                try PinSet.Entry(
                    host: isAddress ? "192.0.2.\(index)" : names[index],
                    subdomains: isAddress
                        ? .none : PinSet.Subdomains.allCases.randomElement(using: &generator) ?? .none,
                    expires: isPlain()
                        ? nil
                        : Timestamp(
                            secondsSince1970: 1_800_000_000 + 43_200 * Int64.random(in: 0...999, using: &generator)),
                    enforce: isPlain() || Bool.random(using: &generator), anchors: isPlain() ? [] : ["ca.pem"],
                    pins: pins))
        }
        return try PinSet(entries: entries)
    }

    static func pin(using generator: inout SeededGenerator) -> Pin {
        Pin(subjectPublicKeyInfo: [UInt8.random(in: 0...255, using: &generator)])
    }

    /// An entry that nothing was lost of reads the same; whatever does not read the same was told.
    @Test(arguments: 0..<4, [0, 5, 9, 10]) func tellsAllThatDoesNotComeBack(codec index: Int, plain: Int) throws {
        let codec = Self.codecs[index]
        var generator = SeededGenerator(seed: UInt64(index * 100 + plain))
        var same = 0
        var lossy = 0
        for _ in 0..<200 {
            let set = try Self.set(plain: plain, using: &generator)
            let writing: PinSetWriting
            do {
                writing = try codec.write(set)
            } catch {
                // Only this keeps one of these sets from being written.
                #expect(
                    set.entries.contains { $0.pins.allSatisfy { $0.state == .retired } }
                        || set.entries.allSatisfy { IPAddress($0.name) != nil }, "\(error.message)")
                continue
            }
            let file = try #require(writing.files.first)
            let isRecognized = codec.recognizes(file.bytes)
            #expect(isRecognized)
            let back = try codec.read(file.bytes).set
            var found: [String: EntryMeaning] = [:]
            for entry in back.entries { found[entry.name] = EntryMeaning(entry) }
            for entry in set.entries {
                if writing.losses.contains(where: { $0.host == entry.host }) {
                    lossy += 1
                } else {
                    same += 1
                    let meaning = EntryMeaning(entry)
                    #expect(found[entry.name] == meaning)
                }
            }
            // Nothing comes from nowhere.
            for entry in back.entries {
                let original = set.entries.first { $0.name == entry.name }
                let pins = Set(original?.pins.map(\.pin) ?? [])
                #expect(Set(entry.pins.map(\.pin)).isSubset(of: pins))
            }
            // A pin that is not there any more was named, or stands in an entry that was.
            for entry in set.entries {
                let kept = Set(back.entries.first { $0.name == entry.name }?.pins.map(\.pin) ?? [])
                for pin in entry.pins where !kept.contains(pin.pin) {
                    let told = writing.losses.filter { $0.host == entry.host }.map(\.message)
                    #expect(told.contains { $0.contains(pin.pin.base64) || $0.contains("the entry is left out") })
                }
            }
        }
        if plain >= 9 { #expect(same > (plain == 10 ? 100 : 30)) }
        if plain <= 5 { #expect(lossy > 100) }
    }

    /// Into files that hold other hosts, and these hosts otherwise: the set comes back, and so do the other hosts.
    @Test(arguments: 0..<3) func intoFilesReadsAsTheSetAndTheRest(codec index: Int) throws {
        let codec = Self.codecs[index]
        var generator = SeededGenerator(seed: UInt64(index))
        for _ in 0..<200 {
            let old = try Self.set(plain: 10, using: &generator)
            let new = try Self.set(plain: 9, using: &generator)
            guard let file = try? codec.write(old).files.first?.bytes, let alone = try? codec.write(new) else {
                continue
            }
            let writing = try codec.write(new, into: file)
            let bytes = try #require(writing.files.first?.bytes)
            let back = try codec.read(bytes).set
            let fresh = try #require(alone.files.first?.bytes)
            let expected = try codec.read(fresh).set
            let kept = try codec.read(file).set
            for entry in back.entries {
                let source =
                    expected.entries.first { $0.name == entry.name } ?? kept.entries.first { $0.name == entry.name }
                let wanted = try #require(source)
                #expect(EntryMeaning(entry, labels: false).pins == EntryMeaning(wanted, labels: false).pins)
                #expect(entry.subdomains == wanted.subdomains)
                #expect(entry.expires == wanted.expires)
                #expect(entry.enforce == wanted.enforce)
            }
            #expect(Set(back.entries.map(\.name)) == Set((expected.entries + kept.entries).map(\.name)))
            for entry in kept.entries where !expected.entries.contains(where: { $0.name == entry.name }) {
                #expect(writing.losses.contains { $0.host == entry.host && $0.message.contains("stays in the file") })
            }
            // The second time there is nothing left to do.
            let again = try codec.write(new, into: bytes).files.first?.bytes
            #expect(again == bytes)
        }
    }

    @Test(.enabled(if: ExternalCommand.path(of: "xmllint") != nil)) func writesWellFormedXML() throws {
        let xmllint = try #require(ExternalCommand.path(of: "xmllint"))
        var generator = SeededGenerator(seed: 4)
        try ExternalCommand.withFolder { folder in
            var files: [String] = []
            for index in 0..<30 {
                let set = try Self.set(plain: 3, using: &generator)
                for codec in Self.codecs.prefix(3) {
                    guard let bytes = try? codec.write(set).files.first?.bytes else { continue }
                    let file = folder.appending(path: "\(index)-\(codec.format.rawValue).xml")
                    try Data(bytes).write(to: file)
                    files.append(file.path())
                }
            }
            let run = try ExternalCommand(xmllint, ["--noout", "--nonet"] + files)
            #expect(run.status == 0, "\(run.output)")
            #expect(files.count > 20)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: 0..<3) func damagedFilesDoNotTrap(codec index: Int) throws {
        let codec = Self.codecs[index]
        var generator = SeededGenerator(seed: UInt64(index + 50))
        let set = try PinSet(
            json: Array(#"{"version":1,"hosts":{"example.org":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#.utf8)
        )
        let words = [
            "<", ">", "<key>", "</dict>", "<domain>", "<pin-set>", "\"", "[", "]", ":", "//", "<!-- a -->", "<true/>",
        ]
        let folder = Vectors.folder.appending(path: "formats/\(codec.format.rawValue)")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let original = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            var accepted = 0
            for _ in 0..<1000 {
                let bytes = generator.damaged(original, words: words)
                _ = codec.recognizes(bytes)
                // Into what does not read, too: but only what reads is sure to do so again.
                let reading = try? codec.read(bytes)
                accepted += reading == nil ? 0 : 1
                guard let writing = try? codec.write(set, into: bytes), let file = writing.files.first else { continue }
                guard reading != nil else { continue }
                let back = try codec.read(file.bytes).set
                #expect(back.entry(for: "example.org") != nil)
            }
            #expect(accepted > 10, "\(name)")
        }
    }
}
