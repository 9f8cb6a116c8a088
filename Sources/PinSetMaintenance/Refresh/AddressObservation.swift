internal import Encodings
internal import PinSetCodec
package import Pinning

/// The chain from one address of a host, after comparison with the pins of the entry.
package struct AddressObservation: Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// The chain is trusted and matches a pin that is not retired.
        case match
        /// The chain is trusted but matches no pin: the keys of the server changed, or the connection is intercepted. The refresh adds
        /// no pin from it.
        case mismatch
        /// The chain is authenticated and trusted and matches no pin, but the user accepted it.
        case accepted
        /// The chain is not trusted. The refresh adds no pin from it, even if the user accepted it.
        case untrusted
        /// The address sent no chain.
        case unreachable
    }

    /// The chain; nil if the address sent none.
    package let chain: CertificateChain?
    package let verdict: Verdict
    /// A retired pin without `goneSince` that matches a trusted chain at a position that the entry pins: the user retired it. If no other
    /// pin matches, the chain is never accepted, because the key is lost or no longer in use.
    package let withdrawnKey: PinSet.PinnedKey?
    /// Whether the handshake authenticated the certificates. Otherwise an interceptor may have replaced those above a pinned key.
    package let isAuthenticated: Bool
    /// The pins of the path, leaf first, even if the chain is not trusted.
    let pins: [ChainPin]
    /// A certificate and its pin, which would be computed at each access.
    private typealias PinnedEntry = (pin: ChainPin, entry: CertificateChain.Entry)

    /// The certificates of the path.
    private let chainEntries: [PinnedEntry]
    /// The certificates of all valid paths of a trusted chain; empty if the paths were not searched.
    private let pathEntries: [PinnedEntry]

    init(_ chain: CertificateChain?, of entry: PinSet.Entry, isAccepted: Bool, isAuthenticated: Bool) {
        (self.chain, self.isAuthenticated) = (chain, isAuthenticated)
        pins = chain?.pins ?? []
        chainEntries = (chain?.entries ?? []).map { ($0.chainPin, $0) }
        let paths = chain.map { $0.isTrusted ? $0.validPaths?.paths.flatMap(\.self) ?? [] : [] } ?? []
        pathEntries = paths.map { ($0.chainPin, $0) }
        guard let chain, chain.isTrusted else {
            (verdict, withdrawnKey) = (chain == nil ? .unreachable : .untrusted, nil)
            return
        }
        let pins = pins
        let matching = entry.pins.filter { key in pins.contains { key.matches($0) } }
        let roles = Set(entry.pins.filter { $0.state == .active }.map(\.role))
        withdrawnKey = matching.first { key in
            guard key.state == .retired, key.goneSince == nil else { return false }
            return roles.isEmpty
                || pins.contains { pin in key.matches(pin) && roles.contains { $0.allows(pin.role, at: pin.position) } }
        }
        let isMatch = matching.contains { $0.state != .retired }
        let isAccepted = isAccepted && isAuthenticated && withdrawnKey == nil
        verdict = isMatch ? .match : isAccepted ? .accepted : .mismatch
    }

    /// Whether the chain is one of the host.
    package var isUsable: Bool { verdict == .match || verdict == .accepted }

    /// Whether the refresh can add pins from the chain.
    var teachesKeys: Bool { isUsable && isAuthenticated }

    /// The positions of the path where the pin matches.
    func chainPins(of key: PinSet.PinnedKey) -> [ChainPin] { pins.filter { key.matches($0) } }

    /// The certificates of the path where the pin matches.
    func entries(with key: PinSet.PinnedKey) -> [CertificateChain.Entry] {
        chainEntries.filter { key.matches($0.pin) }.map(\.entry)
    }

    /// The certificates of all valid paths where the pin matches. A client with other trust anchors builds one of these paths.
    func entriesInAllPaths(with key: PinSet.PinnedKey) -> [CertificateChain.Entry] {
        pathEntries.filter { key.matches($0.pin) }.map(\.entry)
    }

    /// The pins of all valid paths of a trusted chain; empty if the paths were not searched.
    var pinsInAllPaths: [ChainPin] { pathEntries.map(\.pin) }

    /// The certificates of the path and of all valid paths with this key, at any position.
    func entries(withKey pin: Pin) -> [CertificateChain.Entry] {
        (chainEntries + pathEntries).filter { $0.pin.pin == pin }.map(\.entry)
    }

    /// Whether the path or another valid path contains this key, at any position.
    package func hasKey(_ pin: Pin) -> Bool { (chainEntries + pathEntries).contains { $0.pin.pin == pin } }

    /// The keys of the path and of all valid paths.
    var keysOfPaths: Set<Pin> { Set((chainEntries + pathEntries).map(\.pin.pin)) }

    func certificate(at chainPin: ChainPin) -> Certificate? {
        chain?.entries.first { $0.position == chainPin.position }?.certificate
    }
}

extension CertificateChain.Entry {
    fileprivate var chainPin: ChainPin { ChainPin(role: role, position: position, pin: certificate.pin) }
}

extension PinSet.PinnedKey {
    /// When the certificate of the CA with this key expired, so that it issues no others: the date in the set, or that of a public CA.
    ///
    /// - Returns: nil if it has not expired, or is not known.
    package func expiry(before now: Timestamp) -> Timestamp? {
        let end = notAfter ?? (role == .leaf ? nil : KnownAuthorities.details(of: pin)?.notAfter)
        return end.flatMap { $0 < now.startOfDay ? $0 : nil }
    }

    /// Whether the pin and its role match this position. Ignores the state of the pin.
    package func matches(_ chainPin: ChainPin) -> Bool {
        pin == chainPin.pin && role.allows(chainPin.role, at: chainPin.position)
    }
}
