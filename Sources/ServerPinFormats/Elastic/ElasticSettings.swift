internal import Encodings
internal import PinSetCodec

/// The settings of a document that decide whether Beats compares pins, by their full names.
///
/// For Beats, `a: {b: 1}` and `a.b: 1` are the same setting (elastic/go-ucfg, `PathSep(".")`).
struct ElasticSettings {
    private var values: [ExactText: [YAMLValue]] = [:]

    private static let names = ["verification_mode", "enabled", "protocol", "type", "hosts", "host"]

    init(_ document: YAMLValue) throws(PinSetFormatError) {
        var values: [ExactText: [YAMLValue]] = [:]
        try document.visitMappings { mapping, _ throws(PinSetFormatError) in
            guard let path = mapping.path else { return }
            for member in mapping.members
            where Self.names.contains(where: { member.key == $0 || member.key.ends(with: ".\($0)") }) {
                values[ExactText(path + member.key), default: []].append(member.value)
            }
        }
        self.values = values
    }

    /// The settings with which Beats does not compare the pins of a key (elastic/elastic-agent-libs 004fa62e,
    /// transport/tlscommon/config.go `LoadTLSConfig`, tls_config.go `makeVerifyConnection`).
    ///
    /// - Parameter key: the full name of the pins, such as `output.elasticsearch.ssl.ca_sha256`.
    func uncheckedConnections(of key: String) -> [ConversionWarning.Reason] {
        guard let name = key.parts(separatedBy: ".").last, let ssl = key.without(suffix: String(name)),
            let output = ssl.without(suffix: "ssl.")
        else { return [] }
        var reasons: [ConversionWarning.Reason] = []
        func add(_ name: String, _ value: String, _ effect: String, if isValue: (YAMLValue) -> Bool) {
            for found in values[ExactText(output + name)] ?? [] {
                let setting = "\(name): \(value)".quotedExcerpt
                if isValue(found) {
                    reasons.append(.uncheckedConnections("with \(setting), \(effect)", line: found.position.line))
                } else if let text = found.text, text.has("${") {
                    reasons.append(
                        .uncheckedConnections(
                            "with \(setting), which can be the value of \(text.quotedExcerpt), \(effect)",
                            line: found.position.line))
                }
            }
        }
        add("ssl.verification_mode", "none", "Beats compares no pin") { $0.text == "none" }
        add("ssl.enabled", "false", "Beats compares no pin", if: Self.isFalse)
        add("enabled", "false", "Beats does not use the pins beside it", if: Self.isFalse)
        if isHTTPClient(output) { reasons += connectionsWithoutTLS(of: output) }
        return reasons
    }

    /// Whether the hosts of an output are URLs.
    private func isHTTPClient(_ output: String.SubSequence) -> Bool {
        let types = (values[ExactText(output + "type")] ?? []).compactMap(\.text)
        return ["elasticsearch", "kibana"].contains { name in
            output == "\(name)." || output.ends(with: ".\(name).") || types.contains(name)
        }
    }

    /// The hosts without a scheme, for which Beats uses `protocol`, and `http` without that setting (elastic/beats,
    /// libbeat/common/url.go `MakeURL`).
    private func connectionsWithoutTLS(of output: String.SubSequence) -> [ConversionWarning.Reason] {
        let schemes = (values[ExactText(output + "protocol")] ?? []).compactMap(\.text)
        let scheme = schemes.first { $0.lowercased() != "https" }
        guard
            let setting = scheme.map({ "with \("protocol: \($0)".quotedExcerpt)" })
                ?? (schemes.isEmpty ? "without \("protocol: https".quotedExcerpt)" : nil)
        else { return [] }
        return ["hosts", "host"].flatMap { values[ExactText(output + $0)] ?? [] }
            .flatMap { $0.sequence ?? [$0] }
            .filter { host in host.text.map { !$0.has("://") && !$0.has("${") } ?? false }
            .map { host in
                .uncheckedConnections(
                    "\(setting), a host without \("https://".quotedExcerpt) has no TLS, so Beats compares no pin",
                    line: host.position.line)
            }
    }

    /// Whether a value is the Boolean value false, as the YAML readers in Go read it.
    private static func isFalse(_ value: YAMLValue) -> Bool {
        guard case .scalar(let text, isPlain: true) = value.content else { return false }
        return ["false", "no", "off"].contains(text.lowercased())
    }
}
