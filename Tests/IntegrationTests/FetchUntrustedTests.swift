import Foundation
import TestSupport
import Testing

/// Every reason why a chain does not validate: the message, the code and the exit status, without pins for scripts.
@Suite(.blocking) struct FetchUntrustedTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    struct Case: CustomTestStringConvertible, Sendable {
        let certificate: String
        var chain: String? = "intermediate.pem"
        var host = "localhost"
        let code: String
        let reason: String
        /// Options of s_server.
        var server: [String] = []

        var testDescription: String { "\(certificate) for \(host)" }
    }

    static let weakServer = ["-cipher", "DEFAULT@SECLEVEL=0"]

    static let cases = [
        Case(certificate: "leaf-expired", code: "expired", reason: "the server certificate expired on 2021-01-01"),
        Case(
            certificate: "leaf-not-yet-valid", code: "not-yet-valid",
            reason: "the server certificate is not valid yet: it starts on 2099-01-01"),
        Case(
            certificate: "leaf-by-expired", chain: "intermediate-expired.pem", code: "expired",
            reason: "the certificate of \"Example Test Expired Intermediate\" expired on 2021-01-01"),
        Case(
            certificate: "leaf-wrong-name", code: "name-mismatch",
            reason: "the server certificate is not for \"localhost\" but for wrong.example.org"),
        Case(
            certificate: "leaf-api", host: "127.0.0.1", code: "name-mismatch",
            reason: "the server certificate is not for \"127.0.0.1\" but for api.example.test"),
        Case(
            certificate: "leaf-partial-wildcard", host: "www.example.test", code: "name-mismatch",
            reason: "the server certificate is not for \"www.example.test\" but for w*.example.test"),
        Case(
            certificate: "leaf", host: "a.b.example.test", code: "name-mismatch",
            reason:
                "the server certificate is not for \"a.b.example.test\" but for localhost, *.example.test, 127.0.0.1, ::1"
        ),
        Case(
            certificate: "leaf", host: "127.0.0.2", code: "name-mismatch",
            reason: "the server certificate is not for \"127.0.0.2\" but for localhost, *.example.test, 127.0.0.1, ::1"),
        Case(
            certificate: "leaf-cn-only", code: "name-mismatch",
            reason:
                "the server certificate is not for \"localhost\" but names no host among its subject alternative names; "
                + "its common name, \"localhost\", is not used"),
        Case(
            certificate: "leaf-self-signed", chain: nil, code: "self-signed",
            reason: "the server certificate is self-signed by \"localhost\", and the trust store does not contain it"),
        Case(
            certificate: "other-leaf", chain: nil, code: "missing-intermediate",
            reason: "the server did not send the certificate of \"Unrelated Test Root\", which issued its own,"
                + " and the trust store does not contain it"),
        Case(
            certificate: "other-leaf", chain: "other-root.pem", code: "untrusted-root",
            reason:
                "unknown authority: the chain ends in \"Unrelated Test Root\", which the trust store does not contain"),
        Case(
            certificate: "leaf-rsa", chain: "intermediate-rsa.pem", code: "unknown-authority",
            reason: "unknown authority: the chain ends in \"Example Test RSA Intermediate\", issued by"
                + " \"Example Test RSA Root\", which the server did not send and the trust store does not contain"),
        Case(
            certificate: "leaf-rsa1024", code: "weak-key", reason: "the server certificate has a weak key: RSA 1024",
            server: weakServer),
        Case(
            certificate: "leaf-sha1", code: "weak-signature",
            reason: "the server certificate has a weak signature: ecdsa-with-SHA1", server: weakServer),
        Case(
            certificate: "leaf-by-leaf", chain: "leaf.chain.pem", code: "not-an-authority",
            reason: "the certificate of \"localhost\" issued another certificate, but is not a CA certificate"),
        Case(
            certificate: "leaf-unpermitted", chain: "intermediate-constrained.pem", code: "name-constraints",
            reason: "the server certificate has a name that the name constraints of its CA exclude"),
        Case(
            certificate: "leaf-client-only", code: "wrong-purpose",
            reason: "the server certificate is not for TLS servers"),
    ]

    @Test(arguments: cases) func showsTheChainButNoPin(test: Case) throws {
        try OpenSSLServer.run(test.certificate, chain: test.chain, options: test.server) { server in
            let common = ["fetch", "\(test.host):\(server.port)", "--connect-to", "127.0.0.1", "--anchors", anchors]
            let pin = try pki.pin(test.certificate)

            let text = try PinctlRun.spawn(common)
            #expect(text.status == 1, "\(text)")
            #expect(text.lines.first?.contains("not trusted") == true)
            #expect(text.lines.dropFirst().first == "  \(test.reason)")
            #expect(text.text.contains(pin))

            let json = try PinctlRun.spawn(common + ["--format", "ndjson"])
            #expect(json.status == 1)
            let host = try #require(try hosts(inLinesOf: json).first)
            #expect(host.trust?.trusted == false)
            #expect(host.trust?.code == test.code)
            #expect(host.trust?.reason == test.reason)
            #expect(host.trust?.anchor == nil)
            #expect(host.error == nil)
            #expect(host.pins.first == pin)

            for format in ["pin", "pem", "base64", "der"] {
                let bare = try PinctlRun.spawn(common + ["-s", "leaf", "--format", format])
                #expect(bare.status == 1)
                #expect(bare.output.isEmpty, "\(bare)")
                let error = "pinctl: error: \(test.host):\(server.port): the chain is not trusted: \(test.reason)\n"
                #expect(bare.errors.hasPrefix(error), "\(bare)")
            }

            let insecure = try PinctlRun.spawn(common + ["-s", "leaf", "--format", "pin", "--insecure"])
            #expect(insecure.status == 0, "\(insecure)")
            #expect(insecure.text == "\(pin)\n")
            // The chain stays untrusted.
            let shown = try PinctlRun.spawn(common + ["--insecure"])
            #expect(shown.status == 0)
            #expect(shown.text.contains("  \(test.reason)\n"), "\(shown)")
        }
    }

    @Test func reportsEveryReason() throws {
        try OpenSSLServer.run("leaf-expired") { server in
            let host = try report(
                "www.example.org", "--connect-to", server.endpoint, "--anchors", anchors, status: 1)
            #expect(host.trust?.code == "expired")
            #expect(
                host.trust?.reason
                    == "the server certificate expired on 2021-01-01; the server certificate is not for \"www.example.org\""
                    + " but for localhost, *.example.test, 127.0.0.1, ::1")
        }
    }

    /// A certificate with the signature of another key.
    @Test func forgedSignature() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var der = try pki.bytes("leaf.der")
        der[der.count - 1] ^= 1
        let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let file = try folder.write(
            "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n", to: "forged.pem")
        // s_server uses the last -cert.
        try OpenSSLServer.run("leaf", options: ["-cert", file]) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 1)
            #expect(host.trust?.code == "bad-signature")
            #expect(
                host.trust?.reason
                    == "the signature of the server certificate was not made by its issuer's key")
            let pins = try fetch(server.localhost, "--anchors", anchors, "-f", "pin")
            #expect(pins.output.isEmpty)
        }
    }

    /// Real certificate lists have a few kB. OpenSSL's default limit is 100 kB.
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func certificateListOverTheLimit(version: String) throws {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("long")
        defer { folder.remove() }
        func chain(bytes: Int) throws -> String {
            let one = try pki.text("intermediate.pem")
            let count = try bytes / pki.bytes("intermediate.der").count + 1
            return try folder.write(String(repeating: one, count: count), to: "\(bytes).pem")
        }
        func fetch(_ bytes: Int) throws -> PinctlRun {
            try OpenSSLServer.run(chain: chain(bytes: bytes), options: [version]) { server in
                try PinctlRun.spawn(
                    ["fetch", server.localhost, "--anchors", pki.path("root.pem"), "-f", "json", "-s", "leaf"])
            }
        }
        let long = try fetch(200_000)
        #expect(long.status == 0, "\(long.errors)")
        let tooLong = try fetch(256 << 10)
        #expect(tooLong.status == 3, "\(tooLong)")
        #expect(tooLong.text.contains(#""code": "tls""#), "\(tooLong)")
        #expect(
            tooLong.text.contains(
                "sent a handshake message that is longer than OpenSSL reads; the limit for a certificate list is 256 KiB"
            ),
            "\(tooLong)")
    }
}
