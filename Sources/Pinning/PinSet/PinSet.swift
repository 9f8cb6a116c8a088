package import Encodings

/// A pin set: the pins that each host must have.
///
/// ```swift
/// let set = try PinSet(json: bytes)
/// if let entry = set.entry(for: "api.example.com") { … }
/// ```
public struct PinSet: Hashable, Sendable {
    /// The entries in the given order. No two entries have the same host.
    public let entries: [Entry]

    /// Unknown keys at the top level of the file, with their values.
    package let unknown: [JSONMember]

    /// The index in ``entries`` of each normalized host.
    package let indices: [String: Int]

    /// - Throws: `PinSetError` if two entries have the same host.
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
    /// An unknown key of the file. It is kept, but may be a typing error.
    public struct UnknownKey: Hashable, Sendable {
        public let key: String
        /// The host whose entry contains the key; nil at the top level.
        public let host: String?
        /// The line and the column, both from 1.
        public let line: Int
        public let column: Int
    }

    /// The unknown keys, beginning with those of the top level, then in the order of the file.
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
