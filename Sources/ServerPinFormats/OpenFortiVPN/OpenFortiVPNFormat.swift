internal import Encodings
public import PinSetCodec
internal import Pinning

/// `trusted-cert` of openfortivpn, in its configuration file and in commands: the SHA-256 of the server's certificate.
///
/// openfortivpn compares the text with 64 lower-case hexadecimal digits. So upper case, colons and shorter texts never match, and a
/// longer text is truncated (openfortivpn 1.24.1, cce87c7, src/config.c `add_trusted_cert`, src/tunnel.c `ssl_verify_cert`).
enum OpenFortiVPNFormat: FingerprintWritingCodec {
    static let traits = FormatTraits(
        name: "openfortivpn", summary: "trusted-cert of openfortivpn; needs the certificates",
        fileName: "openfortivpn.conf", readingInputs: [.host, .certificates],
        writingInputs: [.host, .certificates], generatedFile: .fingerprints, hashes: .certificate,
        comparesLeafOnly: true, platforms: [.openfortivpn], lintRules: [.certificatePins, .validChainsNotCompared],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static let position = ComparedPosition.leaf

    private static let option = "trusted-cert"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil && file.bytes.contains(ignoringCase: option)
            && CommandLines(file.bytes).lines.contains { !$0.values(of: option).isEmpty }
    }

    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry] {
        var list = FingerprintList()
        var current: String?
        for line in CommandLines(bytes).lines {
            if line.words.first.map({ $0 == "host" || $0.begins(with: "host=") }) ?? false {
                current = line.values(of: "host").first.flatMap(HostText.host) ?? current
            }
            let position = SourcePosition(line: line.number, column: 1)
            let setting = setting(in: line)
            let values = setting.map { [$0] } ?? line.values(of: option)
            let operand = values.isEmpty ? nil : operand(of: line)
            for text in values {
                // Of the option in a command, the first digits count. A setting with more characters does not (1.19.0 was run).
                let digits = setting == nil ? String(text.prefix(64)) : text
                guard let fingerprint = CertificateDigest(hex: digits, line: line.number), fingerprint.hex == digits
                else {
                    if text.has("$") {
                        warnings.add(.unknownPin(text, line: line.number))
                    } else {
                        warnings.add(.neverMatches(text, line: line.number))
                    }
                    continue
                }
                guard let host = operand ?? current ?? host else { throw missingHost(at: position) }
                list.add(FingerprintEntry(host: host, at: position, fingerprints: [fingerprint]))
            }
        }
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write fingerprints like this: \(option) = e46d4aff…")
        }
        return list.entries
    }

    /// The value in a line of a configuration file: all the text after the sign, so also quotation marks and a comment (openfortivpn
    /// 1.19.0, src/config.c `load_config`).
    private static func setting(in line: CommandLines.Line) -> String? {
        let parts = line.source.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, String(decoding: parts[0].trimmed, as: UTF8.self) == option else { return nil }
        let value = parts[1].trimmed
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }

    /// The server in a command: the first word after the program's name that is not an option.
    private static func operand(of line: CommandLines.Line) -> String? {
        guard let program = line.words.firstIndex(where: { $0 == "openfortivpn" || $0.ends(with: "/openfortivpn") }),
            let word = line.words.dropFirst(program + 1).first, !word.begins(with: "-")
        else { return nil }
        return HostText.host(in: word)
    }

    static func file(of entries: [FingerprintEntry]) -> String {
        entries.map { entry in
            (["host = \(entry.host)", "port = 443"] + entry.fingerprints.map { "\(option) = \($0.hex)" })
                .map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }
}

extension PinSetFormat {
    public static let openfortivpn = PinSetFormat(OpenFortiVPNFormat.self)
}
