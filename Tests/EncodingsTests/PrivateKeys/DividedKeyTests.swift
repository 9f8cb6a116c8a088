import TestSupport
import Testing

@testable import Encodings

/// Keys of openssl, divided over parts of a text that a reader uses separately.
struct DividedKeyTests {
    private static let pin = "doqV9xMo8MAv8x/BtTYbIu9wZF/f0Kj19EQqf9Pmf5Y="

    /// How a text contains the pieces of a key.
    enum Division: String, CaseIterable {
        case labels, fullStops, comments, adjacentComments, hostLines, namedHosts, elements, pins, variables, cStrings,
            escaped

        func text(of pieces: [String]) -> String {
            switch self {
            case .labels: pieces.joined(separator: ".") + ".example.com"
            case .fullStops: pieces.joined(separator: "\u{3002}") + "\u{FF0E}example"
            case .comments: pieces.map { "<!-- \($0) -->\n" }.joined()
            case .adjacentComments: pieces.map { "<!--\($0)-->" }.joined()
            case .hostLines: pieces.map { "# \($0)\n" }.joined() + "sha256//\(pin)\n"
            case .namedHosts: pieces.map { "# host: \($0)\n" }.joined() + "servercert=pin-sha256:\(pin)\n"
            case .elements: pieces.map { "    <pin digest=\"SHA-256\">\($0)</pin>\n" }.joined()
            case .pins: pieces.map { "\"sha256/\($0)\"; // \"sha256/\(pin)\"\n" }.joined()
            case .variables: pieces.enumerated().map { "let part\($0) = \"\($1)\"\n" }.joined()
            case .cStrings: pieces.map { "/* \($0) */\n" }.joined()
            case .escaped: "[\(pieces.map { "{\"x\":\"\($0.replacing("/", with: "\\/"))\"}" }.joined(separator: ","))]"
            }
        }
    }

    private static func pieces(_ text: String, _ size: Int) -> [String] {
        stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
    }

    private static func spellings(_ arguments: [String]) throws -> [String] {
        let key = try ChildProcess.output(of: ["openssl"] + arguments + ["-outform", "DER"])
        return [Base64.encode(key), Hex.encode(key), Hex.encode(key).uppercased()]
    }

    @Test(
        arguments: [
            ["genpkey", "-algorithm", "ed25519"], ["genpkey", "-algorithm", "RSA"],
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ], Division.allCases)
    func eachPieceIsHidden(arguments: [String], division: Division) throws {
        for spelling in try Self.spellings(arguments) {
            for size in [64, 48, 44, 40, 32, 28, 21, 16] {
                let pieces = Self.pieces(spelling, size)
                let text = division.text(of: pieces)
                let (shown, known) = (text.withoutPrivateKeys, KnownPrivateKeys(in: Array(text.utf8)))
                for (index, piece) in pieces.enumerated() where piece.count >= 12 {
                    let secret = piece.dropFirst(4)
                    #expect(!shown.contains(secret.prefix(8)), "\(size) \(index): \(shown)")
                    #expect(!shown.contains(secret.suffix(8)), "\(size) \(index): \(shown)")
                    let digits = Array(piece.lowercased().utf8.filter { $0 != UInt8(ascii: "=") })
                    #expect(known.piece(at: 0, of: digits) == 0..<digits.count, "\(size) \(index)")
                }
                #expect(division == .labels || !text.contains(Self.pin) || shown.contains(Self.pin))
            }
        }
    }

    /// A list of hosts is read line by line. The first 16 bytes of a key of Ed25519 contain nothing of its secret (RFC 8410, section 7).
    @Test(arguments: [16, 20, 24, 28, 32])
    func aKeyInLinesIsRecognizedBeforeItsSecret(size: Int) throws {
        let key = try #require(try Self.spellings(["genpkey", "-algorithm", "ed25519"]).dropFirst().first)
        var lines = PrivateKeyLines()
        let line = Self.pieces(key, size).firstIndex { lines.containsKey(Array("\($0).example".utf8)[...]) }
        #expect((line ?? .max) * size <= 32)
        var other = PrivateKeyLines()
        #expect(!Self.pieces(key, size).dropFirst().contains { other.containsKey(Array("\($0).example".utf8)[...]) })
    }

    /// Two slashes at the start of a piece are also the sign of a comment, and letters of one case could be a name.
    @Test func aPieceThatBeginsWithSlashes() {
        let start = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
        let pieces = [String(start.prefix(16)), String(start.suffix(16)), "//kibsxstzwhvf+w", "Zk3pQ9xT7vLm2RsB"]
        let known = KnownPrivateKeys(in: Array(pieces.joined(separator: ". ").utf8))
        for piece in pieces.dropFirst() { #expect(known.piece(at: 0, of: Array(piece.utf8)) == 0..<16, "\(piece)") }
    }

    /// A mark, or the start of a key, can be the end of a text.
    @Test(arguments: [
        "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----", "x -----END PGP PRIVATE KEY BLOCK-----",
        "private-key: (",
        "PuTTY-User-Key-File-", "Private-Lines: 1\n", "d=0 ", "\"d\":\"", "MC4CAQAwBQYDK2VwBCIEI",
        "302e020100300506032b6570",
        "MC4CAQAwBQYD.", "LS0tLS1CRUdJTiBQ", "b3BlbnNzaC1rZXktdjEA", "0\\x30", "2d2d2d2d2d424547",
    ])
    func textsThatEndWithAStart(text: String) {
        for end in 1...text.utf8.count {
            let start = String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self)
            _ = (start.withoutPrivateKeys, start.containsPrivateKey, start.quotedExcerpt)
            _ = KnownPrivateKeys(in: Array(start.utf8))
            var lines = PrivateKeyLines()
            _ = lines.containsKey(Array(start.utf8)[...])
        }
        #expect(text.withoutPrivateKeys.utf8.count > 3)
    }

    /// Random texts of marks, starts of keys, digits and separators cause no trap.
    @Test func randomTexts() throws {
        var random = SeededGenerator(seed: 11)
        let parts = [
            "-----BEGIN PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----END PGP PRIVATE KEY BLOCK-----",
            "private-key: (",
            "PuTTY-User-Key-File-3: ", "Private-Lines: 1\n", "d=0 hl=2 l= 46 cons: SEQUENCE", "\"kty\":", "\"d\":\"",
            "priv:\n", "seed:",
            "<KeyValue>", "<D>", "AGE-SECRET-KEY-1", "MC4CAQAwBQYDK2VwBCIEI", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "MIJAAAIBADAN",
            "302e020100300506032b6570", "0x30, 0x2e, ", "48, 46, 2, ", "00000000: 302e 0201", "\\x30\\x2e",
            "LS0tLS1CRUdJTiBQ",
            "UFJJVkFURSBLRV", "b3BlbnNzaC1rZXktdjEA", "2d2d2d2d2d424547", "sha256/", "//", "--", "-->", "<!-- ", "\n",
            "\\n", "\r\n", ".", " ",
            "=", "\"", ", ", "# ", "> ", "\\u002b", "%2B", "\\/", "é", "Zk3pQ9xT7vLm2RsB", "0123456789abcdef", Self.pin,
        ]
        for _ in 0..<TestEnvironment.rounds(8000) {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }.joined()
            _ = (
                text.withoutPrivateKeys, text.withoutWholePrivateKeys, text.quotedExcerpt, text.privateKeyKindOfArgument
            )
            let known = KnownPrivateKeys(in: Array(text.utf8))
            _ = PrivateKeySearch(Array(text.utf8), known: known).first()
            var lines = PrivateKeyLines()
            for line in text.utf8.split(separator: 0x0A) { _ = lines.containsKey(Array(line)[...]) }
        }
    }

    /// A piece in another text, which has no start of a key.
    @Test func knownPiecesAreRecognized() throws {
        let key = try #require(try Self.spellings(["genpkey", "-algorithm", "RSA"]).first)
        let known = KnownPrivateKeys(in: Array("x\n\(key)\ny".utf8))
        func piece(_ text: String) -> Range<Int>? { known.piece(at: 0, of: Array(text.utf8)) }
        let part = String(key.dropFirst(100).prefix(20))
        #expect(piece(part) == 0..<20)
        #expect(piece(part + " | and") == 0..<20)
        #expect(piece(part.prefix(10) + "." + part.dropFirst(10)) == 0..<21)
        #expect(piece(part.replacing("+", with: "-").replacing("/", with: "_")) == 0..<20)
        #expect(piece(String(part.prefix(7))) == nil)
        #expect(piece(Self.pin) == nil)
        #expect(PrivateKeySearch(Array("label \(part)".utf8), known: known).first() != nil)
        #expect(PrivateKeySearch(Array("label \(part)".utf8), known: nil).first() == nil)
    }

    @Test func otherTextsHaveNoKeys() throws {
        for name in ["cert-ed25519.der", "bundle.pem.b64"] {
            let certificate = try Vectors.bytes(name)
            #expect(PrivateKeyRanges(certificate).ranges == [])
        }
        #expect(PrivateKeyRanges(Array("let pins = [\"sha256/\(Self.pin)\"]".utf8)).ranges == [])
    }

    /// Starts of keys whose rest could be anywhere after them.
    @Test(.notWithSanitizer) func theSearchTakesLinearTime() {
        // A key of Ed25519, and one whose length is 16 KiB.
        for start in ["<MC4CAQAwBQYDK2VwBCIEI>", "<MIJAAAIBADANBgkqhkiG9w0BAQEFAASC>"] {
            let (small, large) = (String(repeating: start, count: 500), String(repeating: start, count: 4000))
            let growth = Work.growth {
                _ = KnownPrivateKeys(in: Array(small.utf8))
            } large: {
                _ = KnownPrivateKeys(in: Array(large.utf8))
            }
            #expect(growth < 20, "\(start)")
        }
    }
}
