internal import OpenSSL
package import Pinning

/// A subject alternative name: a DNS name, which may begin with the wildcard `*.`, or an IP address.
package struct CertificateHost: Hashable, Sendable {
    /// The name in A-labels and lower case, or the address in the form of RFC 5952.
    package let text: String

    /// - Throws: ``HostNameError`` if the text is not a host, for example because of a port or scheme.
    package init(_ text: String) throws(HostNameError) {
        guard text.hasPrefix("*."), IPAddress(text.dropFirst(2)) == nil else {
            self.text = try HostName.normalized(text)
            return
        }
        self.text = "*." + (try HostName.normalized(String(text.dropFirst(2))))
    }

    var name: CertificateRequest.Name { IPAddress(text).map { .address($0.bytes) } ?? .dns(text) }
}
