import TestSupport
import Testing

@testable import Authentication

@Suite struct NetrcTests {
    static func login(_ text: String, _ host: String, user: String? = nil) throws -> String? {
        let credential = try Netrc(parsing: Array(text.utf8)).credential(for: host, user: user)
        return credential.map { credential in
            let password = credential.withPassword { String(decoding: $0, as: UTF8.self) }
            return "\(credential.user ?? "-"):\(password ?? "-")"
        }
    }

    /// The expected values are those that curl 7.88.1 sends with `--netrc-file` (NetrcOracleTests compares the same files).
    static let files: [(text: String, host: String, expected: String?)] = [
        ("machine h.test login u password p", "h.test", "u:p"),
        ("machine H.TEST\n\tlogin u\n\tpassword p\n", "h.test", "u:p"),
        ("machine other.test login u password p", "h.test", nil),
        ("machine other.test login u password p\ndefault login d password q", "h.test", "d:q"),
        ("machine h.test login a password 1\nmachine h.test login b password 2", "h.test", "a:1"),
        ("machine h.test password p login u", "h.test", "u:p"),
        ("machine h.test login u account acct password p", "h.test", "u:p"),
        ("machine h.test login \"u ser\" password \"p \\\"q\\\" \\\\ \\t\"", "h.test", "u ser:p \"q\" \\ \t"),
        ("# comment password x\nmachine h.test login u # login v\npassword p", "h.test", "u:p"),
        ("macdef init\nmachine h.test login no password no\n\nmachine h.test login u password p", "h.test", "u:p"),
        ("", "h.test", nil),
    ]

    @Test(arguments: 0..<files.count) func logins(index: Int) throws {
        let file = Self.files[index]
        #expect(try Self.login(file.text, file.host) == file.expected)
    }

    @Test func aUserSelectsItsPassword() throws {
        let text =
            "machine h login a password 1 machine h login b password 2 machine h login c default login b password 3"
        #expect(try Self.login(text, "h", user: "b") == "b:2")
        #expect(try Self.login(text, "h", user: "c") == "c:-")
        #expect(try Self.login(text, "h", user: "x") == nil)
        #expect(try Self.login(text, "other", user: "b") == "b:3")
    }

    @Test(
        arguments: [
            ("login u", .noMachine, 1), ("machine", .missingValue, 1), ("machine h\nlogin", .missingValue, 2),
            ("machine h login u password my secret", .unexpectedWord, 1), ("\n\nmachine h \"login", .unclosedQuote, 3),
            ("machine h login \"a\nb\"", .unclosedQuote, 1),
        ] as [(String, Netrc.Failure.Reason, Int)])
    func violations(text: String, reason: Netrc.Failure.Reason, line: Int) {
        #expect(throws: Netrc.Failure(reason: reason, line: line)) { try Netrc(parsing: Array(text.utf8)) }
    }

    /// A message must not quote a word, which may be a part of a password.
    @Test func messagesContainNoWordOfTheFile() {
        do {
            _ = try Netrc(parsing: Array("machine h login u password hunter2 hunter3".utf8))
            Issue.record("no error")
        } catch {
            #expect(!"\(error)".contains("hunter"))
        }
    }

    @Test func bytesOutsideUTF8() throws {
        let text = Array("machine h login u password ".utf8) + [0xFF, 0xFE]
        #expect(try Netrc(parsing: text).credential(for: "h")?.withPassword { $0 } == [0xFF, 0xFE])
        #expect(throws: Netrc.Failure(reason: .encoding, line: 1)) {
            try Netrc(parsing: Array("machine h login ".utf8) + [0xFF])
        }
        #expect(throws: Netrc.Failure(reason: .tooLarge, line: 1)) {
            try Netrc(parsing: [UInt8](repeating: 0x20, count: Netrc.maximumSize + 1))
        }
    }

    /// Reads files with random damage, which is the same in every run. No file may cause a trap.
    @Test(.limit(minutes: 1)) func damageDoesNotTrap() {
        var generator = SeededGenerator(seed: 1635)
        var read = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            let seed = Self.files.randomElement(using: &generator)?.text ?? ""
            let words = ["machine ", "default ", "login ", "password ", "macdef ", "\"", "\\", "#", "\n", "\n\n"]
            let bytes = generator.damaged(Array(seed.utf8), words: words)
            do throws(Netrc.Failure) {
                let netrc = try Netrc(parsing: bytes)
                read += 1
                _ = netrc.credential(for: "h.test")
            } catch {
                #expect(error.line >= 1 && error.line <= bytes.count { $0 == 0x0A } + 1)
            }
        }
        #expect(read > TestEnvironment.rounds(1000))
    }
}
