internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The TLS contexts of an Envoy configuration, to find those for a pinned host that have no pins.
struct UpstreamContexts {
    private var contexts: [(host: String, position: SourcePosition, hasSecret: Bool)] = []
    /// The positions of the names of contexts with pins.
    private var pinned: Set<SourcePosition> = []

    /// Adds a mapping if it is the context of an upstream with a name.
    ///
    /// - Parameter common: the value of `common_tls_context`.
    mutating func add(_ mapping: YAMLMapping, common: YAMLValue?) {
        guard let common, let sni = mapping["sni"], let host = sni.text, !host.isEmpty else { return }
        // Their pins can come from the secret discovery service.
        let secrets = [
            "validation_context_sds_secret_config", "validationContextSdsSecretConfig", "combined_validation_context",
            "combinedValidationContext",
        ]
        let hasSecret = secrets.contains { common[$0] != nil }
        contexts.append((Self.normalized(host), sni.position, hasSecret))
    }

    /// Tells that a mapping inside these has pins.
    mutating func addPins(within outer: [YAMLMapping]) {
        for mapping in outer { if let sni = mapping["sni"] { pinned.insert(sni.position) } }
    }

    /// Adds a warning for each context without pins whose host has pins in another one.
    func addWarnings(about entries: [FingerprintEntry], _ warnings: inout ConversionWarnings) {
        let hosts = Set(entries.map { Self.normalized($0.host) })
        for (host, position, hasSecret) in contexts where hosts.contains(host) && !pinned.contains(position) {
            if hasSecret {
                warnings.add(
                    .notRead(
                        "the pins of a cluster with this \("sni".quotedExcerpt) are in a secret", line: position.line),
                    of: host)
            } else {
                warnings.add(
                    .uncheckedConnections(
                        "a cluster of Envoy with this \("sni".quotedExcerpt) compares no pin", line: position.line),
                    of: host)
            }
        }
    }

    private static func normalized(_ host: String) -> String { (try? HostName.normalized(host)) ?? host }
}
