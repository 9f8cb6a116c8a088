import OpenSSL
import Testing

@testable import Authentication

@Suite struct HTTPSchemeTests {
    static func credential(_ user: String, _ password: String) -> PasswordCredential {
        PasswordCredential(user: user, password: Array(password.utf8))
    }

    static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    static func digest(_ value: String) throws -> DigestScheme {
        let challenge = try #require(try HTTPChallengeParser.challenges(in: Array(value.utf8)).first)
        return try #require(DigestScheme(challenge))
    }

    /// The examples of RFC 7617, sections 2 and 2.1.
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
    ])
    func basicOfRFC7617(user: String, password: String, expected: String) {
        let credential = Self.credential(user, password)
        #expect(BasicScheme.canTransport(credential))
        #expect(Self.text(BasicScheme.authorization(credential)) == expected)
    }

    /// RFC 7617, section 2: no colon in the user name, no control characters.
    @Test func basicCannotTransportColonsAndControlCharacters() {
        #expect(!BasicScheme.canTransport(Self.credential("a:b", "c")))
        #expect(!BasicScheme.canTransport(Self.credential("a\n", "c")))
        #expect(!BasicScheme.canTransport(Self.credential("a", "c\u{7F}")))
        #expect(BasicScheme.canTransport(Self.credential("a", "b:c")))
    }

    /// The example of RFC 7616, section 3.9.1.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func digestOfRFC7616(algorithm: String, response: String) throws {
        let scheme = try Self.digest(
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
        let request = DigestScheme.Request(
            method: "GET", target: "/dir/index.html", clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(
            Self.text(scheme.authorization(Self.credential("Mufasa", "Circle of Life"), for: request))
                == #"Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\#(response)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
    }

    /// The example of RFC 7616, section 3.9.2, with the hashes of its errata: the RFC computes them with an early draft
    /// of SHA-512/256.
    @Test func digestWithHashedUserOfRFC7616() throws {
        let scheme = try Self.digest(
            #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true"#
        )
        let request = DigestScheme.Request(
            method: "GET", target: "/doe.json", clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
        let value = try #require(
            Self.text(
                scheme.authorization(Self.credential("J\u{E4}s\u{F8}n Doe", "Secret, or not?"), for: request)))
        #expect(value.contains("username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\""))
        #expect(value.contains("response=\"3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5\""))
        #expect(value.hasSuffix(", userhash=true"))
    }

    /// What curl 7.88.1 sends for `curl --proxy-digest -U 'us er:p:ss"w' -x PROXY https://target.example:8443/`. Its SHA-512-256 is
    /// left out, because this version uses SHA-256 for it.
    @Test(arguments: [
        ("MD5", "NjIzN2U2M2NmY2M5OTUwNjI5ZWFlNzk5NDdiNmQ2MWM=", "683ee46151774d6871250b82bfa57c20"),
        ("MD5-sess", "NmQ2MDJiOWUwYWI2ZjU4OWU1YWY2ZmQyY2QyY2JiYzg=", "1eb791e3b245bb40b84034f4cacd86fb"),
        (
            "SHA-256", "NGY5NzVlOGM4MjQyYmFiNmY4NTc5NjcyMGI5ZDc0Y2M=",
            "00c23aa840a0b02781f11bd2de68074399f3dd947e2f942b5e2324dbfea3d846"
        ),
        (
            "SHA-256-SESS", "Y2MxZjEyODQxOGE5ODcxMDMxZGQ3ZWMzN2UyM2I2OGY=",
            "c20cdabe71d297cd33d6728df5209335cbaeae91693520879fb72a7471541cb7"
        ),
    ])
    func digestOfCurl(algorithm: String, clientNonce: String, response: String) throws {
        let scheme = try Self.digest(
            #"Digest realm="re \"q\" alm", nonce="n0nce==", algorithm=\#(algorithm), qop="auth", opaque="op""#)
        let request = DigestScheme.Request(
            method: "CONNECT", target: "target.example:8443", clientNonce: clientNonce)
        let credential = Self.credential("us er", "p:ss\"w")
        #expect(scheme.response(credential, for: request) == response)
        let value = try #require(Self.text(scheme.authorization(credential, for: request)))
        #expect(value.contains(#"realm="re \"q\" alm""#))
    }

    /// RFC 2069 has no quality of protection. The response is that of curl 7.88.1 for this challenge.
    @Test func digestWithoutQualityOfProtection() throws {
        let scheme = try Self.digest(#"Digest realm="re \"q\" alm", nonce="n0nce==", opaque="op""#)
        let request = DigestScheme.Request(method: "CONNECT", target: "target.example:8443", clientNonce: "unused")
        let value = try #require(
            Self.text(scheme.authorization(Self.credential("us er", "p:ss\"w"), for: request)))
        #expect(value.contains("response=\"b51f769f8c52250b2f854d35daea358c\""))
        #expect(!value.contains("unused") && !value.contains("nc=") && !value.contains("qop"))
    }

    /// RFC 7616, section 3.4, and RFC 8187, section 3.2.1.
    @Test func digestEncodesAUserOutsideASCII() throws {
        let scheme = try Self.digest(#"Digest realm="r", nonce="n", qop="auth", stale=TRUE"#)
        #expect(scheme.isStale)
        let request = DigestScheme.Request(method: "CONNECT", target: "h:1", clientNonce: "c", count: 0x1F)
        let value = try #require(Self.text(scheme.authorization(Self.credential("J\u{E4} d%", "x"), for: request)))
        #expect(value.contains("username*=UTF-8''J%C3%A4%20d%25, "))
        #expect(value.contains("nc=0000001f"))
    }

    /// FIPS 180-4 (NIST's example values) and RFC 1321, appendix A.5.
    @Test func hashesOfOpenSSL() {
        func hex(_ bytes: [UInt8]?) -> String {
            (bytes ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let text = Array("abc".utf8)
        #expect(hex(Digest.hash(text, with: .md5)) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(
            hex(Digest.hash(text, with: .sha256))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(Digest.hash(text, with: .sha512t256))
                == "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
    }

    @Test func noDescriptionShowsThePassword() {
        let credential = Self.credential("user", "hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        dump([credential], to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), "\([credential])", dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(credential.withPassword { $0 } == Array("hunter2".utf8))
        #expect(credential.hasPassword && !Self.credential("user", "").hasPassword)
    }
}
