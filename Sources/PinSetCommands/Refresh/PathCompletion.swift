internal import CommandSupport
internal import Fetching
internal import Pinning

/// Searches all valid paths of chains that were validated with one path.
///
/// A chain with cross-signed certificates has several valid paths. Each client builds one of them, which depends on its trust
/// anchors.
final class PathCompletion {
    private let plan: RefreshPlan
    /// The validators by the index of their trust source.
    private var validators: [Int: ChainValidator] = [:]

    init(_ plan: RefreshPlan) { self.plan = plan }

    /// - Parameter target: The target that sent the chain.
    /// - Returns: The chain with all of its valid paths; the chain as it is if it is not trusted or cannot be validated again.
    func completed(_ chain: CertificateChain, of target: Target) -> CertificateChain {
        let served = chain.entries.filter { $0.source == .served }.map(\.certificate) + chain.unused
        guard chain.isTrusted, let validator = validator(for: target) else { return chain }
        let complete = try? validator.validate(der: served.map(\.der), for: plan.identity(of: target))
        return complete ?? chain
    }

    private func validator(for target: Target) -> ChainValidator? {
        let index = plan.trust.policy.sourceIndex(for: target)
        if let known = validators[index] { return known }
        let source = plan.trust.policy.sources[index]
        validators[index] = try? ChainValidator(source, at: plan.time, findingAllPaths: true)
        return validators[index]
    }
}

extension CertificateChain {
    /// Whether a valid path of the chain may be unknown.
    var mayHaveOtherPaths: Bool { isTrusted && validPaths?.isComplete != true }
}
