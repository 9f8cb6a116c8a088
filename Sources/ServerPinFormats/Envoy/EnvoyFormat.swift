internal import Encodings
public import PinSetCodec
internal import Pinning

/// `verify_certificate_spki` and `verify_certificate_hash` in the validation context of an Envoy upstream, in YAML or JSON.
///
/// The host is `sni` of the same TLS context. An SPKI pin is base64 of 32 bytes; a certificate hash is 64 hexadecimal digits, with
/// or without colons (envoyproxy/envoy 00fc27cc, source/common/tls/cert_validator/default_validator.cc). Each field also has a name in
/// camel case, as in the JSON of Protocol Buffers.
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
        var places = PlacesOfHosts(usedBy: "a cluster of Envoy")
        var contexts = UpstreamContexts()
        let documents = try documents(bytes)
        let clientSecrets = try secretsOfClients(documents)
        for document in documents {
            try document.visitMappings { mapping, outer throws(PinSetFormatError) in
                contexts.add(mapping, common: try field("common_tls_context", "commonTlsContext", in: mapping))
                let keys = try field("verify_certificate_spki", "verifyCertificateSpki", in: mapping)
                let hashes = try field("verify_certificate_hash", "verifyCertificateHash", in: mapping)
                guard let first = keys ?? hashes else { return }
                let secret = outer.last?["name"]?.text
                guard try !isOfClients(outer), !(secret.map(clientSecrets.contains) ?? false) else {
                    warnings.add(.clientCertificates(line: first.position.line))
                    return
                }
                guard isValidationContext(mapping) else {
                    let name = (keys == nil ? "verify_certificate_hash" : "verify_certificate_spki").quotedExcerpt
                    warnings.add(
                        .notRead(
                            "Envoy reads \(name) only in a \("validation_context".quotedExcerpt)",
                            line: first.position.line))
                    return
                }
                let name = ([mapping] + outer.reversed()).lazy.compactMap { $0["sni"]?.text }.first { !$0.isEmpty }
                var entry = FingerprintEntry(host: name ?? host ?? "", at: first.position)
                try checkTexts(of: keys)
                try checkTexts(of: hashes)
                for (text, position) in texts(ofOptional: keys, &warnings) {
                    entry.keys.append(PinSet.PinnedKey(pin: try barePin(text, at: position), role: .leaf))
                }
                for (text, position) in texts(ofOptional: hashes, &warnings) {
                    entry.fingerprints.append(try fingerprint(text, at: position))
                }
                guard !entry.keys.isEmpty || !entry.fingerprints.isEmpty else { return }
                guard name != nil || host != nil else { throw missingHost(at: first.position) }
                try addUncheckedConnections(of: mapping, outer, entry, at: first.position, &warnings)
                let pins = Set(entry.keys.map(\.pin.bytes) + entry.fingerprints.map(\.digest))
                places.add(pins, of: entry.host, at: first.position, &warnings)
                contexts.addPins(within: outer)
                list.add(entry)
            }
        }
        contexts.addWarnings(about: list.entries, &warnings)
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write pins like this: verify_certificate_spki: [\"…\"]")
        }
        return list.entries
    }

    /// Whether a mapping can be the message with these fields: `CertificateValidationContext` (api/envoy/extensions/transport_sockets/tls/v3/
    /// common.proto). A file can also contain only this message.
    private static func isValidationContext(_ mapping: YAMLMapping) -> Bool {
        guard let path = mapping.path, !path.isEmpty else { return true }
        if let type = mapping["@type"]?.text { return type.ends(with: ".CertificateValidationContext") }
        let keys = [
            "validation_context", "validationContext", "default_validation_context", "defaultValidationContext",
        ]
        return keys.contains { path == $0 + "." || path.ends(with: "." + $0 + ".") }
    }

    /// The names of the secrets that only contexts for client certificates use.
    private static func secretsOfClients(_ documents: [YAMLValue]) throws(PinSetFormatError) -> Set<String> {
        var (clients, servers): (Set<String>, Set<String>) = ([], [])
        for document in documents {
            try document.visitMappings { mapping, outer throws(PinSetFormatError) in
                let secret = try field(
                    "validation_context_sds_secret_config", "validationContextSdsSecretConfig", in: mapping)
                guard let name = secret?["name"]?.text else { return }
                if try isOfClients(outer + [mapping]) { clients.insert(name) } else { servers.insert(name) }
            }
        }
        return clients.subtracting(servers)
    }

    /// Whether the pins apply to client certificates: in a listener of Envoy, or in a Gateway of Istio.
    private static func isOfClients(_ outer: [YAMLMapping]) throws(PinSetFormatError) -> Bool {
        for mapping in outer {
            let isRequired = try field("require_client_certificate", "requireClientCertificate", in: mapping)
            let isOfClients =
                mapping["kind"]?.text == "Gateway"
                || mapping["@type"]?.text?.ends(with: ".DownstreamTlsContext") ?? false
                || isRequired?.isTrue ?? false
            if isOfClients { return true }
        }
        return false
    }

    /// The value of a field with two names.
    ///
    /// Both names in one message are an error, because readers differ: that of Protocol Buffers in C++ rejects them, or in its legacy
    /// mode unites the lists (json/internal/parser.cc `ParseField`).
    private static func field(
        _ name: String, _ other: String, in mapping: YAMLMapping
    ) throws(PinSetFormatError) -> YAMLValue? {
        guard let value = mapping[name] else { return mapping[other] }
        guard let second = mapping[other] else { return value }
        let message =
            "the field \(name.quotedExcerpt) occurs twice: \(other.quotedExcerpt) is another name of it"
        throw error(
            .file(.yaml(YAMLError(position: second.position, message: message))), at: second.position)
    }

    /// Checks that a list has no empty text, which Envoy rejects as it does any text that is not 32 bytes (default_validator.cc
    /// `initializeSslContexts`).
    private static func checkTexts(of value: YAMLValue?) throws(PinSetFormatError) {
        for item in value?.sequence ?? [] where item.text?.isEmpty ?? false {
            throw rejected(
                "", by: "Envoy", expected: "the pin or the hash, or remove the item", at: item.position)
        }
    }

    /// Adds warnings about settings with which Envoy accepts other certificates (default_validator.cc `doVerifyCertChain`,
    /// `verifyCertAndUpdateStatus`).
    private static func addUncheckedConnections(
        of mapping: YAMLMapping, _ outer: [YAMLMapping], _ entry: FingerprintEntry, at position: SourcePosition,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        let verification = try field("trust_chain_verification", "trustChainVerification", in: mapping)
        if let verification, ["ACCEPT_UNTRUSTED", "1"].contains(verification.text) {
            let setting = "trust_chain_verification: ACCEPT_UNTRUSTED"
            warnings.add(
                .uncheckedConnections(
                    "with \(setting.quotedExcerpt), Envoy also accepts a certificate without a pin",
                    line: verification.position.line),
                of: entry.host)
        }
        // cert_validator/utility.cc `getCertValidatorName`
        let validator = try field("custom_validator_config", "customValidatorConfig", in: mapping)
        if let validator, let members = validator.members,
            case let name = members.first(where: { $0.key == "name" })?.value.text ?? "",
            name != "envoy.tls.cert_validator.default"
        {
            warnings.add(
                .uncheckedConnections(
                    "with \("custom_validator_config".quotedExcerpt), Envoy uses the validator \(name.quotedExcerpt) in place of the"
                        + " one that compares pins",
                    line: validator.position.line),
                of: entry.host)
        }
        // A default context can get its anchors from another source.
        var context: YAMLValue?
        if let parent = outer.last { context = try field("validation_context", "validationContext", in: parent) }
        guard let context, context.members?.first?.position == mapping.members.first?.position else { return }
        for (name, other) in anchorFields {
            guard let value = try field(name, other, in: mapping), !isNull(value) else { continue }
            // The others can be empty messages.
            if name == "trusted_ca", !hasText(value) { continue }
            return
        }
        warnings.add(
            .uncheckedConnections(
                "without \("trusted_ca".quotedExcerpt), Envoy validates neither the chain nor its dates",
                line: position.line),
            of: entry.host)
    }

    /// Whether a value is null, which is the same as no field (Protocol Buffers, JSON mapping).
    private static func isNull(_ value: YAMLValue) -> Bool {
        guard case .scalar(let text, isPlain: true) = value.content else { return false }
        return ["", "null", "Null", "NULL", "~"].contains(text)
    }

    /// Whether a data source has a file, a text or a variable.
    private static func hasText(_ source: YAMLValue) -> Bool {
        guard let members = source.members else { return true }
        return members.contains { member in
            !isNull(member.value) && member.value.text.map { !$0.isEmpty } ?? true
        }
    }

    /// The fields of a validation context that contain trust anchors, or replace the validator.
    private static let anchorFields = [
        ("trusted_ca", "trustedCa"), ("ca_certificate_provider_instance", "caCertificateProviderInstance"),
        ("system_root_certs", "systemRootCerts"), ("custom_validator_config", "customValidatorConfig"),
    ]

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
