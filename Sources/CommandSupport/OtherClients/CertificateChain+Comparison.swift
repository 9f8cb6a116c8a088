package import Pinning

extension CertificateChain {
    /// Whether the server sent the same certificates, apart from repetitions and the order outside the path.
    package func hasSameCertificates(as other: CertificateChain) -> Bool {
        entries.map(\.certificate) == other.entries.map(\.certificate) && Set(unused) == Set(other.unused)
    }
}
