import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Findings for mistyped pins and wrong labels. The oracle is Tests/Vectors/known-pins.tsv, which the linter does not read.
@Suite struct NearMissTests {
    /// Authorities and pins. Names are in the form of file names: `ISRG_Root_X1`.
    static let known: [(name: String, pin: String)] = Vectors.table("known-pins.tsv").compactMap { row in
        // If two certificates have equal names, the file name of the second one has an additional number.
        row.count >= 2 ? (row[0].hasSuffix("A62634068_2") ? String(row[0].dropLast(2)) : row[0], row[1]) : nil
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    private static func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber }.lowercased() }

    private func finding(_ code: LintCode, _ pin: String, _ more: String = "") throws -> LintFinding? {
        try Lint.findings(Lint.pins(Lint.key(pin, more), Lint.backup(Lint.a))).first { $0.code == code }
    }

    @Test func oracleIsNotEmpty() { #expect(Self.known.count > 100) }

    /// Replaces, removes or inserts up to 10 characters.
    @Test func namesMistypedAuthority() throws {
        var generator = SeededGenerator(seed: 4)
        for (name, pin) in Self.known {
            var text = Array(pin.dropLast())
            for _ in 0..<Int.random(in: 1...10, using: &generator) {
                let place = text.indices.randomElement(using: &generator) ?? 0
                let character = Self.alphabet.randomElement(using: &generator) ?? "A"
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where text.count > 34: text.remove(at: place)
                case 1 where text.count < 52: text.insert(character, at: place)
                default: text[place] = character
                }
            }
            let spelling = String(text) + "="
            guard spelling != pin else { continue }
            let finding = try finding(.nearMiss, spelling)
            let hint = try #require(finding?.hint, "\(name): \(spelling)")
            #expect(hint.contains(pin), "\(name): \(spelling)")
            #expect(Self.letters(hint).contains(Self.letters(name)), "\(name): \(hint)")
        }
    }

    @Test func ignoresPrefixesAndCase() throws {
        let typed = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8L="
        for spelling in ["sha256/\(typed)", "sha256//\(typed)", "pin-sha256:\(typed)", Lint.rootX1.lowercased()] {
            #expect(try finding(.nearMiss, spelling)?.hint?.contains(Lint.rootX1) == true, "\(spelling)")
        }
    }

    /// Hashes of other data are neither near misses nor placeholders.
    @Test func acceptsRealHashes() {
        for number in 0..<1000 {
            let pin = Pin(subjectPublicKeyInfo: Array("key \(number)".utf8))
            #expect(PinDiagnosis.explanation(of: pin) == nil)
        }
    }

    @Test func acceptsKnownPins() throws {
        for (_, pin) in Self.known {
            #expect(try PinDiagnosis.explanation(of: Pin(spelling: pin)) == nil)
        }
    }

    @Test func findsAuthorityInLabel() throws {
        for (name, pin) in Self.known {
            let readable = name.replacing("_", with: " ")
            #expect(try finding(.mislabelled, pin, ", \"label\": \"\(readable)\"") == nil, "\(name)")
        }
    }

    @Test func namesOwnerOfPin() throws {
        let names = ["ISRG Root X1", "Amazon Root CA 1", "GTS Root R1", "DigiCert Global Root G2"]
        for (name, pin) in Self.known {
            for label in names where Self.letters(name) != Self.letters(label) {
                let finding = try finding(.mislabelled, pin, ", \"label\": \"\(label)\"")
                let message = try #require(finding?.message, "\(name) as \(label)")
                #expect(Self.letters(message).contains(Self.letters(name)), "\(message)")
            }
        }
    }
}
