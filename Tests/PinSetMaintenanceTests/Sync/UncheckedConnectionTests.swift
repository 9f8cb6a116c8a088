import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// A copy with the pins of the set, and with a setting that switches their comparison off, is not equal. Lint reports the setting once.
@Suite struct UncheckedConnectionTests {
    private func set(_ role: String) throws -> PinSet {
        let pins = [Lint.rootX1, Lint.rootX2].map { "{\"sha256\":\"\($0)\",\"role\":\"\(role)\"}" }
        let hosts = "{\"a.example.com\":{\"pins\":[\(pins.joined(separator: ","))]}}"
        return try PinSet(json: Array("{\"version\":1,\"hosts\":\(hosts)}".utf8))
    }

    private func differences(
        _ file: [UInt8], _ set: PinSet, _ format: PinSetFormat
    ) throws -> (codes: [CopyDifference.Code], lines: [Int?]) {
        let copy = try PinSetCopy(of: set, as: format, fileName: format.fileName, contents: file)
        let comparison = try copy.compared(with: file) { _ in nil }
        return (comparison.differences.map(\.code), comparison.differences.map(\.line))
    }

    /// Docs/formats.md names the sources of what each program does with the changed text.
    private static let changes: [(PinSetFormat, role: String, old: String, new: String, line: Int)] = [
        (.openconnect, "leaf", "servercert", "cafile=/etc/ca.pem\nservercert", 2),
        (.envoy, "leaf", "trusted_ca:", "watched_directory:", 16),
        (
            .envoy, "leaf", "verify_certificate_spki",
            "trust_chain_verification: ACCEPT_UNTRUSTED\n        verify_certificate_spki", 15
        ),
        (.elastic, "ca", "https://", "http://", 2),
        (.elastic, "ca", "ssl.ca_sha256", "ssl.verification_mode: none\n  ssl.ca_sha256", 3),
        (.elastic, "ca", "output", "output.elasticsearch.ssl.verification_mode: none\noutput", 1),
        (.elastic, "ca", "output", "output:\n  elasticsearch:\n    ssl: {enabled: false}\noutput", 3),
        (.elastic, "ca", "ssl.ca_sha256", "ssl.verification_mode: ${MODE:full}\n  ssl.ca_sha256", 3),
        (.elastic, "ca", "https://", "", 2),
        (.elastic, "ca", "ssl.ca_sha256", "ssl.enabled: \"false\"\n  ssl.ca_sha256", 3),
        (.elastic, "ca", "ssl.ca_sha256", "ssl.verification_mode: 1\n  ssl.ca_sha256", 3),
        (.elastic, "ca", "ssl.ca_sha256", "ssl.enabled: f\n  ssl.ca_sha256", 3),
        (.envoy, "leaf", "filename:", "# filename:", 16),
        (.stubby, "any", "_REQUIRED", "_NONE", 1), (.stubby, "any", "GETDNS_AUTHENTICATION_REQUIRED", "1300", 1),
        (.stubby, "any", "_TLS", "_TCP", 3),
        (.stubby, "any", "tls_authentication: GETDNS_AUTHENTICATION_REQUIRED\n", "", 5),
        (.stubby, "any", "dns_transport_list:\n  - GETDNS_TRANSPORT_TLS\n", "", 4),
        (.cronet, "any", "Anchors(false)", "Anchors(true)", 9),
        (.cronet, "any", "Anchors(false)", "Anchors(BuildConfig.DEBUG)", 9),
        (.cronet, "any", "enablePublicKeyPinningBypassForLocalTrustAnchors(false)\n", "", 9),
        (.hpkp, "any", "; max-age=5184000", "", 2), (.hpkp, "any", "max-age=5184000", "max-age=60; max-age=60", 2),
        (.hpkp, "any", "max-age=5184000", "max-age=abc", 2),
    ]

    @Test(arguments: changes.indices) func isDifferent(index: Int) throws {
        let (format, role, old, new, line) = Self.changes[index]
        let set = try set(role)
        var written = String(decoding: try set.written(as: format).main, as: UTF8.self)
        if format == .hpkp { written = "# a.example.com\n" + written }
        #expect(try differences(Array(written.utf8), set, format).codes.isEmpty)
        let text = written.replacing(old, with: new, maxReplacements: 1)
        try #require(text != written)
        let found = try differences(Array(text.utf8), set, format)
        #expect(found.codes == [.readingLoss] && found.lines == [line], "\(text)\n\(found)")
        let findings = try Lint.findings(text, as: format).filter { $0.code == .unpinnedHost }
        #expect(findings.map(\.line) == [line], "\(findings)")
    }

    /// Envoy's field has two names, and kubeadm join uses no InitConfiguration.
    @Test(arguments: [
        (
            PinSetFormat.envoy, "leaf", "verify_certificate_spki",
            "verifyCertificateSpki: []\n        verify_certificate_spki"
        ),
        (.kubeadm, "ca", "JoinConfiguration", "InitConfiguration"),
    ])
    func isUnreadable(format: PinSetFormat, role: String, old: String, new: String) throws {
        let set = try set(role)
        let text = String(decoding: try set.written(as: format).main, as: UTF8.self).replacing(old, with: new)
        #expect(try differences(Array(text.utf8), set, format).codes == [.unreadable])
        #expect(try Lint.codes(text, as: format) == [.malformed])
    }
}
