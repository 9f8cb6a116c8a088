package import Pinning

/// Whom to trust for which host: the same for all of them, or for some of them others.
package struct TrustPolicy: Sendable {
    /// The first holds for every host that none of the others was chosen for.
    let sources: [TrustSource]
    private let choose: (@Sendable (Target) -> Int)?

    /// The same for every host.
    package init(_ source: TrustSource) { (sources, choose) = ([source], nil) }

    /// - Parameters:
    ///   - sources: one at least.
    ///   - choose: which of them holds for a host.
    package init(_ sources: [TrustSource], choose: @escaping @Sendable (Target) -> Int) {
        (self.sources, self.choose) = (sources, choose)
    }

    /// Which of the sources holds for this host.
    func place(of target: Target) -> Int { choose?(target) ?? 0 }
}
