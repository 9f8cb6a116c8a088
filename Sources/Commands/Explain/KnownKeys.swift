internal import Encodings
internal import Pinning

/// Keys of a log that a person named in the pin set or as trust anchors. They can be the host's.
struct KnownKeys {
    /// A pin of the set.
    private struct Listing {
        /// The normalized name of the entry.
        let entry: String
        let isRetired: Bool
    }

    private var listings: [Pin: [Listing]] = [:]
    private let anchors: [Pin: String]
    /// The common names of the anchors.
    let anchorNames: Set<String>

    /// - Parameters:
    ///   - keys: The keys of the log.
    ///   - anchors: The trust anchors that the command line or the set names.
    init(of keys: Set<Pin>, in set: PinSet?, anchors: [Certificate]) {
        self.anchors = Dictionary(
            anchors.filter { keys.contains($0.pin) }.map { ($0.pin, ($0.subject?.displayName ?? "").quoted) }
        ) { first, _ in first }
        anchorNames = Set(anchors.compactMap { $0.subject?.commonName })
        guard !keys.isEmpty else { return }
        for entry in set?.entries ?? [] {
            for key in entry.pins where keys.contains(key.pin) {
                listings[key.pin, default: []].append(Listing(entry: entry.name, isRetired: key.state == .retired))
            }
        }
    }

    /// The first of these keys that a person named, as a noun phrase; nil if a person named no key.
    ///
    /// - Parameter entry: The entry of the set for the host.
    func phrase(for keys: [Pin], of entry: PinSet.Entry?) -> String? {
        for key in keys {
            if let place = place(of: key, entry) { return "the key \(key.base64), which \(place)" }
        }
        return nil
    }

    private func place(of key: Pin, _ entry: PinSet.Entry?) -> String? {
        let listings = listings[key] ?? []
        if let own = listings.first(where: { $0.entry == entry?.name }) {
            return own.isRetired ? "the pin set lists as retired for this host" : "the pin set contains for this host"
        }
        if let other = listings.first { return "the pin set contains for \(other.entry)" }
        return anchors[key].map { "is of the trust anchor \($0)" }
    }
}
