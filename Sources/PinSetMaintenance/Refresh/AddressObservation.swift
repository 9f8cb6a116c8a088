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
        /// The chain is trusted and matches no pin, but the user accepted it.
        case accepted
        /// The chain is not trusted. The refresh adds no pin from it, even if the user accepted it.
        case untrusted
        /// The address sent no chain.
        case unreachable
    }

    /// The chain; nil if the address sent none.
    package let chain: CertificateChain?
    package let verdict: Verdict
    /// The pins of the path, leaf first, even if the chain is not trusted.
    let pins: [ChainPin]
    /// A certificate and its pin, which would be computed at each access.
    private typealias PinnedEntry = (pin: ChainPin, entry: CertificateChain.Entry)

    /// The certificates of the path.
    private let chainEntries: [PinnedEntry]
    /// The certificates of all valid paths of a trusted chain; empty if the paths were not searched.
    private let pathEntries: [PinnedEntry]

    init(_ chain: CertificateChain?, of entry: PinSet.Entry, isAccepted: Bool) {
        self.chain = chain
        pins = chain?.pins ?? []
        chainEntries = (chain?.entries ?? []).map { ($0.chainPin, $0) }
        let paths = chain.map { $0.isTrusted ? $0.validPaths?.paths.flatMap(\.self) ?? [] : [] } ?? []
        pathEntries = paths.map { ($0.chainPin, $0) }
        guard let chain else {
            verdict = .unreachable
            return
        }
        guard chain.isTrusted else {
            verdict = .untrusted
            return
        }
        let pins = pins
        let matches = entry.pins.contains { key in key.state != .retired && pins.contains { key.matches($0) } }
        verdict = matches ? .match : isAccepted ? .accepted : .mismatch
    }

    /// Whether the refresh can add pins from the chain.
    package var isUsable: Bool { verdict == .match || verdict == .accepted }

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

    /// The certificates of the path and of all valid paths with this key, at any position.
    func entries(withKey pin: Pin) -> [CertificateChain.Entry] {
        (chainEntries + pathEntries).filter { $0.pin.pin == pin }.map(\.entry)
    }

    func certificate(at chainPin: ChainPin) -> Certificate? {
        chain?.entries.first { $0.position == chainPin.position }?.certificate
    }
}

extension CertificateChain.Entry {
    fileprivate var chainPin: ChainPin { ChainPin(role: role, position: position, pin: certificate.pin) }
}

extension PinSet.PinnedKey {
    /// Whether the pin and its role match this position. Ignores the state of the pin.
    package func matches(_ chainPin: ChainPin) -> Bool {
        pin == chainPin.pin && role.allows(chainPin.role, at: chainPin.position)
    }
}
