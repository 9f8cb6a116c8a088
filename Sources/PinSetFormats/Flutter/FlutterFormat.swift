internal import Encodings
public import PinSetCodec
internal import Pinning

/// `allowedSHAFingerprints` of the Dart package http_certificate_pinning 3.0: the SHA-256 of the server's certificate.
///
/// The reader finds the argument in calls (`HttpCertificatePinning.check`, `CertificatePinningInterceptor`,
/// `SecureHttpClient.build`) and in a map of hosts, which pinctl writes. The package ignores colons (`replaceAll(":", "")` in
/// lib/http_certificate_pinning.dart), white space and case.
enum FlutterFormat: FingerprintWritingCodec {
    static let traits = FormatTraits(
        name: "flutter", summary: "allowedSHAFingerprints of http_certificate_pinning; needs the certificates",
        fileName: "allowed_fingerprints.dart", readingInputs: [.host, .certificates],
        writingInputs: [.host, .certificates], generatedFile: .fingerprints, hashes: .certificate,
        comparesLeafOnly: true, platforms: [.flutter], lintRules: [.certificatePins],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static let position = ComparedPosition.leaf

    private static let argument = "allowedSHAFingerprints"

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        return file.bytes.contains(ignoringCase: argument.lowercased())
            || file.bytes.contains(ignoringCase: "securehttpclient.build(")
    }

    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry] {
        var reader = SourceReader(bytes, language: .dart)
        var list = FingerprintList()
        let uses = uses(in: &reader)
        try reader.checkLimits(as: self)
        var shared = SharedPinCount(literals: reader.literals)
        for use in uses {
            let position = SourcePosition(line: use.line, column: 1)
            try shared.add(use.value.list?.count ?? 0, as: self, at: position)
            let fingerprints = fingerprints(in: use, reader.source, &warnings)
            guard !fingerprints.isEmpty else { continue }
            guard let host = use.host ?? host else { throw missingHost(at: position) }
            list.add(FingerprintEntry(host: host, at: position, fingerprints: fingerprints))
        }
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write fingerprints like this: \(argument): ['92:67:7A:…']")
        }
        return list.entries
    }

    /// A list of fingerprints with its host.
    private struct Use {
        let host: String?
        let value: SourceLiteral
        let line: Int
        /// Whether the argument `sha` of the call names SHA-1. No SHA-256 matches then.
        var comparesSHA1 = false
    }

    private static func uses(in reader: inout SourceReader) -> [Use] {
        var uses: [Use] = []
        for index in reader.source.indices(of: argument) {
            let line = reader.source.tokens[index].line
            if reader.source.isSign(index + 1, ":") {
                var host: String?
                var comparesSHA1 = false
                if let open = reader.source.openBracket(around: index) {
                    let members = reader.members(in: open)
                    let server = members.first { $0.key?.keyText == "serverURL" }?.value
                    host = server?.text.flatMap(HostText.host)
                    let hash = members.first { $0.key?.keyText == "sha" }?.value
                    comparesSHA1 = hash.map { reader.source.source(of: $0.range).ends(with: "SHA1") } ?? false
                }
                uses.append(
                    Use(host: host, value: reader.literal(at: index + 2), line: line, comparesSHA1: comparesSHA1))
            } else if reader.source.isSign(index + 1, "=") {
                // This is the map that pinctl writes.
                for member in reader.literal(at: index + 2).members ?? [] {
                    guard let host = member.key?.text else { continue }
                    uses.append(Use(host: host, value: member.value, line: member.value.line))
                }
            }
        }
        for index in reader.source.indices(of: "build")
        where reader.source.isWord(index - 2, "SecureHttpClient") && reader.source.isSign(index + 1, "(") {
            guard let value = reader.members(in: index + 1).first(where: { $0.key == nil })?.value else { continue }
            uses.append(Use(host: nil, value: value, line: value.line))
        }
        return uses
    }

    private static func fingerprints(
        in use: Use, _ source: SourceText, _ warnings: inout ConversionWarnings
    ) -> [CertificateDigest] {
        guard let list = use.value.list else {
            warnings.add(.unknownPin(source.source(of: use.value.range), line: use.value.line))
            return []
        }
        var fingerprints: [CertificateDigest] = []
        for item in list {
            guard let text = item.text else {
                warnings.add(.unknownPin(source.source(of: item.range), line: item.line))
                continue
            }
            let digits = text.filter { $0 != ":" && !$0.isWhitespace }
            if !use.comparesSHA1, let fingerprint = CertificateDigest(hex: digits, line: item.line) {
                fingerprints.append(fingerprint)
            } else if digits.utf8.count == 40, (try? Hex.decode(Array(digits.utf8))) != nil {
                warnings.add(.sha1Pin(text))
            } else {
                warnings.add(.neverMatches(text, line: item.line))
            }
        }
        return fingerprints
    }

    static func file(of entries: [FingerprintEntry]) -> String {
        var text = """
            /// SHA-256 fingerprints of the pinned certificates, by host:
            /// `CertificatePinningInterceptor(\(argument): \(argument)['example.com']!)`.
            const Map<String, List<String>> \(argument) = {

            """
        for entry in entries {
            text += "  '\(entry.host)': [\n"
            for fingerprint in entry.fingerprints { text += "    '\(fingerprint.hex)',\n" }
            text += "  ],\n"
        }
        return text + "};\n"
    }
}

extension PinSetFormat {
    public static let flutter = PinSetFormat(FlutterFormat.self)
}
