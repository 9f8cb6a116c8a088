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
            case .invalidLine(let line): "\(line.list):\(line.line): \(line.text): \(line.error.reason)"
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
        "a.example:443", "b.example:8443", #"list:5: two words: "two words" contains white space"#,
        "10.0.0.0:8443+255",
        "192.0.2.7:443=c.example", "last.example:443",
    ]

    /// The result is the same for each division of the bytes into pieces.
    @Test(arguments: [1, 2, 3, 7, 64, 1000]) func readsLines(pieces: Int) {
        #expect(Self.read(Array(Self.text.utf8), pieces: pieces) == Self.entries)
        #expect(Self.read(Array((Self.text + "\n").utf8), pieces: pieces) == Self.entries)
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
            #expect(reader.isPEM)
            guard entries.count == 2, case .targets(let first) = entries[0], case .invalidLine(let line) = entries[1]
            else {
                Issue.record("\(entries)")
                continue
            }
            #expect(first.isSingle && line.line == 2 && line.text.isEmpty && line.error == .pem)
        }
    }
}
