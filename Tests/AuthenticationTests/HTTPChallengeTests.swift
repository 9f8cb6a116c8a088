import TestSupport
import Testing

@testable import Authentication

@Suite struct HTTPChallengeTests {
    typealias Parameter = HTTPChallenge.Parameter

    static func parse(_ values: String...) throws -> [HTTPChallenge] {
        try HTTPChallengeParser.challenges(in: values.map { Array($0.utf8) })
    }

    static func challenge(_ scheme: String, _ parameters: (String, String)...) -> HTTPChallenge {
        HTTPChallenge(
            scheme: scheme, token68: nil, parameters: parameters.map { Parameter(name: $0.0, bytes: Array($0.1.utf8)) })
    }

    /// The example of RFC 9110, section 11.6.1.
    @Test func readsTheExampleOfRFC9110() throws {
        let found = try Self.parse(
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#)
        #expect(
            found == [
                Self.challenge("Basic", ("realm", "simple")),
                Self.challenge("Newauth", ("realm", "apps"), ("type", "1"), ("title", "Login to \"apps\"")),
            ])
    }

    /// Digest computes with the bytes, and messages show the value.
    @Test func aValueShowsNoKeyThatNeedsItsBackslashes() throws {
        let key = String(repeating: #"\x41"#, count: 40)
        let marker = #"\x30\x77\x02\x01\x01\x04\x20"# + key
        let realm = try #require(try Self.parse(#"Digest realm="staff \#(marker)", nonce="a\"b""#).first)
        #expect(realm["realm"]?.contains("staff") == true && realm["realm"]?.contains("41") == false)
        #expect(realm.bytes(of: "realm") == Array("staff \(marker.replacing("\\", with: ""))".utf8))
        #expect(realm["nonce"] == #"a"b"#)
    }

    /// A session keeps a record of each challenge.
    @Test func limitsTheNumberOfChallenges() throws {
        let maximum = HTTPChallengeParser.maximumChallenges
        func list(_ count: Int) -> String { [String](repeating: "NTLM", count: count).joined(separator: ", ") }
        func reason(_ values: String...) -> HTTPChallengeError.Reason? {
            do throws(HTTPChallengeError) {
                _ = try HTTPChallengeParser.challenges(in: values.map { Array($0.utf8) })
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason(list(maximum)) == nil)
        #expect(reason(list(maximum + 1)) == .tooMany)
        #expect(reason(list(maximum), "Basic realm=r") == .tooMany)
    }

    /// A name that occurs twice is an error, in a list of any length.
    @Test func readsManyParameters() throws {
        let names = (0..<1500).map { "p\($0)" }
        let list = names.map { "\($0)=v" }.joined(separator: ",")
        #expect(try Self.parse("Basic \(list)").first?.parameters.map(\.name) == names)
        do throws(HTTPChallengeError) {
            _ = try HTTPChallengeParser.challenges(in: Array("Basic \(list),P7=w".utf8))
            Issue.record("a duplicate is accepted")
        } catch {
            #expect(error.reason == .duplicate("p7"))
        }
    }

    /// The challenge of RFC 7616, section 3.9.1: two header fields.
    @Test func readsSeveralHeaderFields() throws {
        let found = try Self.parse(
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
        #expect(found.map(\.scheme) == ["Digest", "Digest"])
        #expect(found.map { $0["algorithm"] } == ["SHA-256", "MD5"])
        #expect(found.first?["qop"] == "auth, auth-int")
        guard case .digest(let scheme)? = HTTPScheme.strongest(of: found) else {
            Issue.record("no Digest scheme")
            return
        }
        #expect(scheme.algorithm == .sha256)
    }

    @Test(arguments: [
        // A token68 (RFC 9110, section 11.2), with and without padding, before and after other challenges.
        ("Negotiate YII/abc+d==", [HTTPChallenge(scheme: "Negotiate", token68: "YII/abc+d==", parameters: [])]),
        (
            #"Negotiate a2V5, Basic realm="x""#,
            [
                HTTPChallenge(scheme: "Negotiate", token68: "a2V5", parameters: []),
                challenge("Basic", ("realm", "x")),
            ]
        ),
        ("NTLM", [challenge("NTLM")]),
        (
            "NTLM,Negotiate , Basic realm=a",
            [challenge("NTLM"), challenge("Negotiate"), challenge("Basic", ("realm", "a"))]
        ),
        // Empty elements of a list, white space around the equals sign, and names in upper case (RFC 9110, sections 5.6.1 and 11.2).
        (", ,Basic REALM = \"a\" ,, charset = UTF-8,", [challenge("Basic", ("realm", "a"), ("charset", "UTF-8"))]),
        (#"Unknown-1 a="x, Basic realm=\"no\", y""#, [challenge("Unknown-1", ("a", #"x, Basic realm="no", y"#))]),
        ("Basic\trealm=\"\"", [challenge("Basic", ("realm", ""))]),
        ("", []),
        (" , \t", []),
    ])
    func reads(value: String, expected: [HTTPChallenge]) throws { #expect(try Self.parse(value) == expected) }

    /// "Basic realm=" is a token68, so "x" begins another challenge.
    @Test(
        arguments: [
            ("realm=\"x\"", .noScheme, 0), ("Basic realm=\"x", .unclosedQuote, 12),
            ("Basic realm=\"x\\", .unclosedQuote, 12),
            ("Basic realm=\"a\nb\"", .controlCharacter, 14), ("Basic realm=\"a\\\rb\"", .controlCharacter, 15),
            ("Basic realm=a b=c", .noComma, 14), ("Basic realm=\"a\"b", .noComma, 15),
            ("Basic realm=, x=y", .noScheme, 14),
            ("Basic a=1, a=2", .duplicate("a"), 11), ("Basic realm=@", .noValue, 12), ("\"x\"", .noToken, 0),
            ("Basic a=1 \u{0}", .noComma, 10), ("Basic \"a\"", .noToken, 6),
        ] as [(String, HTTPChallengeError.Reason, Int)])
    func refuses(value: String, reason: HTTPChallengeError.Reason, offset: Int) {
        #expect(throws: HTTPChallengeError(reason: reason, offset: offset)) { try Self.parse(value) }
    }

    @Test func refusesALongValue() {
        let value = "Basic realm=\"" + String(repeating: "a", count: HTTPChallengeParser.maximumLength) + "\""
        #expect(throws: HTTPChallengeError(reason: .tooLong, offset: HTTPChallengeParser.maximumLength)) {
            try Self.parse(value)
        }
    }

    /// Digest precedes Basic, and unknown schemes are skipped (RFC 7616, section 3.7).
    @Test func selectsTheStrongestScheme() throws {
        func strongest(_ value: String) throws -> String? {
            HTTPScheme.strongest(of: try Self.parse(value))?.name
        }
        #expect(
            try strongest(#"Negotiate, NTLM, Basic realm="r", Digest realm="r", nonce="n", qop="auth""#) == "Digest MD5"
        )
        #expect(
            try strongest(
                #"Digest realm="r", nonce="n", qop="auth", algorithm=MD5, Digest realm="r", nonce="n", qop="auth", algorithm=SHA-512-256-sess, Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
            ) == "Digest SHA-512-256-sess")
        // An unknown algorithm, a missing nonce, and an unknown quality of protection.
        #expect(try strongest(#"Digest realm="r", nonce="n", algorithm=SHA-1, BASIC realm="r""#) == "Basic")
        #expect(try strongest(#"Digest realm="r", qop="auth", Basic realm="r""#) == "Basic")
        #expect(try strongest(#"Digest realm="r", nonce="n", qop="auth-conf""#) == nil)
        // Basic requires a realm, and UTF-8 is its only charset (RFC 7617, section 2).
        #expect(try strongest("Basic") == nil)
        #expect(try strongest(#"Basic realm="r", charset="ISO-8859-1""#) == nil)
        #expect(try strongest("Negotiate, NTLM") == nil)
    }

    /// Reads challenges with random damage, which is the same in every run. No value may cause a trap.
    @Test(.limit(minutes: 1)) func damageDoesNotTrap() {
        let seeds = [
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            #"Digest realm="r", qop="auth, auth-int", algorithm=SHA-256, nonce="n", opaque="o", stale=true"#,
            "Negotiate YII/abc+d==, NTLM , Basic realm=a",
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 7616)
        var parsed = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var bytes = seeds.randomElement(using: &generator) ?? []
            for _ in 0...Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array("\",= \\\t\r".utf8).randomElement(using: &generator) ?? 0, at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            do {
                let challenges = try HTTPChallengeParser.challenges(in: bytes)
                parsed += 1
                for challenge in challenges {
                    let text = challenge.parameters.map(\.value).joined() + (challenge.token68 ?? "")
                    #expect(!text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }))
                }
                _ = HTTPScheme.strongest(of: challenges)
            } catch {
                #expect(error.offset <= bytes.count)
            }
        }
        #expect(parsed > TestEnvironment.rounds(1000))
    }
}
