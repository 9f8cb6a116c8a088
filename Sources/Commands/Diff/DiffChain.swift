internal import Fetching
internal import Pinning

/// A chain of one side of a comparison.
struct DiffChain {
    /// The type of the server's key, such as "RSA"; nil if only one chain of each side is compared.
    let keyType: String?
    let certificates: [Certificate]
    /// The validated chain; nil for the certificates of a file.
    let validated: CertificateChain?

    /// A validated chain.
    ///
    /// - Parameter namesKeyType: Whether the chains for all types of keys are compared.
    init(_ chain: CertificateChain, namesKeyType: Bool = false) {
        certificates = chain.entries.map(\.certificate)
        validated = chain
        keyType = namesKeyType ? certificates.first.map(Self.keyType) : nil
    }

    private init(_ certificates: ArraySlice<Certificate>, namesKeyType: Bool) {
        self.certificates = Array(certificates)
        validated = nil
        keyType = namesKeyType ? certificates.first.map(Self.keyType) : nil
    }

    private static func keyType(of leaf: Certificate) -> String {
        ServerKeyType(leaf.key)?.rawValue ?? leaf.key.type
    }

    /// All chains of a server.
    ///
    /// - Parameter namesKeyType: Whether the chains for all types of keys are compared.
    static func all(of handshake: HandshakeResult, namesKeyType: Bool) -> [DiffChain] {
        ([handshake] + (handshake.otherChains?.results ?? [])).map { DiffChain($0.chain, namesKeyType: namesKeyType) }
    }

    /// The chains in a file.
    ///
    /// - Parameter namesKeyType: Whether the file can contain a chain for each type of key, each of which begins with the certificate of a
    ///   server. Otherwise the whole file counts as one chain.
    static func all(in certificates: [Certificate], namesKeyType: Bool) -> [DiffChain] {
        guard namesKeyType else { return [DiffChain(certificates[...], namesKeyType: false)] }
        // A root without basic constraints can be at the end of a chain.
        let starts = certificates.indices.filter { index in
            index == certificates.startIndex || !certificates[index].isCA && !certificates[index].isSelfIssued
        }
        let ends = starts.dropFirst() + [certificates.endIndex]
        return zip(starts, ends).map { DiffChain(certificates[$0..<$1], namesKeyType: true) }
    }

    /// The certificates to compare with those of another chain. A file of what a server sends has no root, which validation adds, so a
    /// certificate of the trust store after the end of the file does not count.
    func certificates(comparedWith other: DiffChain?) -> [Certificate] {
        guard let validated, let other, other.validated == nil else { return certificates }
        let served = (validated.entries.lastIndex { $0.source != .store }).map { $0 + 1 } ?? 0
        return Array(certificates.prefix(max(served, other.certificates.count)))
    }

    /// The chains of both sides for the same type of key, in the order of the left side.
    static func pairs(_ left: [DiffChain], _ right: [DiffChain]) -> [(left: DiffChain?, right: DiffChain?)] {
        var rest = right
        var pairs: [(left: DiffChain?, right: DiffChain?)] = []
        for chain in left {
            let index = rest.firstIndex { $0.keyType == chain.keyType }
            pairs.append((chain, index.map { rest.remove(at: $0) }))
        }
        return pairs + rest.map { (nil, $0) }
    }
}
