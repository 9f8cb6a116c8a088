internal import OpenSSL

/// One of several parts of a list, each of which holds a target or does not, whatever else is in the list.
package struct Shard: Hashable, Sendable {
    /// From 0.
    package let index: Int
    /// How many parts there are.
    package let count: Int

    /// Nil unless there is such a part.
    package init?(index: Int, count: Int) {
        guard count > 0, (0..<count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Whether the target is in this part: the first eight bytes of SHA-256 of its text, read as a big-endian number, leave
    /// this remainder when they are divided by the number of parts.
    package func contains(_ fingerprint: TargetFingerprint) -> Bool {
        fingerprint.number % UInt64(count) == UInt64(index)
    }
}

/// The first eight bytes of SHA-256 of a target's text, as a number.
///
/// It stands for the target where a million of them have to be held: by chance two of those are alike once in 37 million lists.
package struct TargetFingerprint: Hashable, Sendable {
    package let number: UInt64

    package init(_ target: Target) { self.init(text: target.description) }

    /// - Parameter text: the one spelling that a ``Target`` gives.
    package init(text: some StringProtocol) {
        number = Digest.sha256(text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
