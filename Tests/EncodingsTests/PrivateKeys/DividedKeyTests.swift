import Foundation
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

    static func pieces(_ text: String, _ size: Int) -> [String] {
        stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
    }

    private static func key(_ arguments: [String]) throws -> [UInt8] {
        let isTraditional = arguments == traditional
        let input = isTraditional ? try key(["genpkey", "-algorithm", "RSA"]) : []
        return try ChildProcess.output(of: ["openssl"] + arguments + ["-outform", "DER"], input: input)
    }

    private static let traditional = ["rsa", "-inform", "DER", "-traditional"]

    static func spellings(_ arguments: [String]) throws -> [String] {
        let key = try key(arguments)
        return [Base64.encode(key), Hex.encode(key), Hex.encode(key).uppercased()]
    }

    /// The error about a text that should contain no key; nil if it has no such key.
    static func error(_ text: String) -> ScatteredPrivateKey? {
        KnownPrivateKeys.store.withValue(KnownPrivateKeys.Store()) {
            do throws(ScatteredPrivateKey) {
                try KnownPrivateKeys.remember(from: Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
    }

    static let algorithms = [
        ["genpkey", "-algorithm", "ed25519"], ["genpkey", "-algorithm", "x25519"], ["genpkey", "-algorithm", "ed448"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["ecparam", "-genkey", "-noout", "-name", "prime256v1"], ["genpkey", "-algorithm", "RSA"],
        traditional,
    ]

    @Test(arguments: algorithms, Division.allCases)
    func aStartIsRecognized(arguments: [String], division: Division) throws {
        for spelling in try Self.spellings(arguments) {
            for size in [64, 48, 44, 40, 32, 28, 21, 16] where size < spelling.count {
                let pieces = Self.pieces(spelling, size)
                let text = "{\n" + division.text(of: pieces)
                // A key in lines with a usual prefix is in one place.
                if division != .hostLines {
                    #expect(Self.error(text) == ScatteredPrivateKey(.divided, line: 2), "\(size): \(text)")
                }
                #expect(KnownPrivateKeys(in: Array(text.utf8)).piece(at: 0, of: Array(pieces[0].utf8)) != nil)
                let shown = text.withoutPrivateKeys
                // Letters without digits could be a name.
                for (index, piece) in pieces.enumerated()
                where piece.prefix(while: { $0 != "=" }).count >= 12 && piece.contains(where: \.isNumber) {
                    let secret = piece.dropFirst(4)
                    #expect(!shown.contains(secret.prefix(8)), "\(size) \(index): \(shown)")
                    #expect(!shown.contains(secret.suffix(8)), "\(size) \(index): \(shown)")
                }
            }
        }
    }

    @Test(arguments: [
        ["-inform", "DER", "-topk8", "-v2", "aes-256-cbc"],
        ["-inform", "DER", "-topk8", "-scrypt"],
    ])
    func theStartOfAnEncryptedKey(arguments: [String]) throws {
        let key = try Self.key(["genpkey", "-algorithm", "RSA"])
        let encrypted = try ChildProcess.output(
            of: ["openssl", "pkcs8", "-passout", "pass:x", "-outform", "DER"] + arguments, input: key)
        for spelling in [Base64.encode(encrypted), Hex.encode(encrypted)] {
            for size in [16, 20, 24, 32] {
                let text = Self.pieces(spelling, size).map { "<a>\($0)</a>" }.joined()
                #expect(Self.error(text) == ScatteredPrivateKey(.divided, line: 1), "\(size)")
            }
        }
    }

    /// How programs print a key in one place.
    @Test(arguments: algorithms) func wholeKeysAreNotDivided(arguments: [String]) throws {
        let key = try Self.key(arguments)
        let (base64, hex) = (Base64.encode(key), Hex.encode(key))
        let lines = Self.pieces(base64, 64)
        let pem = "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"
        let pemLines = pem.split(separator: "\n").map(String.init)
        let bytes = Self.pieces(hex, 2)
        // One expression for all texts takes the compiler most of a minute.
        var texts: [String] = [base64, hex, "key = \"\(base64)\";", "x\n\(pem)y\n"]
        texts.append("{\"key\":\"\(pem.replacing("\n", with: "\\n"))\"}")
        texts.append(pemLines.map { "// \($0)\n" }.joined())
        texts.append(pemLines.map { "# \($0)\n" }.joined())
        texts.append(lines.map { "\"\($0)\" +\n" }.joined())
        texts.append(Self.pieces(hex, 60).joined(separator: "\n"))
        texts.append(bytes.joined(separator: ":"))
        texts.append(bytes.map { "0x\($0), " }.joined())
        let numbers = try bytes.map { try #require(UInt8($0, radix: 16)) }
        texts.append(numbers.map { "0x\(String($0, radix: 16)), " }.joined())
        for text in texts {
            #expect(Self.error(text) == nil, "\(text)")
            #expect(text.containsPrivateKey, "\(text)")
        }
    }

    /// Other text between the parts can be read as more of the key.
    @Test(arguments: [16, 20, 32, 64]) func pinsBetweenTheParts(size: Int) throws {
        for arguments in Self.algorithms {
            let key = try Self.key(arguments)
            for separator in [" ", "\n", "\", \"", ", "] {
                let pin = Hex.encode(try Base64.decode(Array(Self.pin.utf8)))
                let hex = Self.pieces(Hex.encode(key), size).map { "\($0)\(separator)\(pin)" }
                    .joined(separator: separator)
                #expect(Self.error(hex) != nil, "\(arguments) \(hex)")
                let pieces = Self.pieces(Base64.encode(key), size)
                guard pieces.count > 1 else { continue }
                let base64 = pieces.map { "\($0)\(separator)\(Self.pin)" }.joined(separator: separator)
                #expect(Self.error(base64) != nil, "\(arguments) \(base64)")
            }
        }
    }

    /// The start of another structure with the version of a key.
    @Test func aStructureOfPKCS7IsNoKey() {
        #expect(Self.error("3071020100306c06092a864886f70d0107013065") == nil)
    }

    @Test(arguments: [16, 20, 28]) func aStartInACommentOfAList(size: Int) throws {
        for spelling in try Self.spellings(["genpkey", "-algorithm", "ed25519"]) {
            let start = spelling.prefix(size)
            for line in [
                "# \(start)", "#\(start)", "h.example # \(start)", "\(start).example", "https://\(start).example/",
            ] {
                #expect(PrivateKeyLines.isKey(Array(line.utf8)[...]), "\(line)")
            }
        }
        for line in ["# a comment", "h.example # MIIE", "302e.example", "https://h.example/%41%42", ""] {
            #expect(!PrivateKeyLines.isKey(Array(line.utf8)[...]), "\(line)")
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
            _ = (KnownPrivateKeys(in: Array(start.utf8)), Self.error(start))
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
            _ = (PrivateKeySearch(Array(text.utf8), known: known).first(), Self.error(text))
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

    /// Starts of keys, and texts that could begin an escape.
    @Test(.notWithSanitizer) func theSearchTakesLinearTime() {
        // A key of Ed25519, and others of 16 KiB and 1 KiB.
        for start in [
            "<MC4CAQAwBQYDK2VwBCIEI>", "<MIJAAAIBADANBgkqhkiG9w0BAQEFAASC>", "MIIEAAIBADANBgkqhkiG9w0BAQEFAASC ",
            "30820400020100300d06092a864886f70d010101050004820400 ", "\\\\\\\\\\\\", "\\u0041", "&#65;&#",
        ] {
            let (small, large) = (String(repeating: start, count: 100), String(repeating: start, count: 800))
            let growth = Work.growth {
                _ = (KnownPrivateKeys(in: Array(small.utf8)), Self.error(small))
            } large: {
                _ = (KnownPrivateKeys(in: Array(large.utf8)), Self.error(large))
            }
            #expect(growth < 20, "\(start)")
        }
    }
}
