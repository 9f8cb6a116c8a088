import Foundation
import TestSupport
import Testing

/// `pinctl challenge --cert` with a server that names the CAs of client certificates.
@Suite(.blocking) struct ChallengeCertificateTests {
    private let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// nginx names the subjects of `ssl_client_certificate`, and refuses other certificates with status 400.
    @Test func aCertificateOfAnotherAuthority() throws {
        try Nginx.run {
            Nginx.host(
                $0, "leaf",
                more: "ssl_verify_client on; ssl_client_certificate PKI/root.pem; ssl_verify_depth 3;"
                    + " location / { return 200 hello; }")
        } _: { server in
            func challenge(_ certificate: String, _ key: String) throws -> PinctlRun {
                try PinctlRun.spawn([
                    "challenge", "https://\(server.localhost)/", "--anchors", pki.path("root.pem"), "--cert",
                    pki.path(certificate), "--key", pki.path(key),
                ])
            }
            let listed = try challenge("client.chain.pem", "client.key")
            #expect(listed.status == 0 && !listed.text.contains("none of them"), "\(listed)")
            let other = try challenge("other-leaf.pem", "other-leaf.key")
            let words = other.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(other.status == 1, "\(other)")
            #expect(
                words.contains("the server names the CAs \"CN=Example Test Root, O=Example Test PKI\"; none"),
                "\(other)")
            #expect(words.contains("none of them is \"Unrelated Test Root\", which issued"), "\(other)")
            #expect(
                other.errors.contains("hint: use a certificate of one of the CAs that the server names"), "\(other)")
            // The CA is below one that the server names, and the file does not show this.
            let alone = try challenge("client.pem", "client.key")
            let text = alone.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("none of them is \"Example Test Intermediate\", which issued"), "\(alone)")
        }
    }
}
