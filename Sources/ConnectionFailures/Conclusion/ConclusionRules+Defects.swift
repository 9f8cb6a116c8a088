internal import Pinning

/// The rules for pins that cannot match.
extension ConclusionRules {
    /// A pin that is no digest of a public key, if there is no other pin.
    var onSet: Conclusion? {
        let defects = defects
        guard let first = defects.first, expected.isSubset(of: defects.map(\.pin)) else { return nil }
        guard let foreignKey else { return Conclusion(.wrongSet, .lint, first.reason) }
        return Conclusion(.undecided, .fetch, "\(first.reason); also, \(foreignKey)")
    }

    /// The pins that are no digests of a public key, if the failure can be about pins.
    var defects: [(pin: Pin, reason: String)] {
        guard failure.kind == .pinMismatch || failure.kind == .cancelled || failure.kind == .untrusted && onApple else {
            return []
        }
        return (evidence.expected + evidence.setPins).compactMap { pin in defect(of: pin).map { (pin, $0) } }
    }

    private func defect(of pin: Pin) -> String? {
        if let byte = pin.bytes.first, pin.bytes.allSatisfy({ $0 == byte }) {
            return "the pin \(pin.base64) is a placeholder and matches no key"
        }
        if let mixup = KnownAuthorities.digestMixup(of: pin.bytes) {
            let what = mixup.kind == .certificate ? "the certificate" : "the key bits"
            return
                "the pin \(pin.base64) is the SHA-256 of \(what) of \(mixup.name), and not of its SubjectPublicKeyInfo"
        }
        if let entry = evidence.chain?.entries.first(where: { $0.certificate.sha256 == pin.bytes }) {
            return
                "the pin \(pin.base64) is the SHA-256 of the host's \(entry.role.rawValue) certificate, and not of its"
                + " SubjectPublicKeyInfo"
        }
        return nil
    }
}
