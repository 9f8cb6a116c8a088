internal import Encodings
internal import Pinning

/// The rules for the paths that clients with other trust stores build from the host's chain.
extension ConclusionRules {
    /// The keys of the CAs in the path of the host's chain, and in its other valid paths.
    var hostAuthorities: Set<Pin> {
        guard let chain = evidence.chain else { return [] }
        let others = (chain.validPaths?.paths ?? []).flatMap { $0.dropFirst() }
        return Set((chain.entries.dropFirst() + others).map(\.certificate.pin))
    }

    /// A pinned key that is not in the path here, and that another path of the host's chain has or can have, as a sentence; nil without such
    /// a path. A program that compares only the server's key finds it in each path.
    var otherPath: String? {
        guard let chain = evidence.chain, let live, !failure.comparesOnlyServerKey else { return nil }
        let others = (chain.validPaths?.paths ?? []).flatMap { $0.map(\.certificate.pin) }
        if let pin = others.first(where: { expected.contains($0) && !live.contains($0) }) {
            return "some clients build another valid path of the host's chain, with the pinned key \(pin.base64)"
        }
        if chain.hasUnknownPaths {
            return "not all valid paths of the host's chain are known, and one can contain the pinned key"
        }
        guard let certificate = evidence.crossCertificate, canHavePin(certificate.issuer?.commonName) else {
            return nil
        }
        return
            "the host's chain contains a certificate of \((certificate.subject?.displayName ?? "").quoted) that"
            + " \((certificate.issuer?.displayName ?? "").quoted) issued, which is in no path that is valid here: clients for which such a path"
            + " is valid build another one, which can contain the pinned key"
    }

    /// Whether a pin of the program can be the key of a CA with this name.
    private func canHavePin(_ name: String?) -> Bool {
        guard let name else { return true }
        let known = Set(KnownAuthorities.all.filter { $0.name == name }.map(\.pin))
        return known.isEmpty || !known.isDisjoint(with: expected.map(\.base64))
    }
}
