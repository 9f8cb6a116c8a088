internal import Pinning

/// The JSON of certificates that many hosts have in common: authorities, of which a list of a million hosts shows a few hundred, and
/// the leaves of servers that stand for one another.
///
/// To write one out costs as much as a tenth of the handshake that it came by.
final class CertificateCache {
    private struct Key: Hashable {
        let certificate: Certificate
        let isAnchor: Bool

        /// A certificate ends with its signature, which tells it from all others as well as all of it would.
        func hash(into hasher: inout Hasher) {
            for byte in certificate.der.suffix(Self.hashedBytes) { hasher.combine(byte) }
        }

        private static let hashedBytes = 16
    }

    /// So many are kept; then all of them are forgotten.
    private static let bound = 256

    private var members: [Key: [UInt8]] = [:]

    /// The fields of a certificate as they stand in a compact object, without its braces.
    func fields(of certificate: Certificate, isAnchor: Bool) -> [UInt8] {
        let key = Key(certificate: certificate, isAnchor: isAnchor)
        if let known = members[key] { return known }
        var writer = JSONWriter(.compact)
        writer.object { $0.fields(of: certificate, isAnchor: isAnchor) }
        let written = Array(writer.output.dropFirst().dropLast())
        if members.count >= Self.bound { members.removeAll(keepingCapacity: true) }
        members[key] = written
        return written
    }
}
