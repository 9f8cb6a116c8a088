internal import Pinning
internal import Synchronization

/// Limits the memory for the certificates of one host.
///
/// A name can have 256 addresses, and a server can send another certificate list of 256 KiB in each connection. All of them are in memory
/// until the result of the host is written, and a report needs several times their size. So the lists of a host that differ have at most
/// ``maximumSize`` bytes together.
final class CertificateBudget: Sendable {
    /// Maximum total size in bytes: 256 addresses with three chains of 8 KiB.
    static let maximumSize = 6 << 20

    private struct State: ~Copyable {
        var lists: Set<[Certificate]> = []
        var size = 0
    }

    private let state = Mutex(State())

    /// Counts the certificates that a server sent, unless the host sent the same ones before.
    ///
    /// - Returns: whether they can be kept.
    func admits(_ chain: CertificateChain) -> Bool {
        let served = chain.entries.filter { $0.source != .store }.map(\.certificate) + chain.unused
        let size = served.reduce(0) { $0 + $1.der.count }
        return state.withLock { state in
            if state.lists.contains(served) { return true }
            guard state.size + size <= Self.maximumSize else { return false }
            state.lists.insert(served)
            state.size += size
            return true
        }
    }
}
