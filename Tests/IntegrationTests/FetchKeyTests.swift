import Foundation
import TestSupport
import Testing

/// The pin is correct for each key type of a server.
@Suite(.blocking) struct FetchKeyTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    struct Kind: CustomTestStringConvertible, Sendable {
        let leaf: String
        let intermediate: String
        let root: String
        let key: String
        let type: String
        let bits: Int?
        let curve: String?

        var testDescription: String { leaf }
    }

    static let kinds = [
        Kind(
            leaf: "leaf", intermediate: "intermediate", root: "root", key: "EC P-256", type: "EC", bits: 256,
            curve: "P-256"),
        Kind(
            leaf: "leaf-p384", intermediate: "intermediate", root: "root", key: "EC P-384", type: "EC", bits: 384,
            curve: "P-384"),
        Kind(
            leaf: "leaf-rsa", intermediate: "intermediate-rsa", root: "root-rsa", key: "RSA 2048", type: "RSA",
            bits: 2048,
            curve: nil),
        Kind(
            leaf: "leaf-ed25519", intermediate: "intermediate", root: "root", key: "Ed25519", type: "Ed25519",
            bits: nil,
            curve: nil),
    ]

    @Test(arguments: kinds) func pinsEqualThoseOfOpenSSL(kind: Kind) throws {
        let names = [kind.leaf, kind.intermediate, kind.root]
        let pins = try names.map { try pki.pin($0) }
        try Nginx.run {
            Nginx.host($0, kind.leaf)
        } _: { server in
            let anchors = pki.path("\(kind.root).pem")
            let bare = try fetch(server.localhost, "--anchors", anchors, "--format", "pin")
            #expect(bare.status == 0)
            #expect(bare.text == pins.map { "\($0)\n" }.joined())
            #expect(bare.errors.isEmpty)

            let text = try fetch(server.localhost, "--anchors", anchors)
            #expect(text.status == 0)
            #expect(text.lines.first?.hasPrefix("\(server.localhost)  trusted  TLSv1.3") == true, "\(text)")
            #expect(text.lines.dropFirst().first?.contains(kind.key) == true, "\(text)")
            for pin in pins { #expect(text.text.contains(pin)) }

            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.pins == pins)
            #expect(host.roles == ["leaf", "intermediate", "root"])
            #expect(host.chain.map(\.position) == [0, 1, 2])
            #expect(host.sources == ["served", "served", "store"])
            #expect(host.chain.map { [UInt8]($0.der) } == (try names.map { try pki.bytes("\($0).der") }))
            let key = try #require(host.chain.first?.key)
            #expect(key.type == kind.type)
            #expect(key.bits == kind.bits)
            #expect(key.curve == kind.curve)
            #expect(host.error == nil)
        }
    }

    /// curl accepts the pin and rejects another one.
    @Test(arguments: kinds) func curlAcceptsThePinAndRefusesAnother(kind: Kind) throws {
        try Nginx.run {
            Nginx.host($0, kind.leaf, more: "location / { return 204; }")
        } _: { server in
            let anchors = pki.path("\(kind.root).pem")
            let pin = try fetch(server.localhost, "--anchors", anchors, "-s", "leaf", "-f", "pin").text.dropLast()
            func curl(_ pin: some StringProtocol) throws -> ChildProcess.End {
                try ChildProcess.run([
                    "curl", "--silent", "--cacert", anchors, "--pinnedpubkey", "sha256//\(pin)", "--output",
                    "/dev/null",
                    "https://\(server.localhost)/",
                ]).end
            }
            try #expect(curl(pin) == .exit(0))
            // CURLE_SSL_PINNEDPUBKEYNOTMATCH
            try #expect(curl(try pki.pin(kind.intermediate)) == .exit(90))
        }
    }

    /// A server with two certificates sends pinctl the same one as it sends the client of openssl.
    @Test func twoCertificatesOnOneServer() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let shown = try ChildProcess.output(
                of: ["sh", "-c", "openssl s_client -connect \(server.endpoint) </dev/null | openssl x509 -outform DER"])
            let host = try report(server.localhost, "--anchors", pki.path("anchors"), status: 0)
            #expect(host.chain.first.map { [UInt8]($0.der) } == shown)
            #expect(host.trust?.trusted == true)
        }
    }

    @Test func everyFieldOfACertificate() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let host = try report(server.localhost, "--anchors", pki.path("root.pem"), "-s", "leaf", status: 0)
            let leaf = try #require(host.chain.first)
            #expect(host.chain.count == 1)
            let told = String(
                decoding: try ChildProcess.output(of: [
                    "openssl", "x509", "-in", pki.path("leaf.pem"), "-noout", "-serial", "-fingerprint", "-sha256",
                    "-subject",
                    "-issuer", "-nameopt", "rfc2253", "-dates", "-dateopt", "iso_8601",
                ]), as: UTF8.self)
            let fingerprint = leaf.sha256.uppercased()
            let pairs = stride(from: 0, to: fingerprint.count, by: 2).map { fingerprint.dropFirst($0).prefix(2) }
            let expected = """
                serial=\(leaf.serial)
                sha256 Fingerprint=\(pairs.joined(separator: ":"))
                subject=CN=localhost,O=Example Test PKI
                issuer=CN=Example Test Intermediate,O=Example Test PKI
                notBefore=2020-01-01 00:00:00Z
                notAfter=2049-12-31 23:59:59Z

                """
            #expect(told == expected)
            #expect(leaf.subject == "CN=localhost, O=Example Test PKI")
            #expect(leaf.issuer == "CN=Example Test Intermediate, O=Example Test PKI")
            #expect(leaf.notBefore == "2020-01-01T00:00:00Z")
            #expect(leaf.notAfter == "2049-12-31T23:59:59Z")
            #expect(leaf.dnsNames == ["localhost", "*.example.test"])
            #expect(leaf.ipAddresses == ["127.0.0.1", "::1"])
            #expect(leaf.signatureAlgorithm == "ecdsa-with-SHA256")
            #expect(host.trust?.anchor == "CN=Example Test Root, O=Example Test PKI")
            #expect(host.address == server.endpoint)
            #expect(host.target == server.localhost)
            #expect(host.cipher == "TLS_AES_128_GCM_SHA256")
        }
    }
}
