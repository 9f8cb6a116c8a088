package import Pinning

/// Which trust source applies to each target: the same for all targets, or one chosen for each.
package struct TrustPolicy: Sendable {
    /// The trust sources, at least one. Without a `choose` function, the first one applies to every target.
    package let sources: [TrustSource]
    private let choose: (@Sendable (Target) -> Int)?

    /// Uses one source for every target.
    package init(_ source: TrustSource) {
        sources = [source]
        choose = nil
    }

    /// - Parameters:
    ///   - sources: the trust sources, at least one.
    ///   - choose: returns the index of a target's source.
    package init(_ sources: [TrustSource], choose: @escaping @Sendable (Target) -> Int) {
        self.sources = sources
        self.choose = choose
    }

    /// The index in ``sources`` of a target's source.
    package func sourceIndex(for target: Target) -> Int { choose?(target) ?? 0 }
}
