internal import OpenSSL

/// Trust stores with the anchors that chains need. Chains that need the same anchors share a store.
///
/// A store contains nothing that another chain needed: OpenSSL prefers an anchor in the store to a served certificate of the same CA, so
/// another host could change the path of a chain.
struct PreparedStores {
    final class Store {
        let trustStore: TrustStore
        /// The number of anchors in the store.
        let count: Int
        fileprivate let sources: AnchorLookup.Sources
        /// The names of the chains with anchors, sorted.
        fileprivate let names: [ArraySlice<UInt8>]

        fileprivate init(
            _ names: [ArraySlice<UInt8>], in sources: AnchorLookup.Sources, of lookup: AnchorLookup
        ) throws(OpenSSLError) {
            (self.names, self.sources) = (names, sources)
            trustStore = try TrustStore()
            var (wanted, known, count) = (names, Set(names), 0)
            var next = wanted.startIndex
            while wanted.indices.contains(next) {
                for anchor in lookup.anchors(named: wanted[next], in: sources) {
                    try trustStore.add(anchor.decoded)
                    count += 1
                    let issuer = anchor.anchor.certificate.issuerName
                    if known.insert(issuer).inserted { wanted.append(issuer) }
                }
                next += 1
            }
            self.count = count
        }
    }

    private let lookup: AnchorLookup
    /// For chains without anchors.
    private let empty: Store
    /// Most hosts of an operator have certificates of the same few CAs.
    private var recent = RecentValues<Store>(maximum: 16)

    /// - Throws: if there is no memory.
    init(_ lookup: AnchorLookup) throws(OpenSSLError) {
        self.lookup = lookup
        empty = try Store([], in: .folders, of: lookup)
    }

    /// A store with the anchors for the subjects and issuers of these certificates, and for the issuers of the anchors.
    mutating func store(for certificates: [Certificate], in sources: AnchorLookup.Sources) -> Store {
        let names = Set(certificates.flatMap { [$0.subjectName, $0.issuerName] })
            .filter { !lookup.anchors(named: $0, in: sources).isEmpty }
            .sorted { $0.lexicographicallyPrecedes($1) }
        if names.isEmpty { return empty }
        if let known = recent.values.first(where: { $0.sources == sources && $0.names == names }) { return known }
        // A copy of each name, because a slice would keep the whole certificate. Without memory for a store, no chain is trusted.
        guard let store = try? Store(names.map { ArraySlice(Array($0)) }, in: sources, of: lookup) else { return empty }
        recent.add(store)
        return store
    }
}
