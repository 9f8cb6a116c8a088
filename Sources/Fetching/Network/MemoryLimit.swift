internal import CSystem

/// The limit on the memory of this process (`ulimit -v`, `ulimit -d`).
///
/// An allocation beyond the limit ends the process. So a run checks in advance how much memory it needs.
package enum MemoryLimit {
    /// Read once, because the limit is asked for before each file is read, and only another process can set it later (prlimit(1)).
    private static let isSet = pinctl_available_memory() >= 0

    /// Number of bytes that the process can still allocate; nil if there is no limit.
    package static var available: Int? {
        guard isSet else { return nil }
        let bytes = pinctl_available_memory()
        return bytes < 0 ? nil : Int(clamping: bytes)
    }

    /// Prevents that each thread reserves address space. Must be called before the first thread starts.
    package static func avoidReservations() { pinctl_use_one_arena() }
}
