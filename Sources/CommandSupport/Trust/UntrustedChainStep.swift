internal import Encodings
internal import Fetching
package import Pinning

/// The next step after a chain that does not validate, in the same words for all commands.
package struct UntrustedChainStep {
    /// Where the only trust anchors were named; nil if the system's anchors are trusted too.
    private let origin: PinSetTrust.Origin?
    /// The pin set, for messages.
    private let setName: String?
    /// Whether the file of the pin set can name anchors.
    private let setNamesAnchors: Bool

    /// The step of a command without a pin set.
    package init(_ source: TrustSource) {
        (origin, setName, setNamesAnchors) = (source.isExclusive ? .commandLine : nil, nil, false)
    }

    /// The step for a host of a pin set.
    package init(_ trust: PinSetTrust, for entry: PinSet.Entry?, in pins: PinSetFile) {
        (origin, setName, setNamesAnchors) = (trust.exclusiveOrigin(for: entry), pins.name, pins.namesAnchors)
    }

    /// The step for a host of a file that does not have to be a valid pin set.
    ///
    /// - Parameter hasOwnAnchors: whether the file names the anchors of the host.
    package init(_ source: TrustSource, hasOwnAnchors: Bool, inSetAt path: String, namesAnchors: Bool) {
        origin = hasOwnAnchors ? .pinSet : source.isExclusive ? .commandLine : nil
        (setName, setNamesAnchors) = (path == "-" ? "the pin set" : path.quoted, namesAnchors)
    }

    /// The step as a sentence without a full stop; nil if the chain validates.
    package func text(for chain: CertificateChain) -> String? {
        guard let failure = chain.failures.first else { return nil }
        switch failure {
        case .missingIssuer(let leaf, position: 0) where !leaf.isSelfIssued:
            let issuer = (leaf.issuer?.displayName ?? "").quoted
            // Certificates of public CAs say where their issuer is (RFC 5280, section 4.2.2.1).
            let canBeFetched = leaf.issuerURLs.contains { HTTPURL($0) != nil }
            let search = canBeFetched ? " (pinctl fetch --fetch-issuers can find it)" : ""
            return "if \(issuer) is an intermediate, configure the server to send it\(search); "
                + (origin == nil
                    ? "if it is your own root CA, use --anchors FILE\(field); otherwise, the connection may be intercepted"
                    : "if not, \(anchors)")
        case let failure where failure.isUnknownAuthority: return anchors
        case .nameMismatch:
            return blame("check the server: another one answered, or it has no certificate for this name")
        case .expired(_, position: 0), .notYetValid(_, position: 0):
            return blame("replace the server's certificate, which is not valid at this time")
        case .expired(let certificate, let position), .notYetValid(let certificate, let position):
            let name = (certificate.subject?.displayName ?? "").quoted
            let isServed = chain.entries.contains { $0.position == position && $0.source == .served }
            guard isServed, !certificate.isSelfIssued else {
                return
                    "check the trust anchors and the server's chain: the certificate of \(name) is not valid at this time"
            }
            return blame(
                "install the current certificate of \(name) on the server: the one that it sends is not valid at this time"
            )
        case .badSignature, .weakKey(_, position: 1...), .weakSignature(_, position: 1...),
            .notAnAuthority(_, position: 1...), .wrongPurpose(_, position: 1...), .revoked(_, position: 1...):
            return blame("install a valid certificate chain on the server")
        default: return blame("replace the server's certificate")
        }
    }

    private var field: String { setNamesAnchors ? setName.map { " or \"anchors\" in \($0)" } ?? "" : "" }

    /// The step for an unknown CA.
    private var anchors: String {
        switch origin {
        case .pinSet?:
            "check the anchors that \(setName ?? "the pin set") names for this host: if they are up to date, the connection may be"
                + " intercepted"
        case .commandLine?: "check the anchors of --anchors: if they are correct, the connection may be intercepted"
        case .system?, nil: "if this CA is yours, use --anchors FILE\(field); if not, the connection may be intercepted"
        }
    }

    /// With a pin set, the step says that the pins are correct.
    private func blame(_ step: String) -> String {
        setName == nil ? step : "\(step); the pins are not the cause"
    }
}

extension TrustSource {
    /// Whether only anchors that the user named are trusted.
    fileprivate var isExclusive: Bool { anchors != nil && hashedDirectories.isEmpty && bundle == nil }
}

extension CertificateChain {
    /// Whether the chain would validate at another time. For another certificate than the leaf, OpenSSL reports its date before it
    /// verifies the signatures below it (`internal_verify` in crypto/x509/x509_vfy.c).
    package var failsOnlyByDateOfLeaf: Bool {
        !failures.isEmpty
            && failures.allSatisfy {
                switch $0 {
                case .expired(_, position: 0), .notYetValid(_, position: 0): true
                default: false
                }
            }
    }
}
