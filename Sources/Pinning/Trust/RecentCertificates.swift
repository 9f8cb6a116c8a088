internal import Encodings

/// The certificates of the chains that a validator received last.
///
/// Servers of one operator often send the same chain. Its certificates are read once, and later comparisons find the same objects.
struct RecentCertificates {
    private var chains = RecentValues<[Certificate]>(maximum: 8)

    /// Maximum size of the certificates of a chain that is kept, in bytes. Real chains have a few kilobytes.
    private static let maximumSize = 16 << 10

    /// Reads the certificates of a chain, or returns those of an equal chain.
    ///
    /// - Throws: ``CertificateError`` for a certificate that is not DER.
    mutating func certificates(of der: [[UInt8]]) throws(CertificateError) -> [Certificate] {
        if let known = chains.values.first(where: { Self.consists($0, of: der) }) { return known }
        var certificates: [Certificate] = []
        for der in der { certificates.append(try Certificate(der: der)) }
        guard der.reduce(0, { $0 + $1.count }) <= Self.maximumSize else { return certificates }
        chains.add(certificates)
        return certificates
    }

    private static func consists(_ chain: [Certificate], of der: [[UInt8]]) -> Bool {
        chain.count == der.count && zip(chain, der).allSatisfy { $0.der.hasSameBytes(as: $1) }
    }
}
