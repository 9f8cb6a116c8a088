internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Reads fingerprints of certificates for lint, which does not need the certificates.
enum FingerprintReader {
    static func read(_ bytes: [UInt8], with codec: any FingerprintCodec.Type) -> (LintSet, LintFindings) {
        var findings = LintFindings()
        var set = LintSet(format: codec.format)
        do throws(PinSetFormatError) {
            var indices: [ExactText: Int] = [:]
            for fingerprint in try codec.fingerprints(in: bytes) { add(fingerprint, to: &set, &indices, &findings) }
        } catch {
            let position = error.line.map { SourcePosition(line: $0, column: error.column ?? 1) }
            findings.add(.malformed, error.message, hint: error.hint, at: position)
        }
        return (set, findings)
    }

    private static func add(
        _ fingerprint: CertificateFingerprint, to set: inout LintSet, _ indices: inout [ExactText: Int],
        _ findings: inout LintFindings
    ) {
        let (host, spelling) = (fingerprint.host, fingerprint.spelling)
        var pin: Pin?
        do throws(PinSpellingError) {
            pin = try Pin(spelling: spelling)
        } catch {
            let (code, message, hint) = PinDiagnosis.explanation(of: error)
            findings.add(code, message, hint: hint, host: host, pin: spelling, at: fingerprint.position)
        }
        let read = LintPin(
            spelling: spelling, pin: pin, role: .leaf, notAfter: fingerprint.expires, position: fingerprint.position)
        if let index = indices[ExactText(host)] {
            set.entries[index].pins.append(read)
        } else {
            indices[ExactText(host)] = set.entries.count
            set.entries.append(
                LintEntry(
                    host: host, name: try? HostName.normalized(host), position: fingerprint.position, pins: [read]))
        }
    }
}
