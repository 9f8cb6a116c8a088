import Encodings
import TestSupport
import Testing

/// Keys and certificates of openssl, given by mistake in place of pins.
struct PrivateKeyTextTests {
    @Test(arguments: [
        ["genpkey", "-algorithm", "ed25519"], ["genpkey", "-algorithm", "RSA"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["ecparam", "-name", "secp384r1", "-genkey", "-noout"],
    ])
    func aKeyIsNotQuoted(arguments: [String]) throws {
        let pem = try ChildProcess.output(of: ["openssl"] + arguments)
        let text = String(decoding: pem, as: UTF8.self)
        let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try Base64.decode(base64)
        let hex = Hex.encode(der)
        for (key, start) in [(base64, "M"), (hex, "30"), (Base64.encode(pem), "LS0t")] {
            let shown = String(key.prefix(4))
            #expect(shown.hasPrefix(start))
            #expect(key.quotedExcerpt == "\"\(shown)…\"")
            #expect("{\"pin\":\"sha256/\(key)\"}".quotedExcerpt.hasPrefix(#""{\"pin\":\"sha256/\#(shown)…"#))
            let lines = stride(from: 0, to: key.count, by: 16).map { key.dropFirst($0).prefix(16) }
            for end in ["\n", "\r\n", "\\n"] {
                let text = "-----BEGIN PRIVATE KEY-----" + end + lines.joined(separator: end) + end + "|"
                #expect(text.withoutPrivateKeys == "-----BEGIN PRIVATE KEY-----\(end)\(shown)…\(end)|")
                let excerpt = "-----BEGIN\(end)\(lines.joined(separator: end))".quotedExcerpt
                #expect(excerpt.hasSuffix("\(shown)…\""), "\(excerpt)")
            }
            #expect("a \(key.prefix(60)) b".quotedExcerpt == "\"a \(shown)… b\"")
        }
    }

    @Test(arguments: [
        "", "M", "30", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "MIIB", "LS0tLS1CRUdJT",
        // The start of a certificate, and of a public key.
        "MIIBszCCAVmgAwIBAgIUZ", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE", "30820122300d06092a864886f70d01010105",
    ])
    func otherTextsAreQuotedWhole(text: String) {
        #expect(text.quotedExcerpt == "\"\(text)\"")
    }
}
