internal import Pinning

/// The rules for a certificate that has expired or is not valid yet.
extension ConclusionRules {
    var onValidity: Conclusion {
        guard let chain = evidence.chain else {
            return Conclusion(
                .expiredCertificate, failure.host == nil ? .nameHost : .connect,
                failure.kind == .expired && failure.source != .dotnet
                    ? "the program found that a certificate of the chain has expired"
                    : failure.kind == .expired
                        ? "the program found that a certificate of the chain has expired or is not valid yet"
                        : "the program found that a certificate of the chain is not valid yet, or the clock of the device is wrong"
            )
        }
        if let failed = chain.failures.first(where: failure.isExplained) {
            return Conclusion(
                .expiredCertificate, .inspect, "the host's chain is not valid here either: \(failed.reason)")
        }
        guard chain.isTrusted else { return onUntrusted(chain) }
        let leaf = chain.entries.first?.certificate
        guard failure.kind == .expired else {
            let start = leaf?.notBefore.map { " since \($0.date)" } ?? ""
            return Conclusion(
                .expiredCertificate, .inspect,
                "the host serves a certificate that is valid\(start): the clock of the device is wrong, or the message is older than that"
            )
        }
        let until = leaf?.notAfter.map { " until \($0.date)" } ?? ""
        return Conclusion(
            .expiredCertificate, .inspect,
            "the host serves a certificate that is valid\(until): it was renewed since, the clock of the device is wrong, or the program"
                + " uses an expired certificate of a CA")
    }
}
