package import Pinning

/// Whom to trust for which host: the same for all of them, or for some of them others.
package struct TrustPolicy: Sendable {
    /// The first holds for every host that none of the others was chosen for.
    let sources: [TrustSource]
    private let places: [Target: Int]

    /// The same for every host.
    package init(_ source: TrustSource) { (sources, places) = ([source], [:]) }

    /// - Parameter others: for these hosts it is these sources alone that count.
    package init(_ source: TrustSource, others: [(source: TrustSource, targets: [Target])]) {
        var places: [Target: Int] = [:]
        for (index, other) in others.enumerated() {
            for target in other.targets { places[target] = index + 1 }
        }
        sources = [source] + others.map(\.source)
        self.places = places
    }

    /// Which of the sources holds for this host.
    func place(of target: Target) -> Int { places[target, default: 0] }
}
