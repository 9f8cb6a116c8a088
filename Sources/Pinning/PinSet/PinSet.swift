package import Encodings

/// Which pins hold for which hosts.
///
/// ```swift
/// let set = try PinSet(json: bytes)
/// if let entry = set.entry(for: "api.example.com") { … }
/// ```
public struct PinSet: Hashable, Sendable {
    /// In the order in which they were given. No two are for the same host.
    public let entries: [Entry]

    /// Keys of the file's top level that mean nothing here, with their values.
    package let unknown: [JSONMember]

    /// Where the entry of each normalised host stands in `entries`.
    package let indices: [String: Int]

    /// - Throws: `PinSetError` when two entries are for the same host.
    public init(entries: [Entry]) throws(PinSetError) {
        try self.init(entries: entries, unknown: [])
    }

    package init(entries: [Entry], unknown: [JSONMember]) throws(PinSetError) {
        var indices: [String: Int] = [:]
        for (index, entry) in entries.enumerated() {
            if let first = indices.updateValue(index, forKey: entry.name) {
                let reason = PinSetError.Reason.sameHost(
                    entry.host, first: entries[first].host, line: entries[first].position?.line
                )
                throw PinSetError(reason, at: entry.position)
            }
        }
        self.entries = entries
        self.unknown = unknown
        self.indices = indices
    }
}

extension PinSet {
    /// A key of the file that means nothing here: kept, and worth a warning, for it may be a known one misspelt.
    public struct UnknownKey: Hashable, Sendable {
        public let key: String
        /// The host in whose entry it stands; nil at the top level.
        public let host: String?
        /// Both count from 1.
        public let line: Int
        public let column: Int
    }

    /// In the order of the file, but for those of the top level, which come first.
    public var unknownKeys: [UnknownKey] {
        func keys(_ members: [JSONMember], host: String?) -> [UnknownKey] {
            members.map {
                UnknownKey(key: $0.key, host: host, line: $0.position.line, column: $0.position.column)
            }
        }
        return keys(unknown, host: nil)
            + entries.flatMap { entry in
                keys(entry.unknown, host: entry.host) + entry.pins.flatMap { keys($0.unknown, host: entry.host) }
            }
    }
}
