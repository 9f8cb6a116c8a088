internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// Why a pin that was not seen may be in use.
struct RefreshGap {
    /// A clause: "-4 leaves out the IPv6 addresses".
    let reason: String
    let hint: String
    /// Whether a connection failed, and the user did not cause it.
    var isFailure = false
    /// What is not known of the host, and can contain a backup.
    var hidden = Hidden.chains

    enum Hidden {
        case nothing
        /// Other paths of a known chain. They have the same leaf.
        case paths
        case chains
    }

    /// Whether what is not known can contain a key that no known chain contains.
    func hides(_ key: PinSet.PinnedKey) -> Bool {
        switch hidden {
        case .nothing: false
        case .paths: key.role != .leaf
        case .chains: true
        }
    }
}

extension RefreshGap {
    /// The gap after a connection that should show another chain of an address.
    ///
    /// - Parameter client: the clients that may see the chain; nil if the error names them.
    static func unanswered(_ name: String, for client: OtherClient? = nil, _ failure: FetchError) -> RefreshGap {
        let hint =
            if failure.nextStep == .sendClientCertificate, let step = failure.hint {
                step
            } else if client == nil {
                "run refresh again when every address answers"
            } else {
                "run refresh again; if the server never answers such clients, use pinctl retire"
            }
        return RefreshGap(
            reason: "\(name) may have another certificate\(client.map { " for \($0)" } ?? ""): \(failure.message)",
            hint: hint, isFailure: failure.nextStep != .sendClientCertificate)
    }

    /// The gap after a search for the chains of an address for other clients.
    init(_ failure: OtherClientSearch.Failure, at name: String) {
        switch failure {
        case .unanswered(let client, let error): self = .unanswered(name, for: client, error)
        case .interrupted:
            self.init(
                reason: "the search for other certificates of \(name) was interrupted", hint: "run refresh again")
        }
    }

    /// The gap after name resolution that may have left out addresses.
    init(_ problem: LookUpProblem) {
        reason = problem.reason
        hint =
            switch problem.cause {
            case .proxy, .tooManyAddresses: problem.step(for: "refresh")
            case .failure, .setting, .notContacted:
                "\(problem.step(for: "refresh")), or use --assume-complete if the host has no other addresses"
            }
    }

    /// The gap after a handshake that ended before it was authenticated.
    static func unfinished(_ name: String) -> RefreshGap {
        RefreshGap(reason: UnfinishedHandshake.reason(at: name), hint: UnfinishedHandshake.step)
    }

    /// The gap if a chain contains a certificate for another path, which is not valid here.
    static func otherPath(_ name: String, by certificate: Certificate) -> RefreshGap {
        let (subject, issuer) = (certificate.subject?.displayName ?? "", certificate.issuer?.displayName ?? "")
        return RefreshGap(
            reason:
                "the chain of \(name) contains a certificate of \(subject.quoted) that \(issuer.quoted) issued, which is in no path that is"
                + " valid here: clients for which such a path is valid build another one",
            hint: "run refresh with the CAs that your clients trust, or use pinctl retire if no client needs the pin",
            hidden: .paths)
    }

    /// The gap after a search for valid paths that reached a limit.
    static func manyPaths(_ name: String) -> RefreshGap {
        RefreshGap(
            reason: "the chain of \(name) may have more valid paths than refresh searches",
            hint: fewerPaths, hidden: .paths)
    }

    /// What to do if a chain has too many valid paths.
    static let fewerPaths = "remove the certificates that the chain does not need"
}
