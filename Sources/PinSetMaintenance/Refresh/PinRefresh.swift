package import Pinning

/// The result of a refresh for one pin of a set.
package struct PinRefresh: Hashable, Sendable {
    package let key: PinSet.PinnedKey
    package let status: Status
    /// The roles of the pin in the usable chains, without duplicates. If the role of the pin allows none of its positions, those of its
    /// key.
    package let roles: [Role]
    /// Number of addresses that serve the pin.
    package let addresses: Int
    /// The expiry date of the certificate with this key; the earliest if there are several.
    package let notAfter: Timestamp?

    package enum Status: Hashable, Sendable {
        /// The pin is in the chain.
        case served
        /// The pin is in the chain, but the set marks it as gone. The refresh removes the mark.
        case returned
        /// The key of the pin is in a chain, but at no position that the role of the pin allows. It is in use, because the apps of
        /// platforms without roles accept it. If the set marks the pin as gone, the refresh removes the mark.
        case wrongRole(isMarked: Bool)
        /// A refresh retired the pin, but it is in use again. It becomes active.
        case reinstated
        /// The pin is in the chain but retired, so it does not match.
        case retiredServed
        /// Another key replaced the pin. The pin will be retired on the given day; nil if it stays, because no other active pin is in use.
        case gone(since: Timestamp, retires: Timestamp?, isNoted: Bool)
        /// Another key replaced the pin, and the retention time is over. The pin is retired now.
        case retires(since: Timestamp)
        /// The pin is active and in no chain, and no other key replaced it.
        case unserved
        /// The pin is in no chain, and an address sent no usable chain, or a chain has more valid paths than were searched.
        case unknown
        /// The pin is a backup and in no chain, as expected.
        case backup
        /// The pin is declared as a backup, but it is in the chain.
        case backupServed
        /// The pin was a backup and is now the leaf's key, or no active pin is in use; another backup remains. It becomes active.
        case backupPromoted
        /// The pin is retired and in no chain, or at no position that its role allows.
        case retired
    }
}

/// A pin that a refresh adds to an entry.
package struct AddedPin: Hashable, Sendable {
    package let key: PinSet.PinnedKey
    /// The position in the chain; nil for a backup.
    package let chainPin: ChainPin?
}

/// A given backup that was not added.
package struct RefusedBackup: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        /// The pin is in the chain of this host or of another one.
        case served
        /// The pin is already in the set as retired.
        case retired
        /// The pin is already in the set as active.
        case active
        /// An address sent no usable chain, or a chain has more valid paths than were searched, so it is unknown whether the pin is in use.
        case unknown
        /// A CA issued a certificate in the chain that is in no path that is valid here, and the pin can be its key.
        case otherPath
        /// The key is that of a CA, and no handshake authenticated one of the chains.
        case unauthenticated
    }

    package let key: PinSet.PinnedKey
    package let reason: Reason
}
