internal import Encodings
package import Pinning

/// A cache of certificates and of the last validation as JSON. It is effective because a million hosts use only a few hundred CA
/// certificates, and the servers of one service share a leaf.
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
    /// Maximum size of a certificate that is kept, in bytes. Real ones have a few kilobytes, and a server chooses those that it sends.
    private static let maximumSize = 16 << 10

    private var members: [Key: [UInt8]] = [:]
    /// Number of certificates in the cache.
    var count: Int { members.count }

    /// The last result of a validation. Consecutive hosts often have the same one, because they share the chain.
    private struct Trust {
        let failures: [TrustFailure]
        let anchor: Certificate?
        let detour: CertificateChain.Detour?
        let fields: [UInt8]
    }

    private var lastTrust: Trust?
    private var reasons = TrustReasons()

    package init() {}

    /// The fields about the validation of a chain in compact JSON, without the braces.
    func trustFields(of chain: CertificateChain) -> [UInt8] {
        if let lastTrust, lastTrust.failures == chain.failures, lastTrust.anchor == chain.anchor,
            lastTrust.detour == chain.detour
        {
            return lastTrust.fields
        }
        let reason = reasons.reasons(of: chain.failures).joined(separator: "; ")
        let fields = Self.written { $0.trustFields(of: chain, reason: reason) }
        lastTrust = Trust(
            failures: chain.failures, anchor: chain.anchor, detour: chain.detour, fields: fields)
        return fields
    }

    /// The fields of a certificate in compact JSON, without the braces.
    package func fields(of certificate: Certificate, isAnchor: Bool) -> [UInt8] {
        let key = Key(certificate: certificate, isAnchor: isAnchor)
        if let known = members[key] { return known }
        let written = Self.written { $0.fields(of: certificate, isAnchor: isAnchor) }
        guard certificate.der.count <= Self.maximumSize else { return written }
        if members.count >= Self.maximumCount { members.removeAll(keepingCapacity: true) }
        members[key] = written
        return written
    }

    /// The fields of an object without its braces.
    private static func written(_ fields: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(.compact)
        writer.object(fields)
        return Array(writer.output.dropFirst().dropLast())
    }
}
