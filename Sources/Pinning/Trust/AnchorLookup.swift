internal import Encodings
internal import OpenSSL

/// Adds anchors to a trust store when a chain needs them. Each anchor is added at most once.
final class AnchorLookup {
    enum Comparison: CaseIterable {
        /// Compares bytes. Nearly all certificates contain the name of their issuer in the same bytes.
        case exactly
        /// Ignores differences of case and string type (RFC 5280, section 7.1).
        case canonically
    }

    private let anchors: TrustAnchors
    private let hasFolders: Bool
    /// Whether each anchor was added, by position.
    private var isAdded: [Bool]
    /// Names for which no anchor was found. Then many hosts with the same unknown issuer need only one search.
    private(set) var absent: Set<[UInt8]> = []
    private lazy var canonicalPositions = Dictionary(
        grouping: anchors.positionsBySubject,
        by: { DistinguishedNameHash.canonical(anchors.anchors[$0].certificate.subjectName) }
    )

    /// - Parameter hasFolders: whether the store has folders. Their rejected copies take precedence over all anchors, and their other copies
    ///   over anchors without trust settings.
    init(_ anchors: TrustAnchors, hasFolders: Bool = false) {
        self.anchors = anchors
        self.hasFolders = hasFolders
        isAdded = Array(repeating: false, count: anchors.anchors.count)
    }

    /// Adds the anchors for the subjects and issuers of these certificates, and for the issuers of the added anchors.
    ///
    /// - Returns: whether an anchor was added.
    @discardableResult
    func add(
        issuersOf certificates: [Certificate],
        to store: borrowing TrustStore,
        comparing comparison: Comparison = .exactly
    ) -> Bool {
        var wanted = certificates.flatMap { [$0.subjectName, $0.issuerName] }
        var hasMore = false
        var subject: ArraySlice<UInt8>?
        while let name = wanted.popLast() {
            for position in positions(of: name, comparing: comparison) where !isAdded[position] {
                isAdded[position] = true
                let anchor = anchors.anchors[position]
                // The folders are searched once for each subject: the anchors are in the order of their subjects.
                if hasFolders, subject != anchor.certificate.subjectName {
                    subject = anchor.certificate.subjectName
                    store.addRejectedCopies(named: anchor.certificate.subjectName)
                    // OpenSSL keeps the first copy. Without this, the chains that were validated before would decide which one that is.
                    _ = store.certificates(named: anchor.certificate.subjectName)
                }
                // No chain can end in an anchor that OpenSSL cannot decode. Another anchor with the same name may still be usable.
                guard (try? store.add(anchor.certificate.der, trustSettings: anchor.trustSettings)) != nil else {
                    continue
                }
                hasMore = true
                wanted.append(anchor.certificate.issuerName)
            }
        }
        return hasMore
    }

    /// Adds all anchors that have trust settings.
    func addAnchorsWithTrustSettings(to store: borrowing TrustStore) {
        var subjects: Set<ArraySlice<UInt8>> = []
        for position in anchors.positionsWithTrustSettings where !isAdded[position] {
            isAdded[position] = true
            let anchor = anchors.anchors[position]
            if hasFolders, subjects.insert(anchor.certificate.subjectName).inserted {
                store.addRejectedCopies(named: anchor.certificate.subjectName)
            }
            try? store.add(anchor.certificate.der, trustSettings: anchor.trustSettings)
        }
    }

    private func positions(of name: ArraySlice<UInt8>, comparing comparison: Comparison) -> [Int] {
        let exact = anchors.positions(of: name, maximum: TrustAnchors.maximumOfOneSubject)
        guard exact.isEmpty, comparison == .canonically, !absent.contains(Array(name)) else { return exact }
        let similar = DistinguishedNameHash.canonical(name).map { canonicalPositions[$0, default: []] } ?? []
        if similar.isEmpty, name.count <= Self.maximumCachedLength {
            if absent.count >= Self.maximumCachedNames { absent.removeAll() }
            absent.insert(Array(name))
        }
        return Array(similar.prefix(TrustAnchors.maximumOfOneSubject))
    }

    private static let maximumCachedNames = 1024
    /// Maximum length of a name that is remembered, in bytes. Real names have less than 300, and a server chooses those that it sends.
    private static let maximumCachedLength = 1024
}
