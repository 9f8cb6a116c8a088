/// Certificates that chains may end in, found by their subjects.
///
/// Creating it only finds the position of each subject. OpenSSL decodes an anchor when a chain needs it.
public struct TrustAnchors: Sendable {
    package let anchors: [TrustAnchor]
    private let positions: [ArraySlice<UInt8>: [Int]]

    public var certificates: [Certificate] { anchors.map(\.certificate) }

    /// Anchors without trust settings.
    public init(_ certificates: [Certificate]) { self.init(anchors: certificates.map { TrustAnchor($0) }) }

    package init(anchors: [TrustAnchor]) {
        self.anchors = anchors
        var positions: [ArraySlice<UInt8>: [Int]] = [:]
        for (position, anchor) in anchors.enumerated() {
            positions[anchor.certificate.subjectName, default: []].append(position)
        }
        // A trust store keeps the first copy of a certificate, so copies with settings come first: a rejection in any copy must
        // apply.
        for (position, anchor) in anchors.enumerated().reversed() where !anchor.trustSettings.isEmpty {
            let subject = anchor.certificate.subjectName
            positions[subject]?.removeAll { $0 == position }
            positions[subject]?.insert(position, at: 0)
        }
        self.positions = positions
    }

    /// Positions of the anchors whose subject is exactly this Name in DER, those with trust settings first.
    func positions(of subject: ArraySlice<UInt8>) -> [Int] { positions[subject, default: []] }
}
