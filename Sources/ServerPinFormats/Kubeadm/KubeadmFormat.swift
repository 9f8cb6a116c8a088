internal import Encodings
public import PinSetCodec
internal import Pinning

/// The pins of a cluster's CA, which `kubeadm join` uses to validate the API server.
///
/// ```yaml
/// kind: JoinConfiguration
/// discovery:
///   bootstrapToken:
///     apiServerEndpoint: 10.0.0.1:6443
///     caCertHashes: ["sha256:…"]
/// ```
///
/// pinctl also reads `discoveryTokenCACertHashes` of v1alpha3 and the option `--discovery-token-ca-cert-hash` in commands. A hash
/// is `sha256:`, in upper or lower case, and 64 hexadecimal digits (kubernetes 04791b49,
/// cmd/kubeadm/app/util/pubkeypin/pubkeypin.go `Allow`). With `unsafeSkipCAVerification`, kubeadm accepts an empty list, but
/// compares a list that is not empty (cmd/kubeadm/app/discovery/token/token.go `retrieveValidatedConfigInfo`).
enum KubeadmFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "kubeadm", summary: "caCertHashes and --discovery-token-ca-cert-hash of kubeadm join",
        fileName: "join-configuration.yaml", readingInputs: [.host], writingInputs: [.host],
        platforms: [.kubeadm], capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    private static let option = "discovery-token-ca-cert-hash"
    private static let hashesKey = "caCertHashes"
    private static let oldHashesKey = "discoveryTokenCACertHashes"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil
            && (file.bytes.contains(ignoringCase: "cacerthashes") || file.bytes.contains(ignoringCase: option))
    }

    // MARK: Reading

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var hosts = HostPinList()
        var shared = SharedPinCount()
        if bytes.contains(ignoringCase: option) {
            try readCommands(bytes, inputs.host, into: &hosts, &warnings)
        } else {
            for document in try documents(bytes) {
                let kind = otherKind(of: document)
                try document.visitMappings { mapping, _ throws(PinSetFormatError) in
                    if let kind, let hashes = mapping[hashesKey] ?? mapping[oldHashesKey] {
                        let reason = "kubeadm join uses no document of the kind \(kind.quotedExcerpt)"
                        warnings.add(.notRead(reason, line: hashes.position.line))
                        return
                    }
                    if let (reason, line) = unreadPlace(of: mapping, in: document) {
                        warnings.add(.notRead(reason, line: line))
                        return
                    }
                    try read(mapping, inputs.host, into: &hosts, &shared, &warnings)
                }
            }
        }
        let entries = try hosts.entries(as: self)
        guard !entries.isEmpty else {
            throw noPins(warnings, example: "write pins like this: caCertHashes: [\"sha256:…\"]")
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The kind of a document of kubeadm in which `kubeadm join` searches no pins; nil for any other document.
    ///
    /// kubeadm join requires a document of the kind JoinConfiguration, which was NodeConfiguration up to v1alpha2 (kubernetes 03a145de,
    /// cmd/kubeadm/app/util/config/joinconfiguration.go).
    private static func otherKind(of document: YAMLValue) -> String? {
        guard let kind = document["kind"]?.text, document["apiVersion"]?.text?.begins(with: "kubeadm.k8s.io/") ?? false
        else { return nil }
        return ["JoinConfiguration", "NodeConfiguration"].contains(kind) ? nil : kind
    }

    /// Why kubeadm does not read the pins in a mapping, with their line: only `bootstrapToken` has them (cmd/kubeadm/app/apis/kubeadm/types.go),
    /// and the configurations up to v1alpha3 have the old key at the top. A file can also contain only a part of the configuration.
    private static func unreadPlace(of mapping: YAMLMapping, in document: YAMLValue) -> (reason: String, line: Int)? {
        guard let path = mapping.path else { return nil }
        let isTop = path.isEmpty
        if let value = mapping[oldHashesKey], !isTop {
            return ("kubeadm reads \(oldHashesKey.quotedExcerpt) only at the top", value.position.line)
        }
        guard let value = mapping[hashesKey] else { return nil }
        let isRead = isTop ? document["kind"] == nil : path == "bootstrapToken." || path.ends(with: ".bootstrapToken.")
        return isRead
            ? nil
            : (
                "kubeadm reads \(hashesKey.quotedExcerpt) only in \("bootstrapToken".quotedExcerpt)",
                value.position.line
            )
    }

    private static func read(
        _ mapping: YAMLMapping, _ given: String?, into hosts: inout HostPinList, _ shared: inout SharedPinCount,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        for (hashes, endpoints) in [
            (hashesKey, "apiServerEndpoint"), (oldHashesKey, "discoveryTokenAPIServers"),
        ] {
            guard let value = mapping[hashes] else { continue }
            let servers = texts(ofOptional: mapping[endpoints], &warnings)
            let names = servers.compactMap { HostText.host(in: $0.text) }
            let found = texts(of: value, &warnings)
            try shared.add(pins: found.count, hosts: names.count, as: self, at: value.position)
            for (text, position) in found {
                try add(
                    text, of: names.isEmpty ? [given].compactMap { $0 } : names, at: position, into: &hosts,
                    &warnings)
            }
        }
    }

    private static func readCommands(
        _ bytes: [UInt8], _ given: String?, into hosts: inout HostPinList, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        for line in CommandLines(bytes).lines {
            // The option is a list, whose values a comma separates (cmd/kubeadm/app/cmd/join.go).
            let hashes = line.values(of: option).flatMap { $0.parts(separatedBy: ",").map(String.init) }
            guard !hashes.isEmpty else { continue }
            let position = SourcePosition(line: line.number, column: 1)
            var host: String?
            if let join = line.words.firstIndex(of: "join") {
                let operands = line.operands(after: join) { !optionsWithoutValue.contains($0) }
                host = operands.first { !isToken($0) }.flatMap(HostText.host)
            }
            if let name = host, isVariable(name) {
                warnings.add(.unknownPattern(name, line: line.number))
                host = nil
            }
            for hash in hashes {
                try add(hash, of: [host ?? given].compactMap { $0 }, at: position, into: &hosts, &warnings)
            }
        }
    }

    /// Whether a text is not a value but the place of one, such as `${HOST}` or `<hash>`.
    private static func isVariable(_ text: String) -> Bool { text.utf8.contains { "{$<".utf8.contains($0) } }

    /// Options of `kubeadm join` and of its log that have no value in the next word (cmd/kubeadm/app/cmd/join.go; klog.go).
    private static let optionsWithoutValue: Set<String> = [
        "--add-dir-header", "--alsologtostderr", "--control-plane", "--discovery-token-unsafe-skip-ca-verification",
        "--dry-run", "--experimental-control-plane", "--help", "--logtostderr", "--one-output", "--skip-headers",
        "--skip-log-headers", "-h",
    ]

    /// The text without the secret of a bootstrap token, which can be in the place of a hash by mistake.
    private static func withoutToken(_ text: String) -> String { secretStart(of: text).map { "\($0).***" } ?? text }

    /// Whether a text has exactly the form of a bootstrap token.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count == 23 && secretStart(of: text)?.utf8.count == 6
    }

    /// The part of a bootstrap token before its secret; nil for another text. A token is six characters, a dot and 16 characters of
    /// `a-z0-9` (`BootstrapTokenPattern` in staging/src/k8s.io/cluster-bootstrap/token/api/types.go of Kubernetes).
    private static func secretStart(of text: String) -> Substring? {
        let parts = text.parts(separatedBy: ".")
        guard parts.count == 2, parts[1].utf8.count >= 16,
            parts[1].utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0.isDigit })
        else { return nil }
        return parts[0]
    }

    private static func add(
        _ text: String, of names: [String], at position: SourcePosition, into hosts: inout HostPinList,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        guard !isVariable(text) else {
            warnings.add(.unknownPin(text, line: position.line))
            return
        }
        let parts = text.parts(separatedBy: ":")
        guard parts.count == 2, parts[0].lowercased() == "sha256", parts[1].utf8.count == 64,
            parts[1].utf8.allSatisfy({ Hex.value(of: $0) != nil })
        else {
            throw rejected(
                withoutToken(text), by: "kubeadm",
                expected: "\"sha256:\" and the SHA-256 of the CA's public key, 64 hexadecimal digits",
                at: position)
        }
        let key = PinSet.PinnedKey(pin: try pin(String(parts[1]), at: position), role: .ca)
        guard !names.isEmpty else { throw missingHost(at: position) }
        for name in names { hosts.add(key, of: name, at: position) }
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var documents: [String] = []
        let clusters = try set.written(as: Self.self, comparing: .authorities, host: inputs.host, &warnings)
        if clusters.count > 1 { warnings.add(.hostsNotToldApart(count: clusters.count)) }
        for (host, keys) in clusters {
            let endpoint = IPAddress(host) != nil && host.contains(":") ? "[\(host)]:6443" : "\(host):6443"
            var text = """
                apiVersion: kubeadm.k8s.io/v1beta4
                kind: JoinConfiguration
                discovery:
                  bootstrapToken:
                    # Add the token that "kubeadm token create" prints.
                    apiServerEndpoint: \(quoted(endpoint))
                    caCertHashes:

                """
            for key in keys { text += "      - \(quoted("sha256:" + Hex.encode(key.pin.bytes)))\n" }
            documents.append(text)
        }
        return PinSetWriting(documents.joined(separator: "---\n"), warnings)
    }
}

extension PinSetFormat {
    public static let kubeadm = PinSetFormat(KubeadmFormat.self)
}
