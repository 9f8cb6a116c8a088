internal import Encodings
internal import OpenSSL

/// One part of a target list. Whether a target belongs to it depends only on the target itself.
package struct Shard: Hashable, Sendable {
    /// The index of the part, from 0.
    package let index: Int
    /// Number of parts.
    package let count: Int

    /// Nil unless `index` is in `0..<count`.
    package init?(index: Int, count: Int) {
        guard count > 0, (0..<count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Whether the target belongs to this part: its fingerprint modulo the number of parts is ``index``.
    package func contains(_ fingerprint: TargetFingerprint) -> Bool {
        fingerprint.number % UInt64(count) == UInt64(index)
    }
}

/// The first eight bytes of the SHA-256 of a target's text, as a big-endian number.
///
/// It represents a target in large sets: among a million targets, two have the same fingerprint with a probability of 1 in
/// 37 million.
package struct TargetFingerprint: Hashable, Sendable {
    package let number: UInt64

    package init(_ target: Target) { self.init(text: target.description) }

    /// - Parameter text: a target in the form of ``Target/description``.
    package init(text: some StringProtocol) {
        number = Digest.sha256(text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
