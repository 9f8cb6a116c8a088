import TestSupport
import Testing
import XMLDocuments

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Configurations with random structure: nested parts, parts with several domains, with and without pins, TrustKit and settings.
@Suite struct AndroidShapesTests {
    private static let hosts = [
        "example.com", "api.example.com", "v2.api.example.com", "example.org", "www.example.org", "example.net",
        "192.0.2.1", "localhost",
    ]

    private struct Shape {
        var generator: SeededGenerator
        private var hosts: [String]

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            hosts = AndroidShapesTests.hosts
            hosts.shuffle(using: &generator)
        }

        private mutating func randomBool() -> Bool { Bool.random(using: &generator) }

        mutating func file() -> String {
            var text = "<network-security-config>\n"
            if randomBool() { text += "    <base-config cleartextTrafficPermitted=\"false\"/>\n" }
            while hosts.count > 2, !text.isEmpty { text += part(depth: 1) }
            return text + "</network-security-config>\n"
        }

        private mutating func part(depth: Int) -> String {
            let separator = randomBool() ? "\n" + String(repeating: "    ", count: depth + 1) : ""
            let setting = ["", "", " cleartextTrafficPermitted=\"true\"", " cleartextTrafficPermitted=\"false\""]
            var text = String(repeating: "    ", count: depth)
            text += "<domain-config\(setting.randomElement(using: &generator) ?? "")>"
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                guard let host = hosts.popLast() else { break }
                let includes = host.contains("example") && randomBool() ? " includeSubdomains=\"true\"" : ""
                text += "\(separator)<domain\(includes)>\(host)</domain>"
            }
            if randomBool() {
                let pins = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    let pin = Pin.numbered(Int.random(in: 0..<3, using: &generator)).base64
                    return "<!-- a --><pin digest=\"SHA-256\">\(pin)</pin>"
                }
                let end = randomBool() ? " expiration=\"2027-06-01\"" : ""
                text += "\(separator)<pin-set\(end)>\(pins.joined(separator: separator))</pin-set>"
            }
            if Int.random(in: 0..<5, using: &generator) == 0 {
                text += "\(separator)<trustkit-config enforcePinning=\"\(randomBool())\"/>"
            }
            if randomBool() { text += "\(separator)<!-- kept -->" }
            while depth < 4, hosts.count > 1, randomBool() { text += "\n" + part(depth: depth + 1) }
            return text + "\(separator)</domain-config>\n"
        }
    }

    /// The cleartext setting of each domain, its own or inherited; an empty string if it has no such setting.
    private func settings(_ document: XMLDocument) -> [String: String] {
        var settings: [String: String] = [:]
        func collect(_ element: XMLElement, _ inherited: String?) {
            let own = element.attribute("cleartextTrafficPermitted")?.value ?? inherited
            for child in element.children where child.name == "domain" { settings[child.text] = own ?? "" }
            for child in element.children where child.name == "domain-config" { collect(child, own) }
        }
        for child in document.root.children where child.name == "domain-config" { collect(child, nil) }
        return settings
    }

    @Test(arguments: [OtherHosts.kept, .removed]) func keepsOtherSettings(others: OtherHosts) throws {
        var sets = GeneratedSets.plain(.android)
        sets.hosts = Self.hosts
        sets.enforce = [true, true, true, false]
        sets.labels = [nil, "a", "b"]
        var setsGenerator = SeededGenerator(seed: 20)
        var (written, refused, gone) = (0, 0, 0)
        for seed in 0..<TestEnvironment.rounds(400) {
            var shape = Shape(seed: UInt64(seed))
            let text = shape.file()
            let file = Array(text.utf8)
            let before = (try? AndroidFormat.read(file).set)?.entries ?? []
            let set = try sets.next(&setsGenerator)
            let bytes: [UInt8]
            do throws(PinSetFormatError) {
                bytes = try set.written(as: .android, into: file, others: others).main
            } catch {
                #expect(others == .removed && error.message.contains("cannot be removed"), "\(error)\n\(text)")
                refused += 1
                continue
            }
            written += 1
            let result = String(decoding: bytes, as: UTF8.self)
            let back = try AndroidFormat.read(bytes)
            let fresh = try AndroidFormat.read(try set.written(as: .android).main).set
            for entry in fresh.entries {
                let found = try #require(back.set.entries.first { $0.name == entry.name }, "\(text)\(result)")
                // Pins that stay keep their order, and an equal pin can stay twice.
                #expect(Set(found.pins.map(\.pin)) == Set(entry.pins.map(\.pin)), "\(text)\(result)")
                #expect(found.subdomains == entry.subdomains, "\(text)\(result)")
                #expect(found.expires == entry.expires, "\(text)\(result)")
                // TrustKit cannot enforce one pin, which it would otherwise inherit.
                let canEnforce = Set(entry.pins.map(\.pin)).count > 1
                #expect(found.enforce == entry.enforce || entry.enforce && !canEnforce, "\(text)\(result)")
            }
            let rest = before.filter { entry in !fresh.entries.contains { $0.name == entry.name } }
            let left = back.set.entries.filter { entry in !fresh.entries.contains { $0.name == entry.name } }
            #expect(Set(left.map(\.name)) == Set(others == .kept ? rest.map(\.name) : []), "\(text)\(result)")
            for entry in left {
                let old = try #require(rest.first { $0.name == entry.name })
                #expect(entry.pins.map(\.pin) == old.pins.map(\.pin), "\(text)\(result)")
                #expect(entry.expires == old.expires, "\(text)\(result)")
                let canEnforce = Set(old.pins.map(\.pin)).count > 1
                #expect(entry.enforce == old.enforce || old.enforce && !canEnforce, "\(text)\(result)")
            }
            // If the file configures TrustKit, it does so for every host of the set that TrustKit can enforce.
            for warning in back.warnings where warning.reason == .trustKitReportsOnly {
                let entry = fresh.entries.first { $0.name == (try? HostName.normalized(warning.host ?? "")) }
                #expect(entry.map { Set($0.pins.map(\.pin)).count < 2 } ?? true)
            }
            let was = settings(try XMLDocument(file))
            let became = settings(try XMLDocument(bytes))
            for (host, setting) in was where became[host] != setting {
                // Only a part that contains nothing but pins can disappear.
                #expect(became[host] == nil && setting == "" && others == .removed, "\(host)\n\(text)\(result)")
                gone += 1
            }
            #expect(try set.written(as: .android, into: bytes, others: others).main == bytes, "\(text)\(result)")
        }
        // With a sanitizer, the number of rounds is too small for rare results.
        #expect(written > TestEnvironment.rounds(180))
        #expect(
            others == .kept
                ? refused == 0 && gone == 0 : TestEnvironment.sanitizer != nil || refused > 5 && gone > 10)
    }
}
