package import Pinning

/// The rules by which a refresh changes a pin set.
package struct RefreshRules: Sendable {
    /// The time of the refresh.
    package var now: Timestamp
    /// Number of days for which a pin stays active after it is no longer served.
    package var retainedDays: Int
    /// Backup pins to add to every entry of the refresh.
    package var backups: [PinSet.PinnedKey]
    /// Pins that other hosts serve. They cannot be backups.
    package var served: Set<Pin> = []
    /// Active pins of the whole set. Their keys cannot become backups of a leaf, because the servers of their hosts use them.
    package var active: Set<Pin> = []

    package init(
        now: Timestamp, retainedDays: Int = Self.defaultRetention, backups: [PinSet.PinnedKey] = []
    ) {
        (self.now, self.retainedDays, self.backups) = (now, retainedDays, backups)
    }

    /// Default of ``retainedDays``. It is long enough for a rollout to all addresses of a host, including a rollback. It is short
    /// enough to limit the risk of an old key that is no longer protected.
    package static let defaultRetention = 30

    /// Midnight UTC at the start of the current day. Dates in the set have this precision.
    var today: Timestamp { Timestamp(rfc3339: now.date) ?? now }
}
