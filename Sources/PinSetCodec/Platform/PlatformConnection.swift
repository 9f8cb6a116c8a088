internal import Encodings
public import Pinning

/// A connection to predict: the host, its chain and the pin set.
public struct PlatformConnection: Sendable {
    /// A certificate of the chain: its pin and its key.
    public struct Link: Hashable, Sendable {
        public let certificate: ChainPin
        /// Nil if every platform supports the key.
        public let key: KeyDescription?

        public init(certificate: ChainPin, key: KeyDescription? = nil) {
            (self.certificate, self.key) = (certificate, key)
        }
    }

    public let set: PinSet
    /// The normalized host name or IP address.
    public let host: String
    /// The validated chain, leaf first, with its anchor; for an invalid chain, the certificates that were sent.
    public let chain: [Link]
    /// Whether the chain is valid for the host, including its name and its dates.
    public let isTrusted: Bool
    public let now: Timestamp

    /// - Parameter host: a host name or an IP address, without a port. No entry covers any other text.
    public init(host: String, chain: [Link], isTrusted: Bool, set: PinSet, at now: Timestamp) {
        self.host = (try? HostName.normalized(host)) ?? host
        (self.chain, self.isTrusted, self.set, self.now) = (chain, isTrusted, set, now)
    }

    public init(host: String, chain: CertificateChain, set: PinSet, at now: Timestamp) {
        let links = chain.entries.map { entry in
            Link(
                certificate: ChainPin(role: entry.role, position: entry.position, pin: entry.certificate.pin),
                key: entry.certificate.key)
        }
        self.init(host: host, chain: links, isTrusted: chain.isTrusted, set: set, at: now)
    }
}

extension PlatformConnection {
    package var isAddress: Bool { IPAddress(host) != nil }

    /// The entry of the host itself.
    package var ownEntry: PinSet.Entry? { self.set.indices[host].map { self.set.entries[$0] } }

    /// Entries of parent domains, closest first, whether or not they cover the host, with their distance in labels.
    package var parents: [(entry: PinSet.Entry, depth: Int)] {
        guard !isAddress else { return [] }
        var found: [(entry: PinSet.Entry, depth: Int)] = []
        var name = host[...]
        var depth = 0
        while let dot = name.firstIndex(of: ".") {
            name = name[dot...].dropFirst()
            depth += 1
            if let index = set.indices[String(name)] { found.append((set.entries[index], depth)) }
        }
        return found
    }

    /// The entry that decides where an exact one comes first, then the longest of those with subdomains, which have no limit
    /// to their depth.
    package var longestEntry: PinSet.Entry? {
        ownEntry ?? parents.first { $0.entry.subdomains != .none }?.entry
    }

    /// "example.com with includeSubdomains", for the entry that decides.
    package func shown(_ entry: PinSet.Entry, subdomains: String) -> String {
        entry.name == host ? entry.name : "\(entry.name) with \(subdomains)"
    }

    /// The lowest certificate that has one of the pins.
    package func hit(_ pins: [PinSet.PinnedKey], where isAllowed: (Link) -> Bool = { _ in true }) -> Link? {
        let pins = Set(pins.map(\.pin))
        return chain.first { isAllowed($0) && pins.contains($0.certificate.pin) }
    }

    /// A mismatch or a match, by the one rule that most platforms share: some pin, anywhere in the chain.
    ///
    /// - Parameter decider: what has the pins, as the subject of a sentence.
    package func rulingAnywhere(_ pins: [PinSet.PinnedKey], of decider: String, note: String = "") -> PlatformRuling {
        guard let hit = hit(pins) else {
            return PlatformRuling(.rejects, "\(decider) has no pin of this chain\(note)")
        }
        return PlatformRuling(.accepts, "\(decider) has the pin of the \(hit.certificate.role.rawValue)\(note)")
    }

    /// The ruling for a set that no platform can represent; otherwise nil.
    package func retiredEntry(among entries: [PinSet.Entry]) -> PlatformRuling? {
        guard let entry = entries.first(where: { $0.matchingPins.isEmpty }) else { return nil }
        return PlatformRuling(
            .refusesConfig, "every pin of \(entry.name) is retired, which leaves none to write for this platform")
    }
}

extension PinSet.Entry {
    /// Pins that can match. A converter leaves out retired pins.
    package var matchingPins: [PinSet.PinnedKey] { pins.filter { $0.state != .retired } }

    package var isAddress: Bool { IPAddress(name) != nil }

    /// Number of different pins.
    package var countOfPins: Int { Set(matchingPins.map(\.pin)).count }

    /// Where a platform has days, the start of the day of `expires`, in UTC: a converter writes no later one.
    package var expiryDay: Timestamp? {
        guard let parts = expires?.components else { return nil }
        return Timestamp(year: parts.year, month: parts.month, day: parts.day)
    }
}
