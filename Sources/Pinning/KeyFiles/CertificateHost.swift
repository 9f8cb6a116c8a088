internal import OpenSSL

/// A host as certificates name one: a DNS name, with `*.` before it for any one label there, or an IP address.
package struct CertificateHost: Hashable, Sendable {
    /// In A-labels and lower case, or as RFC 5952 writes addresses.
    package let text: String

    /// - Throws: for what is no host, a port or a scheme among it.
    package init(_ text: String) throws(HostNameError) {
        guard text.hasPrefix("*."), IPAddress(text.dropFirst(2)) == nil else {
            self.text = try HostName.normalized(text)
            return
        }
        self.text = "*." + (try HostName.normalized(String(text.dropFirst(2))))
    }

    var name: CertificateRequest.Name { IPAddress(text).map { .address($0.bytes) } ?? .dns(text) }
}
