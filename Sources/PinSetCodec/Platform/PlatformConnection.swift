internal import Encodings
public import Pinning

/// A connection for which a platform's behaviour is predicted: the host and its chain.
public struct PlatformConnection: Sendable {
    /// A certificate of the chain.
    public struct Link: Hashable, Sendable {
        public let certificate: ChainPin
        /// The type and size of the key; nil if every platform supports the key.
        public let key: KeyDescription?
        /// SHA-256 of the whole certificate; nil if it is unknown.
        public let fingerprint: [UInt8]?
        /// The most specific common name of the subject; nil if the subject has no common name or it is unknown.
        public let commonName: String?
        /// Whether the server sent the certificate; nil if it is unknown.
        public let isServed: Bool?

        public init(
            certificate: ChainPin, key: KeyDescription? = nil, fingerprint: [UInt8]? = nil, commonName: String? = nil,
            isServed: Bool? = nil
        ) {
            (self.certificate, self.key, self.fingerprint) = (certificate, key, fingerprint)
            (self.commonName, self.isServed) = (commonName, isServed)
        }
    }

    /// The normalized host name or IP address.
    public let host: String
    /// The validated chain, leaf first, with its anchor; for an invalid chain, the certificates that were sent.
    public let chain: [Link]
    /// Whether the chain is valid for the host, including its name and its dates.
    public let isTrusted: Bool
    /// The known reasons why the chain is not valid.
    public let failures: [TrustFailure]
    public let now: Timestamp
    /// Whether clients reject the chain that try only one path, as OpenSSL does.
    package var hasDetour = false

    /// - Parameter host: a host name or an IP address, without a port. No entry covers a host that is neither.
    public init(host: String, chain: [Link], isTrusted: Bool, failures: [TrustFailure] = [], at now: Timestamp) {
        self.host = (try? HostName.normalized(host)) ?? host
        (self.chain, self.isTrusted, self.failures, self.now) = (chain, isTrusted, failures, now)
    }

    public init(host: String, chain: CertificateChain, at now: Timestamp) {
        let links = chain.entries.map { entry in
            Link(
                certificate: ChainPin(role: entry.role, position: entry.position, pin: entry.certificate.pin),
                key: entry.certificate.key, fingerprint: entry.certificate.sha256,
                commonName: entry.certificate.subject?.commonName, isServed: entry.source == .served)
        }
        self.init(host: host, chain: links, isTrusted: chain.isTrusted, failures: chain.failures, at: now)
        hasDetour = chain.detour != nil
    }
}

extension PlatformConnection {
    package var isAddress: Bool { IPAddress(host) != nil }

    /// The certificate of the server itself.
    package var leaf: Link? { chain.first { $0.certificate.position == 0 } }

    /// The parent domains of the host, closest first; none for an IP address.
    package var parents: [String] {
        guard !isAddress else { return [] }
        var names: [String] = []
        var name = host[...]
        while let dot = name.firstIndex(of: ".") {
            name = name[dot...].dropFirst()
            names.append(String(name))
        }
        return names
    }

    /// "example.com with includeSubdomains", for the entry that applies to the host.
    package func shown(_ name: String, subdomains: String) -> String {
        name == host ? name : "\(name) with \(subdomains)"
    }

    /// The certificate closest to the leaf that has one of the pins.
    ///
    /// The lists are sets, which the model of a file keeps: a forecast for a file with mistakes asks for a verdict for each pin of a host,
    /// so a verdict must cost no more for more pins.
    package func hit(anyOf lists: [Set<Pin>], where isAllowed: (Link) -> Bool = { _ in true }) -> Link? {
        chain.first { link in isAllowed(link) && lists.contains { $0.contains(link.certificate.pin) } }
    }

    /// The certificate closest to the leaf that has one of the pins.
    package func hit(_ pins: Set<Pin>, where isAllowed: (Link) -> Bool = { _ in true }) -> Link? {
        hit(anyOf: [pins], where: isAllowed)
    }

    /// The result by the rule of most platforms: it is sufficient that one pin matches any certificate of the chain.
    ///
    /// - Parameter decider: the subject of the sentence, such as the entry that has the pins.
    package func rulingAnywhere(anyOf lists: [Set<Pin>], of decider: String, note: String = "") -> PlatformRuling {
        guard let hit = hit(anyOf: lists) else {
            return PlatformRuling(.rejects, "\(decider) has no pin of this chain\(note)")
        }
        return PlatformRuling(.accepts, "\(decider) has the pin of the \(hit.certificate.role.rawValue)\(note)")
    }

    /// ``rulingAnywhere(anyOf:of:note:)`` for one list.
    package func rulingAnywhere(_ pins: Set<Pin>, of decider: String, note: String = "") -> PlatformRuling {
        rulingAnywhere(anyOf: [pins], of: decider, note: note)
    }
}

extension PinSet.Entry {
    /// The pins that can match. `convert` omits the other ones, which are retired.
    package var matchingPins: [PinSet.PinnedKey] { pins.filter { $0.state != .retired } }

    package var isAddress: Bool { IPAddress(name) != nil }
}

extension PinSet {
    /// The result for a set that no platform can represent, because all pins of an entry are retired; otherwise nil.
    ///
    /// - Parameter takesAddresses: whether `convert` writes IP addresses for the platform; otherwise it leaves them out.
    package func retiredEntry(takesAddresses: Bool = true) -> PlatformRuling? {
        entries.lazy.filter { takesAddresses || !$0.isAddress }.compactMap(\.retiredRuling).first
    }

    /// The set with only the entries that satisfy a condition.
    package func filtered(_ isIncluded: (Entry) -> Bool) -> PinSet {
        (try? PinSet(entries: entries.filter(isIncluded))) ?? self
    }
}

extension PinSet.Entry {
    /// The result for an entry whose pins are all retired; otherwise nil.
    package var retiredRuling: PlatformRuling? {
        guard matchingPins.isEmpty else { return nil }
        return PlatformRuling(
            .refusesConfig, "every pin of \(name) is retired, so no pin is left for this platform")
    }
}
