package import Pinning

/// A trusted chain that OpenSSL rejects, because it tries only one path. Apple's platforms, Java and Go try others.
extension CertificateChain.Detour {
    /// A sentence without a full stop.
    package var reason: String {
        let clients = "clients that try only one path, such as curl and others with OpenSSL, reject the chain"
        return switch self {
        case .servedCertificate: "\(clients): a certificate that it does not need leads them to another path"
        case .trustAnchor: "\(clients) with these trust anchors: one that it does not need leads them to another path"
        }
    }

    package var step: String {
        switch self {
        case .servedCertificate: "let the server send only the certificates of the chain, leaf first"
        case .trustAnchor: "remove expired trust anchors, and those with the name of another one that no server needs"
        }
    }
}
