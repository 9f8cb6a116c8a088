internal import Encodings
internal import PinSetCodec

/// The settings of a document that decide whether Beats compares pins, by their full names.
///
/// For Beats, `a: {b: 1}` and `a.b: 1` are the same setting (elastic/go-ucfg, `PathSep(".")`).
struct ElasticSettings {
    private var values: [ExactText: [YAMLValue]] = [:]

    /// A setting has many spellings, and each of them can occur once.
    private static let maximumSpellings = 8

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
        guard let output = Self.output(of: key) else { return [] }
        var reasons: [ConversionWarning.Reason] = []
        func add(_ name: String, _ value: String, _ effect: String, if isValue: (YAMLValue) -> Bool) {
            for found in (values[ExactText(output + name)] ?? []).prefix(Self.maximumSpellings) {
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
        add("ssl.verification_mode", "none", "Beats compares no pin", if: Self.isNone)
        add("ssl.enabled", "false", "Beats compares no pin", if: Self.isFalse)
        add("enabled", "false", "Beats does not use the pins beside it", if: Self.isFalse)
        return reasons
    }

    /// The part of the name of pins before `ssl`; nil for another name.
    private static func output(of key: String) -> String? {
        guard let name = key.parts(separatedBy: ".").last else { return nil }
        return key.without(suffix: String(name))?.without(suffix: "ssl.").map { String($0) }
    }

    /// Whether the hosts of an output are URLs.
    private func isHTTPClient(_ output: String) -> Bool {
        let types = (values[ExactText(output + "type")] ?? []).compactMap(\.text)
        return ["elasticsearch", "kibana"].contains { name in
            output == "\(name)." || output.ends(with: ".\(name).") || types.contains(name)
        }
    }

    /// The hosts without a scheme, for which Beats uses `protocol`, and `http` without that setting (elastic/beats,
    /// libbeat/common/url.go `MakeURL`).
    ///
    /// - Parameter key: the full name of the pins.
    func hostsWithoutTLS(of key: String) -> [(host: String, reason: ConversionWarning.Reason)] {
        guard let output = Self.output(of: key), isHTTPClient(output) else { return [] }
        let schemes = (values[ExactText(output + "protocol")] ?? []).compactMap(\.text)
        let scheme = schemes.first { $0.lowercased() != "https" }
        guard
            let setting = scheme.map({ "with \("protocol: \($0)".quotedExcerpt)" })
                ?? (schemes.isEmpty ? "without \("protocol: https".quotedExcerpt)" : nil)
        else { return [] }
        return ["hosts", "host"].flatMap { values[ExactText(output + $0)] ?? [] }
            .flatMap { $0.sequence ?? [$0] }
            .compactMap { value in
                guard let text = value.text, !text.has("://"), !text.has("${"), let host = HostText.host(in: text)
                else {
                    return nil
                }
                let reason = ConversionWarning.Reason.uncheckedConnections(
                    "\(setting), a host without \("https://".quotedExcerpt) has no TLS, so Beats compares no pin",
                    line: value.position.line)
                return (host, reason)
            }
    }

    /// Whether a value is the mode `none`, or its number (transport/tlscommon/types.go, `TLSVerificationMode.Unpack`).
    private static func isNone(_ value: YAMLValue) -> Bool {
        guard case .scalar(let text, let isPlain) = value.content else { return false }
        return text == "none" || isPlain && text == "1"
    }

    /// Whether a value is the Boolean value false, as the YAML readers in Go read it, or a text that go-ucfg reads as false (types.go,
    /// `cfgString.toBool`; Go's strconv.ParseBool).
    private static func isFalse(_ value: YAMLValue) -> Bool {
        guard case .scalar(let text, let isPlain) = value.content else { return false }
        return isPlain
            ? ["false", "no", "off", "n", "f"].contains(text.lowercased())
            : ["0", "f", "F", "FALSE", "false", "False"].contains(text)
    }
}
