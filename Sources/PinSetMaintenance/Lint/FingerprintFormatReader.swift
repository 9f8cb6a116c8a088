internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// Reads fingerprints of certificates for lint, which does not need the certificates.
enum FingerprintFormatReader {
    /// - Throws: if the file names no host and `host` is nil.
    static func read(
        _ bytes: [UInt8], by codec: any FingerprintReadingCodec.Type, host: String?
    ) throws(PinSetFormatError) -> (LintSet, LintFindings) {
        var findings = LintFindings()
        var set = LintSet(format: codec.format)
        var warnings = ConversionWarnings()
        do throws(PinSetFormatError) {
            for entry in try codec.entries(in: bytes, host: host, &warnings) {
                set.entries.append(
                    LintEntry(entry, ofCertificates: codec.traits.hashes == .certificate, codec.position))
                // A format of keys also has them, but nothing is known of the certificates.
                guard codec.traits.hashes != .certificate else { continue }
                for fingerprint in entry.fingerprints {
                    findings.add(
                        .unreadValue, "the fingerprint of a certificate, \(fingerprint.hex), was not checked",
                        host: entry.host,
                        at: fingerprint.line.map { SourcePosition(line: $0, column: 1) })
                }
            }
        } catch {
            guard error.need == nil else { throw error }
            let position = error.line.map { SourcePosition(line: $0, column: error.column ?? 1) }
            findings.add(.malformed, error.message, hint: error.hint, at: position)
        }
        for warning in warnings.list {
            switch warning.reason {
            case .neverMatches(let text, let line):
                findings.add(
                    .neverMatches, warning.message, hint: "write the SHA-256 of the certificate, 64 hexadecimal digits",
                    host: warning.host, pin: text, at: line.map { SourcePosition(line: $0, column: 1) })
            default: findings.add(warning, in: codec.format)
            }
        }
        return (set, findings)
    }
}

extension LintEntry {
    /// - Parameter ofCertificates: whether all hashes in the format are hashes of certificates. If not, the format also has hashes
    ///   of keys, and a fingerprint is not a pin of the format.
    fileprivate init(_ entry: FingerprintEntry, ofCertificates: Bool, _ compared: ComparedPosition) {
        var pins = entry.keys.map { key in
            LintPin(
                spelling: key.pin.base64, pin: key.pin, role: key.role, state: key.state, label: key.label,
                notAfter: key.notAfter, position: key.position ?? entry.position)
        }
        pins += entry.fingerprints.map { fingerprint in
            LintPin(
                spelling: fingerprint.hex, pin: ofCertificates ? try? Pin(spelling: fingerprint.hex) : nil,
                role: compared.role, position: fingerprint.line.map { SourcePosition(line: $0, column: 1) })
        }
        self.init(
            host: entry.host, name: try? HostName.normalized(entry.host), position: entry.position, pins: pins)
    }
}
