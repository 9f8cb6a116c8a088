internal import PinSetCodec
internal import Pinning

/// The pins of an entry that can match, by their keys: a host can have many chains, and an entry many pins.
struct MatchingKeys {
    private let pins: [PinSet.PinnedKey]
    /// The indices of the pins with each key.
    private var indices: [Pin: [Int]] = [:]

    init(of entry: PinSet.Entry) {
        pins = entry.pins
        for (index, key) in pins.enumerated() where key.state != .retired {
            indices[key.pin, default: []].append(index)
        }
    }

    /// The pins that match a certificate of a chain, in the order of the entry.
    func keys(matching chain: [ChainPin]) -> [PinSet.PinnedKey] {
        let found = chain.flatMap { link in (indices[link.pin] ?? []).filter { pins[$0].matches(link) } }
        return Set(found).sorted().map { pins[$0] }
    }
}
