internal import Pinning

/// A trusted chain that OpenSSL rejects, because it tries only one path (``CertificateChain/isAlternative``). Apple's platforms, Java and Go try
/// others.
package enum AlternativePath {
    package static let reason =
        "clients that try only one path, such as curl and others with OpenSSL, reject the chain: a certificate that it does not need leads"
        + " them to another path"
    package static let step = "let the server send only the certificates of the chain, leaf first"
}
