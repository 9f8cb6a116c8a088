import Encodings
import Testing

@testable import Pinning

struct DistinguishedNameTests {
    /// A name with a common name.
    private func name(_ text: String) throws -> DistinguishedName {
        let value = DERWriter.element(0x0C, Array(text.utf8))
        // 2.5.4.3 (RFC 5280, appendix A.1).
        let attribute = DERWriter.element(0x30, DERWriter.element(0x06, [0x55, 4, 3]) + value)
        return try #require(DistinguishedName(der: DERWriter.element(0x30, DERWriter.element(0x31, attribute))))
    }

    /// The escapes of RFC 4514 would divide a key, so that only its start is recognized.
    @Test(arguments: [
        "-----BEGIN PRIVATE KEY-----\n*\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY----- * -----END PRIVATE KEY-----",
        "*", "x;*", "# *, ", #"{"kty":"OKP","d":"*"}"#, #"{"d":"*","kty":"OKP"}"#,
    ])
    func noPrivateKeyIsShown(form: String) throws {
        let key = "MC4CAQAwBQYDK2VwBCIEI+T7+2Rl+mdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+A"
        let references = key.utf8.map {
            $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "A") ? "&#\($0);" : "\(Unicode.Scalar($0))"
        }
        let spellings =
            ["", "\u{200B}", "\u{7}"].map { key.map(String.init).joined(separator: $0) } + [references.joined()]
        for spelling in spellings {
            let shown = try name(form.replacing("*", with: spelling)).description.filter {
                $0 != "\u{200B}" && $0 != "\u{7}"
            }
            for secret in ["T7", "2Rl", "mdoaW", "bG1ub", "dXZ3e", "fn"] {
                #expect(!shown.contains(secret), "\(shown)")
            }
            #expect(shown.contains("…"), "\(shown)")
        }
    }

    /// `openssl x509 -nameopt sep_comma_plus_space,dn_rev,esc_2253,utf8,sname,dump_der`.
    @Test(arguments: [
        ("A+B, C; \"D\" <E>", #"CN=A\+B\, C\; \"D\" \<E\>"#), (" a ", #"CN=\ a\ "#), ("#a", ##"CN=\#a"##),
        ("50% & é", "CN=50% & é"),
    ])
    func escapes(text: String, expected: String) throws {
        try #expect(name(text).description == expected)
    }
}
