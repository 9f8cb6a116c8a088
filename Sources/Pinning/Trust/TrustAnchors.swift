/// Certificates that chains may end in, found by their subjects.
///
/// To make one costs no more than to locate the names: OpenSSL decodes only those that a chain asks for.
public struct TrustAnchors: Sendable {
    public let certificates: [Certificate]
    private let positions: [ArraySlice<UInt8>: [Int]]

    public init(_ certificates: [Certificate]) {
        self.certificates = certificates
        var positions: [ArraySlice<UInt8>: [Int]] = [:]
        for (position, certificate) in certificates.enumerated() {
            positions[certificate.subjectName, default: []].append(position)
        }
        self.positions = positions
    }

    /// Which of the anchors have exactly this Name in DER as their subject.
    func positions(of subject: ArraySlice<UInt8>) -> [Int] { positions[subject, default: []] }
}
