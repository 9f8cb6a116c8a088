import Foundation
import KeyFiles
import TestSupport
import Testing

@testable import Fetching

@Suite struct TargetListReaderTests {
    /// The results of the lines, one word for each.
    private static func read(_ text: [UInt8], pieces: Int? = nil) -> [String] {
        var lines = TargetListReader(of: "list")
        var entries: [TargetListReader.Entry] = []
        var rest = text[...]
        while !rest.isEmpty {
            entries += lines.read(Array(rest.prefix(pieces ?? text.count)))
            rest = rest.dropFirst(pieces ?? text.count)
        }
        entries += lines.finish()
        return entries.map { entry in
            switch entry {
            case .targets(let range): range.isSingle ? range.first.description : "\(range.first)+\(range.count - 1)"
            case .invalidLine(let line): "\(line.list):\(line.line): \(line.text): \(line.error.reasonWithoutText)"
            }
        }
    }

    private static let text = """
        \u{FEFF}a.example\r
        # a comment
        \t b.example:8443  # another

        two words
        10.0.0.0/24:8443
        192.0.2.7=c.example
        last.example
        """
    private static let entries = [
        "a.example:443", "b.example:8443", #"list:5: two…: the name contains white space"#,
        "10.0.0.0:8443+255",
        "192.0.2.7:443=c.example", "last.example:443",
    ]

    /// The result is the same for each division of the bytes into pieces.
    @Test(arguments: [1, 2, 3, 7, 64, 1000]) func readsLines(pieces: Int) {
        #expect(Self.read(Array(Self.text.utf8), pieces: pieces) == Self.entries)
        #expect(Self.read(Array((Self.text + "\n").utf8), pieces: pieces) == Self.entries)
    }

    /// The list may be an `.env` file.
    @Test(arguments: [
        "DB_PASSWORD=hunter2,x", "TOKEN=hunter2 x", "A=b=hunter2", "export TOKEN=hunter2", "api:key=hunter2",
        "x=\"hunter2\"", "TOKEN=hunter2", "token=hunter2", "db_token=hunter2.x", "db.example:5432:db:user:hunter2",
        "{\"auth\":\"hunter2\"}", "a.example:hunter2", "<password>hunter2</password>", "a.example/?token=hunter2",
    ])
    func quotesNoValueOfASetting(line: String) {
        let lines = Self.read(Array("a.example\n\(line)\n".utf8))
        #expect(lines.count == 2 && lines[0] == "a.example:443")
        #expect(lines.last?.hasPrefix("list:2: ") == true && lines.last?.contains("hunter2") == false, "\(lines)")
    }

    @Test func readsNothing() {
        #expect(Self.read([]).isEmpty)
        #expect(Self.read(Array("\n\r\n  \n#\n".utf8)).isEmpty)
    }

    /// The reader must not buffer a file without line feeds.
    @Test(arguments: [1000, 4096, 1 << 20]) func refusesLinesThatDoNotEnd(pieces: Int) {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let lines = Self.read(Array("a.example\n".utf8) + long + Array("\nb.example\n".utf8), pieces: pieces)
        #expect(lines.count == 3)
        #expect(lines.first == "a.example:443")
        #expect(lines.dropFirst().first?.hasPrefix("list:2: xxxx") == true)
        #expect(lines.dropFirst().first?.hasSuffix(": it has more than 4096 bytes") == true)
        #expect(lines.last == "b.example:443")
    }

    /// Lines of a private key can look like hosts. None of them is resolved or printed.
    @Test(
        arguments: ["-----BEGIN PRIVATE KEY-----\n", "  -----BEGIN RSA PRIVATE KEY-----\r\n", "-----BEGIN X-----"],
        [1, 7, 10_000])
    func stopsAtAKey(begin: String, chunkSize: Int) {
        for secret in ["zfy5omuc4u4mbtobjfc2\nMC4CAQ+w/\n", String(repeating: "A", count: 6000)] {
            let bytes = Array("a.example\n\(begin)\(secret)\n-----END PRIVATE KEY-----\nb.example\n".utf8)
            var reader = TargetListReader(of: "list")
            var entries: [TargetListReader.Entry] = []
            for start in stride(from: 0, to: bytes.count, by: chunkSize) {
                entries += reader.read(Array(bytes[start..<min(start + chunkSize, bytes.count)]))
            }
            entries += reader.finish()
            #expect(reader.isKeyFile)
            guard entries.count == 2, case .targets(let first) = entries[0], case .invalidLine(let line) = entries[1]
            else {
                Issue.record("\(entries)")
                continue
            }
            #expect(first.isSingle && line.line == 2 && line.text.isEmpty && line.error == .keyFile(.pem))
        }
    }

    /// Private keys without the lines of PEM: RFC 8410, section 10.3; RFC 7517, appendix A.2; a key of PuTTY.
    private static let ed25519 = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC"
    /// The same key: `openssl pkey -outform DER | xxd -p`, and three lines of `openssl pkey -text`.
    private static let hex = "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769"
    private static let dump = ["ED25519 Private-Key:", "priv:", "    d4:ee:72:db:f9:13:58:4a:d5:b6:d8:f1:f7:69:f8:"]
    private static let jwk = #"{"kty":"EC","crv":"P-256","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}"#

    @Test(arguments: [
        ed25519, "\n# key\n \(ed25519)", ed25519.prefix(20) + "\n" + ed25519.dropFirst(20),
        "MC4CAQAw\nBQYDK2VwBCIE\nINTu",
        "a.example\n\(ed25519.dropFirst(16))", "a.example\nx \(ed25519.dropFirst(16))", jwk, "a.example\n" + jwk,
        "a.example\n# -----BEGIN PRIVATE KEY-----\nMC4CAQAw", "a.example\n<D>\(ed25519)</D>", "LS0tLS1CRUdJ\nTiBQ",
        "a.example\n\(String(repeating: "0123456789abcdef", count: 4))",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none", "key: -----BEGIN PRIVATE KEY-----\\nMC4CAQAw",
        hex, "a.example\n\(hex)", "3081ec3057\n06092a864886f7\n0d01050d", "a.example\n\(dump[2])",
        dump.joined(separator: "\n"),
        "a.example\n0.\u{2}\u{1}\u{0}0\u{5}\nzfy5omuc4u4mbtobjfc2", "h\u{0}o\u{0}s\u{0}t\u{0}",
    ])
    func stopsAtAKeyWithoutPEM(text: String) {
        for pieces in [1, 7, 10_000] {
            let entries = Self.read(Array((text + "\nzfy5omuc4u4mbtobjfc2\nb.example\n").utf8), pieces: pieces)
            #expect(entries.last?.contains(": : it ") == true, "\(entries)")
            #expect(entries.dropLast().allSatisfy { $0 == "a.example:443" || $0.count <= 24 }, "\(entries)")
            #expect(!entries.joined().contains("zfy5omuc4u4mbtobjfc2"), "\(entries)")
            #expect(entries.count <= 2 || text.hasPrefix("MC4CAQAw") || text.hasPrefix("3081ec3057"), "\(entries)")
        }
    }

    /// Hosts that look like base64, and lines of other texts, do not end the list.
    @Test(arguments: [
        "302e0201", "3020300012345678", "2001:db8:0:0:0:0:0:1", "00:11:22:33:44:55:66:77",
        "MAILSERVER1", "MIAMI", "MC4C", "MHcC", "K8sNode42ProductionEuropeWest1LoadBalancer.Example.COM",
        "K8sNode42ProductionEuropeWest1LoadBalancer:8443", "internal-load-balancer-01-of-the-first-zone",
        "https://a.example/Zfy5Omuc4u4mbtobjfc2Zfy5Omuc4u4mbtobjfc2", "This Is A Sentence About Hosts 42",
        "10.0.0.0/24=a-Long-Server-Name-With-Many-Letters-42.example", "\u{1B}[31mred", "m\u{FC}nchen.example",
    ])
    func otherLinesDoNotEndTheList(line: String) {
        let entries = Self.read(Array("\(line)\nb.example\n".utf8))
        #expect(entries.last == "b.example:443" && !entries.joined().contains("a key"), "\(entries)")
    }

    private static let keyFiles =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: Vectors.folder.appending(path: "material").path())) ?? [])
        .filter { $0.hasPrefix("private-") || $0.contains(".p12") }.sorted()

    /// Every file in which `hash` finds a private key ends the list, also as base64 and with random damage, which is the same in every
    /// run.
    @Test(.limit(minutes: 2), arguments: keyFiles) func stopsAtEveryFileWithAPrivateKey(name: String) throws {
        let original = try Vectors.bytes(name)
        let base64 = Array(Data(original).base64EncodedString().utf8)
        let wrapped = [8, 20, 64, 76].map { width in
            stride(from: 0, to: base64.count, by: width).flatMap { base64.dropFirst($0).prefix(width) + [0x0A] }
        }
        var generator = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
        var count = 0
        for file in [original, base64] + wrapped {
            for number in 0..<20 {
                var bytes = file
                if number > 0, !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                let hasKey = KeyFile.read(bytes).contains { object in
                    switch object {
                    case .success(let object): object.kind == .privateKey
                    case .failure(let error): error.problem == .needsPassword
                    }
                }
                guard hasKey else { continue }
                count += 1
                var reader = TargetListReader(of: "list")
                let entries = reader.read(bytes) + reader.finish()
                #expect(reader.isKeyFile && entries.count < 10, "\(bytes)")
            }
        }
        #expect(count > 0)
    }
}
