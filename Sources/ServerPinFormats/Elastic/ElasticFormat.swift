internal import Encodings
public import PinSetCodec
internal import Pinning

/// `ssl.ca_sha256` and `ssl.ca_trusted_fingerprint` of Beats, Elastic Agent and Fleet, in YAML.
///
/// `ca_sha256` is a list of the base64 SHA-256 of CAs' public keys. `ca_trusted_fingerprint` is the SHA-256 of a CA certificate as
/// 64 hexadecimal digits without colons (elastic/elastic-agent-libs 004fa62e, transport/tlscommon/tls_config.go). The keys are
/// nested, or joined with dots (`output.elasticsearch.ssl.ca_sha256`). The hosts are those of the same output.
enum ElasticFormat: FingerprintReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "elastic", summary: "ca_sha256 and ca_trusted_fingerprint of Beats and Elastic Agent",
        fileName: "elastic-output.yml", readingInputs: [.host, .certificates], writingInputs: [.host],
        platforms: [.elastic], capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static let position = ComparedPosition.authorities

    private static let keysKey = "ca_sha256"
    private static let fingerprintKey = "ca_trusted_fingerprint"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil
            && (file.bytes.contains(ignoringCase: fingerprintKey) || file.bytes.contains(ignoringCase: keysKey))
    }

    // MARK: Reading

    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry] {
        var list = FingerprintList()
        var shared = SharedPinCount()
        // The hosts of outer mappings by the positions of their first members: many mappings can be inside one.
        var outerHosts: [SourcePosition: [String]] = [:]
        for document in try documents(bytes) {
            let settings = try ElasticSettings(document)
            try document.visitMappings { mapping, outer throws(PinSetFormatError) in
                for member in mapping.members {
                    guard isPinKey(member.key) else { continue }
                    if let reason = unreadReason(member.key, in: mapping, root: outer.first ?? mapping) {
                        warnings.add(.notRead(reason, line: member.position.line))
                        continue
                    }
                    guard let prefix = prefix(of: member.key) else { continue }
                    let isKey = member.key.ends(with: keysKey)
                    var entry = FingerprintEntry(host: "", at: member.position)
                    for (text, position) in texts(of: member.value, &warnings) {
                        if text.has("${") {
                            warnings.add(.unknownPin(text, line: position.line))
                        } else if isKey {
                            entry.keys.append(PinSet.PinnedKey(pin: try barePin(text, at: position), role: .ca))
                        } else if let fingerprint = CertificateDigest(hex: text, line: position.line) {
                            entry.fingerprints.append(fingerprint)
                        } else {
                            warnings.add(.neverMatches(text, line: position.line))
                        }
                    }
                    guard !entry.keys.isEmpty || !entry.fingerprints.isEmpty else { continue }
                    var hosts = hosts(of: prefix, in: mapping, &warnings)
                    for parent in outer.reversed() where hosts.isEmpty {
                        guard let start = parent.members.first?.position else { continue }
                        if let known = outerHosts[start] {
                            hosts = known
                        } else {
                            hosts = self.hosts(of: "", in: parent, &warnings)
                            outerHosts[start] = hosts
                        }
                    }
                    if hosts.isEmpty, let host { hosts = [host] }
                    guard !hosts.isEmpty else { throw missingHost(at: member.position) }
                    try shared.add(
                        pins: entry.keys.count + entry.fingerprints.count, hosts: hosts.count, as: self,
                        at: member.position)
                    let unchecked = mapping.path.map { settings.uncheckedConnections(of: $0 + member.key) } ?? []
                    for (host, reason) in mapping.path.map({ settings.hostsWithoutTLS(of: $0 + member.key) }) ?? [] {
                        warnings.add(reason, of: host)
                    }
                    for host in hosts {
                        for reason in unchecked { warnings.add(reason, of: host) }
                        list.add(
                            FingerprintEntry(
                                host: host, at: member.position, fingerprints: entry.fingerprints, keys: entry.keys))
                    }
                }
            }
        }
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write pins like this: ssl.\(keysKey): [\"…\"]")
        }
        return list.entries
    }

    /// Why Beats does not read the pins of a key: it is not a setting of `ssl` in an output (elastic/beats,
    /// libbeat/outputs/elasticsearch/config.go). Fleet has both settings in the output itself.
    private static func unreadReason(_ key: String, in mapping: YAMLMapping, root: YAMLMapping) -> String? {
        guard let path = mapping.path else { return nil }
        let names = (path + key).parts(separatedBy: ".")
        guard names.count > 1, let name = names.last, !names.contains("fleet") else { return nil }
        if names[names.count - 2] != "ssl" {
            return "Beats reads \(String(name).quotedExcerpt) only in \("ssl".quotedExcerpt)"
        }
        // Only one key of a document has two names, so the search is not repeated.
        guard names.count == 2 else { return nil }
        let hasOutput = root.members.contains { $0.key == "output" || $0.key.begins(with: "output.") }
        return hasOutput
            ? "Beats reads \("ssl".quotedExcerpt) only inside an output" : nil
    }

    private static func isPinKey(_ key: String) -> Bool {
        [keysKey, fingerprintKey].contains { key == $0 || key.ends(with: ".\($0)") }
    }

    /// The part before `ssl` of a key with dots, such as `output.elasticsearch.`; nil for other keys.
    private static func prefix(of key: String) -> String? {
        for name in [keysKey, fingerprintKey] {
            guard let start = key.without(suffix: name) else { continue }
            if start.isEmpty { return "" }
            guard let prefix = start.without(suffix: "ssl.") else { continue }
            if prefix.isEmpty || prefix.ends(with: ".") { return String(prefix) }
        }
        return nil
    }

    private static func hosts(
        of prefix: String, in mapping: YAMLMapping, _ warnings: inout ConversionWarnings
    ) -> [String] {
        var hosts: [String] = []
        for name in ["hosts", "host", "url"] {
            guard let value = mapping[prefix + name] else { continue }
            for (text, position) in texts(of: value, &warnings) {
                // Beats replaces `${NAME}` by the value of a variable.
                if text.has("${") {
                    warnings.add(.unknownPattern(text, line: position.line))
                } else if let host = HostText.host(in: text) {
                    if text.lowercased().begins(with: "http://") {
                        warnings.add(
                            .uncheckedConnections(
                                "a connection to a URL with \"http://\" has no TLS, so Beats compares no pin",
                                line: position.line), of: host)
                    }
                    hosts.append(host)
                }
            }
        }
        return hosts
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var documents: [String] = []
        let hosts = try set.written(as: Self.self, comparing: .authorities, host: inputs.host, &warnings)
        if hosts.count > 1 { warnings.add(.hostsNotToldApart(count: hosts.count)) }
        for (host, keys) in hosts {
            let server = IPAddress(host) != nil && host.contains(":") ? "[\(host)]" : host
            var text = """
                output.elasticsearch:
                  hosts: [\(quoted("https://\(server):9200"))]
                  ssl.\(keysKey):

                """
            for key in keys { text += "    - \(quoted(key.pin.base64))\n" }
            documents.append(text)
        }
        return PinSetWriting(documents.joined(separator: "---\n"), warnings)
    }
}

extension PinSetFormat {
    public static let elastic = PinSetFormat(ElasticFormat.self)
}
