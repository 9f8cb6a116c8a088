internal import Encodings
public import PinSetCodec
internal import Pinning

/// `verify_certificate_spki` and `verify_certificate_hash` in the validation context of an Envoy upstream, in YAML or JSON.
///
/// The host is `sni` of the same TLS context. An SPKI pin is base64 of 32 bytes; a certificate hash is 64 hexadecimal digits, with
/// or without colons (envoyproxy/envoy 00fc27cc, source/common/tls/cert_validator/default_validator.cc). pinctl also reads both
/// keys in camel case.
enum EnvoyFormat: FingerprintReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "envoy", summary: "verify_certificate_spki of an Envoy upstream, YAML or JSON",
        fileName: "envoy-tls.yaml", readingInputs: [.host, .certificates], writingInputs: [.host],
        comparesLeafOnly: true, platforms: [.envoy], lintRules: [.leafPinsOnly],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static let position = ComparedPosition.leaf

    static func recognizes(_ file: FileContents) -> Bool {
        ["verify_certificate_spki", "verify_certificate_hash", "verifycertificatespki", "verifycertificatehash"]
            .contains { file.bytes.contains(ignoringCase: $0) }
    }

    // MARK: Reading

    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry] {
        var list = FingerprintList()
        for document in try documents(bytes) {
            try document.visitMappings { mapping, outer throws(PinSetFormatError) in
                let keys = mapping["verify_certificate_spki"] ?? mapping["verifyCertificateSpki"]
                let hashes = mapping["verify_certificate_hash"] ?? mapping["verifyCertificateHash"]
                guard let first = keys ?? hashes else { return }
                guard !isOfClients(outer) else {
                    warnings.add(.clientCertificates(line: first.position.line))
                    return
                }
                let name = ([mapping] + outer.reversed()).lazy.compactMap { $0["sni"]?.text }.first { !$0.isEmpty }
                var entry = FingerprintEntry(host: name ?? host ?? "", at: first.position)
                for (text, position) in texts(ofOptional: keys, &warnings) {
                    entry.keys.append(PinSet.PinnedKey(pin: try barePin(text, at: position), role: .leaf))
                }
                for (text, position) in texts(ofOptional: hashes, &warnings) {
                    entry.fingerprints.append(try fingerprint(text, at: position))
                }
                guard !entry.keys.isEmpty || !entry.fingerprints.isEmpty else { return }
                guard name != nil || host != nil else { throw missingHost(at: first.position) }
                list.add(entry)
            }
        }
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write pins like this: verify_certificate_spki: [\"…\"]")
        }
        return list.entries
    }

    /// Whether the pins apply to client certificates: in a listener of Envoy, or in a Gateway of Istio.
    private static func isOfClients(_ outer: [YAMLMapping]) -> Bool {
        outer.contains { mapping in
            mapping["kind"]?.text == "Gateway"
                || mapping["@type"]?.text?.ends(with: ".DownstreamTlsContext") ?? false
                || mapping["require_client_certificate"]?.isTrue ?? false
        }
    }

    private static func fingerprint(
        _ text: String, at position: SourcePosition
    ) throws(PinSetFormatError) -> CertificateDigest {
        let hasColons = text.utf8.count == 95
        let digits = hasColons ? text.filter { $0 != ":" } : text
        guard let fingerprint = CertificateDigest(hex: digits, line: position.line) else {
            throw rejected(
                text, by: "Envoy", expected: "the SHA-256 of the certificate, 64 hexadecimal digits", at: position)
        }
        return fingerprint
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var documents: [String] = []
        let hosts = try set.written(as: Self.self, comparing: .leaf, host: inputs.host, &warnings)
        if hosts.count > 1 { warnings.add(.hostsNotToldApart(count: hosts.count)) }
        for (host, keys) in hosts {
            let kind = IPAddress(host) == nil ? "DNS" : "IP_ADDRESS"
            var text = """
                transport_socket:
                  name: envoy.transport_sockets.tls
                  typed_config:
                    "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                    sni: \(quoted(host))
                    common_tls_context:
                      validation_context:
                        # Without trusted_ca, Envoy validates neither the chain nor its dates.
                        trusted_ca:
                          filename: /etc/ssl/certs/ca-certificates.crt
                        match_typed_subject_alt_names:
                          - san_type: \(kind)
                            matcher:
                              exact: \(quoted(host))
                        verify_certificate_spki:

                """
            for key in keys { text += "          - \(quoted(key.pin.base64))\n" }
            documents.append(text)
        }
        return PinSetWriting(documents.joined(separator: "---\n"), warnings)
    }
}

extension PinSetFormat {
    public static let envoy = PinSetFormat(EnvoyFormat.self)
}
