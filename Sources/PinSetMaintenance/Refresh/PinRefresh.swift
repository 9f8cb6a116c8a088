package import Pinning

/// What a refresh found of one pin of a set.
package struct PinRefresh: Hashable, Sendable {
    package let key: PinSet.PinnedKey
    package let status: Status
    /// Where it stands in the chains that count, each role once.
    package let roles: [Role]
    /// At how many addresses it is served.
    package let addresses: Int
    /// When the certificate with it ends; of several, the first to end.
    package let notAfter: Timestamp?

    package enum Status: Hashable, Sendable {
        /// It is in the chain.
        case served
        /// The same, and the set calls it gone: that note goes.
        case returned
        /// Retired by a refresh, and in use again: it becomes active.
        case reinstated
        /// Retired, and yet in the chain, where it does not match.
        case retiredServed
        /// Another key has taken its place. It becomes retired on that day.
        case gone(since: Timestamp, retires: Timestamp, isNoted: Bool)
        /// The same, and its time is over.
        case retires(since: Timestamp)
        /// Active and in no chain, and nothing has taken its place.
        case unserved
        /// No chain shows it, and some address showed none that counts.
        case unknown
        /// Held ready, and in no chain, as it should be.
        case backup
        /// Meant as a backup, and in the chain: it is none any more.
        case backupServed
        /// The same, the leaf's, where another backup is left: it becomes active.
        case backupPromoted
        /// Kept for the record.
        case retired
    }
}

/// A pin that a refresh adds to an entry.
package struct AddedPin: Hashable, Sendable {
    package let key: PinSet.PinnedKey
    /// Where it stands in the chain; nil for a backup.
    package let place: ChainPin?
}

/// A backup that was offered and is not taken.
package struct RefusedBackup: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        /// It is in the chain that this host serves, or another one.
        case served
        /// The set says that it is retired.
        case retired
        /// The set has it, as active.
        case active
        /// No chain that counts from every address: nobody can say whether it is in use.
        case unknown
    }

    package let key: PinSet.PinnedKey
    package let reason: Reason
}
