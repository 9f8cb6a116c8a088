internal import Encodings
internal import OpenSSL

/// Chains that a validator decoded recently.
final class RecentChains {
    /// A decoded chain. A class, because dictionaries cannot contain noncopyable values.
    final class Chain {
        let served: PeerChain
        let certificates: [Certificate]
        /// The addresses for which the leaf is valid. They are decoded for the first host that is an address.
        lazy var addresses: [[UInt8]] = served.leafAddresses()

        init(_ der: [[UInt8]]) throws {
            guard let served = try PeerChain.saved(der) else { throw OpenSSLError.drain() }
            self.served = served
            certificates = try der.map { try Certificate(der: $0) }
        }
    }

    /// Equality compares all bytes; the hash value depends only on the end of the leaf, which is the signature of its issuer.
    private struct Key: Hashable {
        let der: [[UInt8]]

        static func == (left: Key, right: Key) -> Bool {
            left.der.count == right.der.count && zip(left.der, right.der).allSatisfy { $0.hasSameBytes(as: $1) }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(der.count)
            guard let leaf = der.first else { return }
            for byte in leaf[max(0, leaf.count - Self.hashedBytes)...] { hasher.combine(byte) }
        }

        private static let hashedBytes = 16
    }

    private var chains: [Key: Chain] = [:]

    private static let maximumCount = 64
    /// Maximum number of bytes of a chain that is kept.
    private static let maximumLength = 16_384

    /// - Throws: if a certificate cannot be decoded.
    func chain(of der: [[UInt8]]) throws -> Chain {
        let key = Key(der: der)
        if let known = chains[key] { return known }
        let new = try Chain(der)
        guard der.reduce(0, { $0 + $1.count }) <= Self.maximumLength else { return new }
        if chains.count >= Self.maximumCount { chains.removeAll(keepingCapacity: true) }
        chains[key] = new
        return new
    }
}
