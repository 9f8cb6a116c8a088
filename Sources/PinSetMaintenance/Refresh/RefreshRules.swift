package import Pinning

/// By what rules a refresh changes a set.
package struct RefreshRules: Sendable {
    /// The moment of the refresh.
    package var now: Timestamp
    /// For how many days a pin that is no longer served stays active.
    package var retainedDays: Int
    /// Keys that are to be kept ready, each for every entry of the refresh.
    package var backups: [PinSet.PinnedKey]
    /// What other hosts are known to serve, none of which can be a backup.
    package var served: Set<Pin> = []

    package init(
        now: Timestamp, retainedDays: Int = Self.defaultRetention, backups: [PinSet.PinnedKey] = []
    ) {
        (self.now, self.retainedDays, self.backups) = (now, retainedDays, backups)
    }

    /// Long enough for a rollout over all addresses of a host, a step back included; short enough that a key nobody guards any
    /// more does not open a host for long.
    package static let defaultRetention = 30

    /// Today, as dates in the set are written.
    var today: Timestamp { Timestamp(rfc3339: now.date) ?? now }
}
