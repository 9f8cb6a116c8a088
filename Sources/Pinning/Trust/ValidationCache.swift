/// Results of the last validations with one trust store.
///
/// Many servers send the same chain, for example all those of one content delivery network. A result is valid only for the same
/// second and the same anchors, so a validation with the cache has the result that it has without.
struct ValidationCache {
    /// The input of a validation, apart from the time and the anchors.
    struct Key: Equatable {
        /// The certificates that the server sent, in its order.
        let certificates: [Certificate]
        /// Positions of the certificates that the path must not use.
        let omitted: Set<Int>
        let acceptsAnyAnchor: Bool
    }

    private struct Entry {
        let key: Key
        let path: ValidatedPath
    }

    /// The time at which the certificates of the entries were validated.
    private var secondsSince1970: Int64 = .min
    private var entries: [Entry] = []
    private var oldest = 0

    /// Maximum number of entries. A search compares the key with all of them.
    private static let maximumEntries = 8
    /// Maximum size of the certificates of an entry in bytes. Longer chains are not kept: real ones have a few kilobytes.
    private static let maximumSize = 32 << 10

    /// - Parameter moment: the time of the validation, in seconds since 1970.
    mutating func result(for key: Key, at moment: Int64) -> ValidatedPath? {
        if moment != secondsSince1970 { removeAll() }
        return entries.first { $0.key == key }?.path
    }

    mutating func add(_ path: ValidatedPath, for key: Key, at moment: Int64) {
        if moment != secondsSince1970 { removeAll() }
        secondsSince1970 = moment
        guard key.certificates.reduce(0, { $0 + $1.der.count }) <= Self.maximumSize else { return }
        if entries.count < Self.maximumEntries {
            entries.append(Entry(key: key, path: path))
        } else {
            entries[oldest] = Entry(key: key, path: path)
            oldest = (oldest + 1) % Self.maximumEntries
        }
    }

    /// Must be called after an anchor was added to the store.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        oldest = 0
    }
}
