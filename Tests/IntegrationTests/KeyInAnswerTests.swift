import Foundation
import TestSupport
import Testing

/// Private keys in the answers of servers. No message shows more than four characters of one, wherever the message cuts the answer.
@Suite(.blocking) struct KeyInAnswerTests {
    private static let secret = "zQ7xK2mV9pLw4tRb8nYc3hJs6gFd1aEu5oIzQ8kXy0W"
    private static let age = "7X3GF2TVDW0S3JN54KHCE6MUA7LQQPZRY9X8GF2TVDW0S3JN54KHCE6MUA"

    private static let keys = [
        #"{"kty":"OKP","d":"\#(secret)"}"#, #"{"d":"\#(secret)","kty":"OKP"}"#, "AGE-SECRET-KEY-1\(age)",
        "<RSAKeyValue><D>\(secret)</D></RSAKeyValue>",
    ]

    private func check(_ run: PinctlRun, _ key: String) {
        let output = run.text + run.errors
        for secret in [Self.secret, Self.age] {
            for start in 0...secret.count - 5 {
                #expect(!output.contains(String(secret.dropFirst(start).prefix(5))), "\(key): \(run)")
            }
        }
    }

    /// Answers that do not belong to the protocol, and refusals; `*` is the key. The padding moves the cut into the key.
    @Test(arguments: [
        ("imap", "*"), ("pop3", "*"), ("irc", "*"), ("smtp", "554 \(String(repeating: "no ", count: 60))*"),
        ("ftp", "530 \(String(repeating: "no ", count: 60))*"),
    ])
    func startTLS(protocol name: String, answer: String) throws {
        for key in Self.keys {
            try RawPeer.run { connection in
                if name == "irc" { _ = connection.read() }
                connection.write("\(answer.replacing("*", with: key))\r\n")
            } _: { peer in
                let run = try PinctlRun.spawn(["fetch", "--starttls", name, peer.endpoint])
                #expect(run.status == 3 && run.errors.contains("…"), "\(run)")
                check(run, key)
            }
        }
    }

    @Test func insteadOfTLSAndHTTP() throws {
        for key in Self.keys {
            try RawPeer.run { connection in
                _ = connection.read()
                connection.write("\(key)\r\n\r\n")
            } _: { peer in
                let runs = [
                    ["fetch", peer.endpoint], ["fetch", "--proxy", "http://\(peer.endpoint)", "origin.test"],
                    ["challenge", "http://\(peer.endpoint)/"],
                ]
                for arguments in runs {
                    let run = try PinctlRun.spawn(arguments)
                    #expect(run.status != 0 && run.errors.contains("…"), "\(run)")
                    check(run, key)
                }
            }
        }
    }

    /// The host of a URL is in lower case, and a key can contain a slash after it, or characters that no host contains.
    @Test(arguments: ["text", "json"]) func hostOfARedirect(format: String) throws {
        let der = try ChildProcess.output(of: [
            "sh", "-c",
            "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 2>/dev/null | openssl pkcs8 -topk8 -nocrypt -outform DER",
        ])
        let key = Data(der).base64EncodedString()
        #expect(key.hasPrefix("MIIG/"))
        let jwk = #"{"kty": "OKP", "x": "\#(String(repeating: "a", count: 40))", "d": "\#(Self.secret)"}"#
        for (location, key) in [("//\(key)", key), ("http://\(jwk)/", Self.secret)] {
            try RawPeer.run { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "--format", format, "http://\(peer.endpoint)/"])
                #expect(run.status == 3, "\(run)")
                for start in stride(from: 8, to: key.count - 5, by: 1) {
                    let part = String(key.dropFirst(start).prefix(5))
                    #expect(!(run.text + run.errors).contains(part), "\(location): \(run)")
                }
            }
        }
    }

    /// Without doubled backslashes, each is the start of a quoted-pair (RFC 9110, section 5.6.4), so the realm lacks them.
    @Test(arguments: ["text", "json"]) func realmWithBackslashes(format: String) throws {
        let der = try ChildProcess.output(of: [
            "sh", "-c",
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 | openssl ec -outform DER 2>/dev/null",
        ])
        // The secret follows SEQUENCE, version 1 and the start of an OCTET STRING (RFC 5915, section 3).
        let secret = der[7..<39]
        func digits(_ bytes: some Sequence<UInt8>, _ radix: Int, _ count: Int, _ start: String) -> String {
            bytes.map { byte in
                let text = String(byte, radix: radix)
                return start + String(repeating: "0", count: count - text.count) + text
            }.joined()
        }
        let dump =
            #"0:d=0  hl=2 l= 119 cons: SEQUENCE\n 2:d=1  hl=2 l=   1 prim: INTEGER :01\n 5:d=1  hl=2 l=  32 prim: OCTET STRING      [HEX DUMP]:\#(digits(secret, 16, 2, "").uppercased())\n"#
        let forms = [
            (digits(der, 16, 2, #"\x"#), digits(secret.prefix(4), 16, 2, "x")),
            (digits(der, 8, 3, #"\"#), digits(secret.prefix(4), 8, 3, "")),
            (dump, digits(secret.prefix(4), 16, 2, "").uppercased()),
        ]
        for (realm, part) in forms {
            try RawPeer.run { connection in
                _ = connection.read()
                let field = "WWW-Authenticate: Basic realm=\"staff \(realm)\""
                connection.write("HTTP/1.1 401 x\r\n\(field)\r\nContent-Length: 0\r\n\r\n")
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "--format", format, "http://\(peer.endpoint)/"])
                #expect(run.text.contains("staff"), "\(run)")
                let shown = (run.text + run.errors).replacing("\\", with: "")
                #expect(!shown.contains(part), "\(realm): \(run)")
            }
        }
    }

    /// A refusal of several lines, with a line of a dump in each: `od -tx1`.
    @Test func dumpInARefusal() throws {
        let command =
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 | openssl pkcs8 -topk8 -nocrypt -outform DER | od -v -tx1"
        let dump = String(decoding: try ChildProcess.output(of: ["sh", "-c", command]), as: UTF8.self)
        let lines = dump.split(separator: "\n").map { "554-\($0)\r\n" }.joined()
        // The secret begins after 36 bytes, in the third line.
        let secret = dump.split(separator: "\n")[2].split(separator: " ").dropFirst(5).prefix(4).joined(separator: " ")
        try RawPeer.run { connection in
            connection.write("\(lines)554 end\r\n")
        } _: { peer in
            let run = try PinctlRun.spawn(["fetch", "smtp://\(peer.endpoint)"])
            #expect(run.status == 3 && run.errors.contains("554 0000000 30 8…"), "\(run)")
            #expect(!run.errors.contains(secret), "\(run)")
        }
    }

    /// pinctl percent-encodes characters of the URL.
    @Test(arguments: ["text", "json"]) func redirect(format: String) throws {
        let encoded = [("{", "%7B"), ("}", "%7D"), ("\"", "%22")].reduce(Self.keys[0]) {
            $0.replacing($1.0, with: $1.1)
        }
        for key in Self.keys + [encoded] {
            try RawPeer.run { connection in
                while let request = connection.read() {
                    let isFirst = request.starts(with: "GET / ".utf8)
                    let head = isFirst ? "302 Found\r\nLocation: /cb?k=\(key)" : "200 OK"
                    connection.write("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n")
                }
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "--format", format, "http://\(peer.endpoint)/"])
                #expect(run.status == 0 && run.text.contains("/cb?k="), "\(run)")
                check(run, key)
            }
        }
    }
}
