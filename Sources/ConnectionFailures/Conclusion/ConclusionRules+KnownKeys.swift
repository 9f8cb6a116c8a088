/// The rules for keys and CAs that a person named in the pin set or as trust anchors.
extension ConclusionRules {
    private static let knownCauses =
        ": the message is from a time before the host changed its keys, another server with these keys answered, or the connection was"
        + " intercepted"

    /// The program saw a named key that the host does not serve here. This is no proof of an interception: the key can be an older one
    /// of the host. Nil if no such key is named.
    ///
    /// - Parameter isPinned: Whether the host serves a pinned key here.
    func onKnownKey(_ isPinned: Bool) -> Conclusion? {
        guard let key = evidence.knownKey else { return nil }
        let live =
            isPinned ? ", and the host serves a pinned key here" : ", in a chain that the host does not serve here"
        return Conclusion(.undecided, .fetch, "the program saw \(key)\(live)\(Self.knownCauses)")
    }

    /// The program saw a key or the name of a CA that a person named, in a chain that the host does not serve here. Nil if it saw neither.
    var onKnownAuthority: Conclusion? {
        if let known = onKnownKey(false) { return known }
        let names = failure.seen.flatMap { [$0.subject, $0.issuer] }.compactMap { $0.map(Self.commonName) }
        guard let name = names.first(where: evidence.anchorNames.contains) else { return nil }
        return Conclusion(
            .undecided, .fetch,
            "the program saw a certificate with the name of the trust anchor \(name), in a chain that the host does not serve here"
                + Self.knownCauses)
    }
}
