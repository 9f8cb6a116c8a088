internal import PinSetCodec
package import Pinning

extension CertificateChain {
    /// A certificate (``crossCertificate(at:)``) whose issuer can have the key of a backup. Clients that trust the issuer use the backup now.
    ///
    /// The key of the issuer is not known, only its name.
    ///
    /// - Parameter isNew: whether the label of the backup is the name of its certificate. The labels of a set are texts of its authors.
    package func crossCertificate(
        at now: Timestamp, by key: PinSet.PinnedKey, isNew: Bool
    ) -> Certificate? {
        guard key.role != .leaf else { return nil }
        return crossCertificates(at: now).first { certificate in
            guard let name = certificate.issuer?.displayName else { return true }
            let known = KnownAuthorities.all.filter { $0.name == name }.map(\.pin)
            guard known.isEmpty else { return known.contains(key.pin.base64) }
            let ownName = KnownAuthorities.name(of: key.pin) ?? (isNew ? key.label : nil)
            return ownName.map { $0 == name } ?? true
        }
    }
}
