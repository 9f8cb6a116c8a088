internal import PinSetCodec
package import Pinning

extension CertificateChain {
    /// A certificate (``crossCertificate(at:)``) whose issuer can have the key of a backup. Clients that trust the issuer use the backup now.
    ///
    /// The key of the issuer is not known, only its name. The label of a new backup is the name of its certificate.
    package func crossCertificate(at now: Timestamp, by key: PinSet.PinnedKey) -> Certificate? {
        guard key.role != .leaf else { return nil }
        return crossCertificates(at: now).first { certificate in
            guard let name = certificate.issuer?.displayName else { return true }
            let known = KnownAuthorities.all.filter { $0.name == name }.map(\.pin)
            guard known.isEmpty else { return known.contains(key.pin.base64) }
            return key.label.map { $0 == name } ?? true
        }
    }
}
