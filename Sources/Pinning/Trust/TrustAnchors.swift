/// Certificates that chains may end in, found by their subjects.
///
/// Creating it only finds the position of each subject. OpenSSL decodes an anchor when a chain needs it.
public struct TrustAnchors: Sendable {
    package let anchors: [TrustAnchor]
    /// The positions of all anchors in the order of ``Subject``; among equal subjects, those that reject servers first, then the others
    /// with trust settings. Only the first copy of a certificate is included, as in a trust store.
    let positionsBySubject: [Int]
    /// The positions of the anchors with trust settings, those that reject servers first, without further copies.
    let positionsWithTrustSettings: [Int]

    public var certificates: [Certificate] { anchors.map(\.certificate) }

    /// Anchors without trust settings.
    public init(_ certificates: [Certificate]) { self.init(anchors: certificates.map { TrustAnchor($0) }) }

    package init(anchors: [TrustAnchor]) {
        self.anchors = anchors
        // A trust store keeps the first copy of a certificate, and a rejection in any copy must apply.
        let withSettings = anchors.indices.filter { !anchors[$0].trustSettings.isEmpty }
        let rejecting = withSettings.filter { anchors[$0].rejectsServers }
        let ordered = rejecting + withSettings.filter { !anchors[$0].rejectsServers }
        var ranks: [Int: Int] = [:]
        for (rank, position) in ordered.enumerated() { ranks[position] = rank }
        let sorted = anchors.indices.sorted { left, right in
            let (one, other) = (Subject(anchors[left]), Subject(anchors[right]))
            if one != other { return one < other }
            let (oneRank, otherRank) = (ranks[left] ?? anchors.count, ranks[right] ?? anchors.count)
            return oneRank != otherRank ? oneRank < otherRank : left < right
        }
        positionsBySubject = Self.withoutCopies(sorted, of: anchors)
        var copies: Set<Certificate> = []
        positionsWithTrustSettings = ordered.filter { copies.insert(anchors[$0].certificate).inserted }
    }

    /// Only anchors with an equal subject are compared, which few bundles have.
    private static func withoutCopies(_ sorted: [Int], of anchors: [TrustAnchor]) -> [Int] {
        var known: Set<Certificate> = []
        var previous: Int?
        return sorted.filter { position in
            defer { previous = position }
            guard let previous, Subject(anchors[previous]) == Subject(anchors[position]) else {
                known.removeAll()
                return true
            }
            if known.isEmpty { known.insert(anchors[previous].certificate) }
            return known.insert(anchors[position].certificate).inserted
        }
    }

    /// Maximum number of different anchors with one subject that a validation uses. OpenSSL sorts all anchors with a subject for each
    /// one that is added, so the time grows with the square of their number.
    package static let maximumOfOneSubject = 1000

    /// Whether more different anchors have one subject than a validation uses.
    package var exceedsMaximumOfOneSubject: Bool {
        let distance = Self.maximumOfOneSubject
        return positionsBySubject.indices.dropFirst(distance).contains { index in
            let (first, last) = (positionsBySubject[index - distance], positionsBySubject[index])
            return Subject(anchors[first]) == Subject(anchors[last])
        }
    }

    func contains(_ certificate: Certificate) -> Bool {
        positions(of: certificate.subjectName).contains { anchors[$0].certificate == certificate }
    }

    /// Positions of the anchors whose subject is exactly this Name in DER, in the order in which a trust store must get them.
    func positions(of subject: ArraySlice<UInt8>, maximum: Int = .max) -> [Int] {
        let wanted = Subject(name: subject)
        var (low, high) = (positionsBySubject.startIndex, positionsBySubject.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if Subject(anchors[positionsBySubject[middle]]) < wanted { low = middle + 1 } else { high = middle }
        }
        return Array(positionsBySubject[low...].prefix(maximum).prefix { Subject(anchors[$0]) == wanted })
    }

    /// A Name in DER, ordered by length and then by its bytes: most comparisons need only the length.
    private struct Subject: Comparable {
        let name: ArraySlice<UInt8>

        init(name: ArraySlice<UInt8>) { self.name = name }

        init(_ anchor: TrustAnchor) { name = anchor.certificate.subjectName }

        static func < (one: Subject, other: Subject) -> Bool {
            one.name.count != other.name.count
                ? one.name.count < other.name.count : one.name.lexicographicallyPrecedes(other.name)
        }
    }
}
