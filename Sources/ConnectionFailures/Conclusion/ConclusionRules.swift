internal import Encodings
internal import Pinning

extension Conclusion {
    /// Draws the conclusion for one failure.
    ///
    /// A rule that needs the host's chain uses only a chain that validates here, and not with an unlisted anchor of the trust store:
    /// another chain could come from an interceptor between this machine and the host. Where the facts have several causes, the
    /// conclusion is ``Verdict/undecided`` and its sentence names the causes. A host that is a guess allows no verdict that the log
    /// alone does not show.
    package init(of failure: ConnectionFailure, with evidence: HostEvidence) {
        let found = Self(ofKnown: failure, with: evidence)
        if !evidence.isGuess {
            guard found.verdict == .rotation else {
                self = found
                return
            }
            let path = ConclusionRules(failure: failure, evidence: evidence).otherPath
            self = path.map { found.undecided("; but \($0)", next: .fetchPaths) } ?? found.comparedWithSet(evidence)
            return
        }
        let alone = Self(ofKnown: failure, with: HostEvidence(.notAsked, expected: failure.expected))
        if alone.verdict != .undecided {
            self.init(alone.verdict, alone.step == .connect ? .nameHost : alone.step, alone.sentence)
        } else if found.verdict == .undecided {
            self.init(.undecided, failure.hasRepeatedParts ? found.step : .nameHost, found.sentence)
        } else {
            let line = failure.hostLine.map { "that of line \($0)" } ?? "this one"
            self.init(
                .undecided, .nameHost, "the message does not name its host; if it is \(line), \(found.sentence)")
        }
    }

    /// A rotation, compared with the set. The pins in a log do not show a rotation for a host that the set does not contain.
    private func comparedWithSet(_ evidence: HostEvidence) -> Conclusion {
        guard !evidence.lacksEntry else {
            return Conclusion(
                .undecided, .verify,
                "the host serves a trusted chain without a pinned key of the log, and the pin set has no entry for the host"
            )
        }
        let live = evidence.live.chain?.pins.map(\.pin) ?? []
        guard !evidence.withdrawnPins.isDisjoint(with: live) else { return self }
        return Conclusion(
            .rotation, .verify,
            sentence
                + "; a person retired a pin of this chain, so either the host must not use this key any more, or the pin set is wrong"
        )
    }

    private init(ofKnown failure: ConnectionFailure, with evidence: HostEvidence) {
        let rules = ConclusionRules(failure: failure, evidence: evidence)
        if let conclusion = rules.onRepeatedParts ?? rules.onSet {
            self = conclusion
            return
        }
        let conclusion =
            switch failure.kind {
            case .pinMismatch: rules.onPins
            case .expired, .notYetValid: rules.onValidity
            case .untrusted, .nameMismatch, .handshake: rules.onTrust
            case .cancelled: rules.onCancellation
            }
        let remark = rules.defects.first.map { "; also, \($0.reason)" } ?? ""
        self.init(conclusion.verdict, conclusion.step, conclusion.sentence + remark)
    }
}

/// The rules that draw a ``Conclusion``.
struct ConclusionRules {
    let failure: ConnectionFailure
    let evidence: HostEvidence

    /// The pins in the log and those of the set. The set can be newer than the program.
    var expected: Set<Pin> { Set(evidence.expected + evidence.setPins) }
    var seen: [Pin] { failure.seenPins }

    /// The pins of the host's chain, if it validates with a CA that is no interceptor's.
    var live: [Pin]? {
        guard let chain = evidence.chain, chain.isTrusted, evidence.unlistedAnchor == nil else { return nil }
        return chain.entries.map(\.certificate.pin)
    }

    /// Whether the program finds one of its pins in a chain.
    func isPinned(_ chain: [Pin]) -> Bool { matches(expected, chain) }

    private func matches(_ pins: Set<Pin>, _ chain: [Pin]) -> Bool {
        !pins.isDisjoint(with: failure.comparesOnlyServerKey ? chain.prefix(1) : chain[...])
    }

    /// Whether ``seen`` is the whole chain up to its root. The list of public CAs lacks most intermediates, so the last certificate of another
    /// chain can be one of them.
    private var sawWholeChain: Bool {
        guard seen.count > 1 else { return false }
        return switch failure.source {
        // OkHttp logs the chain that CertificateChainCleaner has completed up to a trust anchor of the device (`check` in
        // CertificatePinner.kt). It writes its pins after the chain, and a log can end before them.
        case .okhttp: !failure.expected.isEmpty
        case .trustkit: failure.seen.last.map { $0.subject != nil && $0.subject == $0.issuer } ?? false
        default: false
        }
    }

    /// The name of a public CA whose key the program saw.
    private var seenAuthority: String? { seen.compactMap { KnownAuthorities.name(of: $0) }.last }

    // MARK: Lines that an interceptor can have written

    var onRepeatedParts: Conclusion? {
        guard let part = failure.repeatedPart else { return nil }
        return Conclusion(
            .undecided, failure.host == nil ? .nameHost : .separate,
            "the log contains two values of \(part) for this failure: several runs in one log, or the name of an interceptor's certificate"
                + " contains it")
    }

    // MARK: Pins

    var onPins: Conclusion {
        if !Set(evidence.expected).isDisjoint(with: seen) {
            return Conclusion(
                .undecided, .verify,
                "the log contains a pinned key among the keys of the chain, so the pins of the program differ from those in the log or"
                    + " the program allows the pin only in another position")
        }
        guard let live else { return onPinsWithoutHost }
        if let misplaced { return misplaced }
        let matches = isPinned(live)
        if seen.isEmpty { return onPinsWithoutSeenKeys(matches) }
        let isOwnChain = sawHost(live)
        let sharesAuthority = !hostAuthorities.isDisjoint(with: seen.dropFirst())
        if isOwnChain || sharesAuthority || seenAuthority != nil {
            if expected.isEmpty { return onMissingPins }
            if matches, let conclusion = onNewerSet(live) { return conclusion }
        }
        if isOwnChain, matches {
            return Conclusion(
                .undecided, .fetch,
                "the log contains the host's own key, and the host serves a pinned key here: the program built another path without the"
                    + " pinned key, it has other pins, or the log is not complete")
        }
        if isOwnChain {
            return Conclusion(
                .rotation, .refresh,
                "the program saw the chain that the host serves now, which is trusted, and found no pin that matches\(cause)"
            )
        }
        if sharesAuthority {
            return matches
                ? Conclusion(
                    .undecided, .fetch,
                    "the program saw another key of the server, the log contains a key of a CA that the host uses here, and the host serves a"
                        + " pinned key here: another server of the host has other keys, or the host changed them back")
                : Conclusion(
                    .rotation, .refresh,
                    "the program saw another key of the server, the log contains a key of a CA that the host uses here, and neither chain"
                        + " contains a pinned key\(cause)")
        }
        if let authority = seenAuthority {
            return matches
                ? Conclusion(
                    .undecided, .fetch,
                    "the log contains a key of the public CA \(authority), and the host serves a pinned key here: another server of"
                        + " the host has other keys, the host changed them back, or the name of an interceptor's certificate contains"
                        + " this line of the log")
                : Conclusion(
                    .rotation, .refresh,
                    "the host serves a trusted chain without a pinned key, and the log contains a key of the public CA \(authority)"
                        + cause)
        }
        if let known = onKnownKey(matches) { return known }
        guard sawWholeChain else {
            return Conclusion(
                .undecided, .fetch,
                "the program saw a key that the host does not serve here, and the log does not show the whole chain up to a root: another"
                    + " server of the host has other keys, the host changed them, or the connection was intercepted")
        }
        guard matches || evidence.hasPublicAnchor else {
            return Conclusion(
                .undecided, .fetch,
                evidence.hasPinnedKeyElsewhere
                    ? "the program saw keys that the host does not serve here: another server of the host has other keys, the host changed"
                        + " its CA, or the connection was intercepted"
                    : "the program saw keys that the host does not serve here, and no key of the host's chain is pinned either: both chains"
                        + " are of private CAs, so the host may have changed its CA, or the connection was intercepted")
        }
        let hasPin = expected.isEmpty || evidence.hasPinnedKeyElsewhere
        let unpinned = hasPin ? "" : "; no key of this chain is pinned either"
        return Conclusion(
            .interception, .fetch,
            matches
                ? "the host serves a pinned key here, and the program saw other keys, of no public CA that pinctl knows"
                : "the program saw keys of no public CA that pinctl knows, and the host serves a chain of a public CA here\(unpinned)"
        )
    }

    /// The log contains keys that can be the host's, and no pins are known.
    private var onMissingPins: Conclusion {
        Conclusion(
            .undecided, .namePins,
            "the log does not contain the pins of the program, and the keys in it do not show an interception; the host's chain is"
                + " trusted here")
    }

    /// A set of which a pin matches the host's chain, and a log with other pins.
    private func onNewerSet(_ live: [Pin]) -> Conclusion? {
        guard !evidence.expected.isEmpty, !matches(Set(evidence.expected), live) else { return nil }
        return Conclusion(
            .undecided, .nameOwnPins,
            "the host serves a pinned key of this set here, and the log contains other pins: the program has an older set, without the keys"
                + " that the host uses now; if it has this set, the name of an interceptor's certificate contains these lines of the log"
        )
    }

    /// Whether the program saw the chain that the host serves here.
    func sawHost(_ live: [Pin]) -> Bool { seen.first == live.first || seen.allSatisfy(live.contains) }

    /// Pins of CAs for curl, which compares only the key of the server. With any other pin, the keys can have changed.
    private var misplaced: Conclusion? {
        guard failure.comparesOnlyServerKey, let live, !isPinned(live),
            let entry = evidence.chain?.entries.dropFirst().first(where: { expected.contains($0.certificate.pin) }),
            expected.isSubset(of: live.dropFirst() + defects.map(\.pin))
        else { return nil }
        let reason =
            "curl compares only the server's key, and the pin \(entry.certificate.pin.base64) is of the host's \(entry.role.rawValue)"
        guard let foreignKey else { return Conclusion(.wrongSet, .fetch, reason) }
        return Conclusion(.undecided, .fetch, "\(reason); also, \(foreignKey)")
    }

    /// The causes of a key in the log that the host does not serve here; nil if there is no such key. A wrong set does not explain it.
    var foreignKey: String? {
        guard let live, !seen.isEmpty, !sawHost(live), hostAuthorities.isDisjoint(with: seen.dropFirst()) else {
            return nil
        }
        return
            "the program saw a key that the host does not serve here: another server of the host has other keys, the host changed them, or"
            + " the connection was intercepted"
    }

    /// The end of the sentence of a rotation: a chain without a pinned key does not show whether it ever had one. Empty if the host serves a
    /// pinned key in another chain or path.
    var cause: String {
        evidence.hasPinnedKeyElsewhere || otherPath != nil
            ? "" : "; the keys changed, or the pins were never for this host"
    }

    private func onPinsWithoutSeenKeys(_ matches: Bool) -> Conclusion {
        guard !expected.isEmpty else {
            return Conclusion(
                .undecided, .namePins,
                "the log contains neither the pins of the program nor the keys that it saw; the host's chain is trusted here"
            )
        }
        guard matches else {
            return Conclusion(
                .rotation, .refresh, "the host serves a trusted chain without a pinned key\(cause)")
        }
        guard !failure.comparesCertificates else {
            return Conclusion(
                .undecided, .fetch,
                "the host serves a pinned key here, and the program compares whole certificates: the host probably renewed its certificate"
                    + " with the same key, or the program saw another chain")
        }
        return Conclusion(
            .undecided, .fetch,
            "the host serves a pinned key here: the program saw another chain, because the connection was intercepted or another server"
                + " of the host has other keys, or the version of the program has other pins")
    }

    private var onPinsWithoutHost: Conclusion {
        if let authority = seenAuthority, evidence.chain?.isTrusted != false {
            return Conclusion(
                .undecided, evidence.chain == nil ? .connect : .fetch,
                "the log contains a key of the public CA \(authority), as after a rotation; but the name of an interceptor's certificate can"
                    + " contain such a line, so compare with the host")
        }
        if let chain = evidence.chain {
            let found = onUntrusted(chain)
            // A program compares pins with a chain that it has validated.
            guard found.verdict == .expiredCertificate || found.verdict == .serverError else { return found }
            return Conclusion(
                .undecided, found.step,
                found.sentence
                    + "; this does not explain a refused pin, and the pins cannot be compared with such a chain")
        }
        return onMissingHost("the log alone does not show whether the keys belong to the host")
    }

    // MARK: Cancellation

    var onCancellation: Conclusion {
        guard let live else {
            guard let chain = evidence.chain else {
                return onMissingHost("the program cancelled the connection and did not log why")
            }
            return onUntrusted(chain)
        }
        if let refused = onRefusal("the program cancelled the connection, and ") { return refused }
        guard !expected.isEmpty else {
            return Conclusion(
                .undecided, .namePins,
                "the program cancelled the connection: its pin check refused the chain, or it stopped the request; the host's chain is"
                    + " trusted here")
        }
        guard !isPinned(live) else {
            return Conclusion(
                .undecided, .fetch,
                "the program cancelled the connection, and the host serves a pinned key here: the program saw another chain, or it stopped"
                    + " the request for another reason")
        }
        return Conclusion(
            .rotation, .refresh,
            "the program cancelled the connection, and the host serves a trusted chain without a pinned key\(cause)"
        )
    }
}
