internal import Encodings
package import Pinning

/// A cache of certificates as JSON. It is effective because a million hosts use only a few hundred CA certificates, and the servers
/// of one service share a leaf.
///
/// Without the cache, writing a certificate as JSON takes about a tenth of the time of a handshake.
package final class CertificateJSONCache {
    private struct Key: Hashable {
        let certificate: Certificate
        let isAnchor: Bool

        /// Hashes the last bytes of the certificate. They are its signature, which is different in every certificate.
        func hash(into hasher: inout Hasher) {
            for byte in certificate.der.suffix(Self.hashedBytes) { hasher.combine(byte) }
        }

        private static let hashedBytes = 16
    }

    /// Maximum number of entries; the cache is emptied when it is full.
    private static let maximumCount = 256

    private var members: [Key: [UInt8]] = [:]

    package init() {}

    /// The fields of a certificate in compact JSON, without the braces.
    package func fields(of certificate: Certificate, isAnchor: Bool) -> [UInt8] {
        let key = Key(certificate: certificate, isAnchor: isAnchor)
        if let known = members[key] { return known }
        var writer = JSONWriter(.compact)
        writer.object { $0.fields(of: certificate, isAnchor: isAnchor) }
        let written = Array(writer.output.dropFirst().dropLast())
        if members.count >= Self.maximumCount { members.removeAll(keepingCapacity: true) }
        members[key] = written
        return written
    }
}
