internal import Synchronization

/// A bounded queue of targets that the reader of a list fills and the workers empty.
///
/// The writer waits while the queue is full. So a list is read only as fast as it is processed. Workers do not wait in the channel.
package final class TargetChannel: Sendable {
    package enum Entry: Sendable {
        case target(Target)
        /// A target that the caller excluded. It is reported, but pinctl does not connect to it.
        case skipped(Target)
        case invalidLine(InvalidTargetLine)
    }

    enum Taken: Sendable {
        case entry(Entry)
        /// The queue is empty, but the writer has not finished.
        case nothing
        case end
    }

    private struct State: ~Copyable {
        var entries: [Entry] = []
        /// Number of entries at the start of `entries` that have been taken.
        var taken = 0
        var count = 0
        var isFinished = false
        var isClosed = false
        var isWriterWaiting = false
        var onArrival: (@Sendable () -> Void)?

        var isFull: Bool { entries.count - taken >= TargetChannel.capacity }
    }

    /// Maximum number of entries, enough to keep the workers busy until the writer runs again.
    private static let capacity = 1024

    private let state = Mutex(State())
    private let wakePipe: WakePipe?

    /// An empty channel; nil if the process has no file descriptor left.
    package init?() {
        guard let wakePipe = WakePipe() else { return nil }
        self.wakePipe = wakePipe
    }

    /// A channel that contains these entries and accepts no more.
    package init(_ entries: [Entry]) {
        wakePipe = nil
        state.withLock { state in
            state.entries = entries
            state.count = entries.count
            state.isFinished = true
        }
    }

    deinit { wakePipe?.closeEnds() }

    /// The number of entries added so far, and whether the writer has finished.
    package var count: (soFar: Int, isAll: Bool) { state.withLock { ($0.count, $0.isFinished) } }

    /// Adds entries; waits while the queue is full.
    ///
    /// - Returns: false if the channel is closed, so that no worker takes more entries.
    package func put(_ entries: [Entry]) -> Bool {
        guard !entries.isEmpty else { return !state.withLock { $0.isClosed } }
        while true {
            enum Step {
                case done((@Sendable () -> Void)?)
                case wait, closed
            }
            let step: Step = state.withLock { state in
                guard !state.isClosed else { return .closed }
                guard !state.isFull else {
                    state.isWriterWaiting = true
                    return .wait
                }
                state.entries += entries
                state.count += entries.count
                return .done(state.onArrival)
            }
            switch step {
            case .done(let onArrival):
                onArrival?()
                return true
            case .closed: return false
            case .wait: wakePipe?.wait()
            }
        }
    }

    /// Marks that no more entries will follow.
    package func finish() {
        let onArrival = state.withLock { state in
            state.isFinished = true
            return state.onArrival
        }
        onArrival?()
    }

    /// Calls `action` on the writer's thread after entries are added and after ``finish()``.
    func onArrival(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onArrival = action } }

    func take() -> Taken {
        let (taken, mustSignal) = state.withLock { state in
            guard state.taken < state.entries.count else {
                return (state.isFinished || state.isClosed ? Taken.end : .nothing, false)
            }
            let entry = state.entries[state.taken]
            state.taken += 1
            if state.taken == state.entries.count {
                state.entries.removeAll(keepingCapacity: true)
                state.taken = 0
            } else if state.taken >= Self.capacity {
                state.entries.removeFirst(state.taken)
                state.taken = 0
            }
            // Waking the writer costs a thread switch, so it is woken only when half of the queue is free.
            let hasRoom = state.entries.count - state.taken <= Self.capacity / 2
            defer { if hasRoom { state.isWriterWaiting = false } }
            return (Taken.entry(entry), state.isWriterWaiting && hasRoom)
        }
        if mustSignal { wakePipe?.signal() }
        return taken
    }

    /// Discards the remaining entries, and makes ``put(_:)`` return false.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.entries = []
            state.taken = 0
        }
        wakePipe?.signal()
    }
}
