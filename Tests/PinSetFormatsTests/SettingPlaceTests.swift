import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Pins of servers and clients at places of a file where the program does not read them, or reads them for another purpose.
@Suite struct SettingPlaceTests: FormatSuite {
    /// Settings at other places of a file, which the program does not read. Only Fleet has them in the output itself. Parts of a file are read.
    @Test(arguments: [
        (
            PinSetFormat.elastic, "output.elasticsearch:\n  hosts: [\"https://h.example\"]\n  ca_sha256: [\"<>\"]\n",
            3 as Int?
        ),
        (
            .elastic,
            "output.elasticsearch:\n  hosts: [\"https://h.example\"]\n  ssl.certificate.ca_sha256: [\"<>\"]\n", 3
        ),
        (.elastic, "output.elasticsearch:\n  hosts: [\"https://h.example\"]\nssl:\n  ca_sha256: [\"<>\"]\n", 4),
        (.elastic, "ssl:\n  ca_sha256: [\"<>\"]\n", nil), (.elastic, "ca_sha256: [\"<>\"]\n", nil),
        (.elastic, "xpack.fleet.outputs:\n- hosts: [\"https://h.example\"]\n  ca_sha256: [\"<>\"]\n", nil),
        (.elastic, "outputs:\n  default:\n    ssl.ca_sha256: [\"<>\"]\n", nil),
        (.kubeadm, "kind: JoinConfiguration\ndiscovery:\n  caCertHashes: [\"sha256:<hex>\"]\n", 3),
        (.kubeadm, "kind: JoinConfiguration\ncaCertHashes: [\"sha256:<hex>\"]\n", 2),
        (.kubeadm, "discovery:\n  bootstrapToken:\n    discoveryTokenCACertHashes: [\"sha256:<hex>\"]\n", 3),
        (.kubeadm, "discovery:\n  bootstrapToken:\n    caCertHashes: [\"sha256:<hex>\"]\n", nil),
        (.kubeadm, "caCertHashes: [\"sha256:<hex>\"]\n", nil),
        (.kubeadm, "discoveryTokenCACertHashes: [\"sha256:<hex>\"]\n", nil),
        (.envoy, "c:\n  common_tls_context:\n    verify_certificate_spki: [\"<>\"]\n", 3),
        (.envoy, "c:\n  tls_certificates:\n  - verifyCertificateSpki: [\"<>\"]\n", 3),
        (.envoy, "c:\n  validation_context:\n    trusted_ca: {}\n    verify_certificate_spki: [\"<>\"]\n", nil),
        (
            .envoy,
            "c:\n  combinedValidationContext:\n    defaultValidationContext: {verifyCertificateSpki: [\"<>\"]}\n", nil
        ),
        (.envoy, "validation_context: {verify_certificate_spki: [\"<>\"]}\n", nil),
        (.envoy, "verify_certificate_spki: [\"<>\"]\n", nil),
    ])
    func settingsAtOtherPlaces(format: PinSetFormat, text: String, line: Int?) throws {
        let text = text.replacing("<>", with: Self.pin).replacing("<hex>", with: Self.hex)
        guard let line else {
            let reading = try read(text, as: format, host: "h.example")
            return #expect(reading.set.entries.map(\.host) == ["h.example"])
        }
        let error = try error(text, as: format, host: "h.example")
        #expect(error.message.contains("line \(line) is not read"), "\(error)")
    }

    /// The pins of a secret that only a listener uses are for client certificates.
    @Test(arguments: [("Downstream", false), ("Upstream", true)]) func secretsOfEnvoy(context: String, isRead: Bool)
        throws
    {
        let text = """
            listeners:
            - typed_config:
                "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.\(context)TlsContext
                common_tls_context: {validation_context_sds_secret_config: {name: peers}}
            secrets:
            - name: peers
              validation_context: {trusted_ca: {filename: a}, verify_certificate_spki: ["\(Self.pin)"]}
            """
        guard isRead else {
            return #expect(try error(text, as: .envoy, host: "h.example").message.contains("certificates of clients"))
        }
        #expect(summary(try read(text, as: .envoy, host: "h.example")) == ["h.example leaf \(Self.pin)"])
    }
}
