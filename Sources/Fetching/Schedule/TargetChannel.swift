internal import Synchronization

/// Targets on their way from whoever reads a list to the loops that take them: a bounded queue.
///
/// Whoever puts waits where it is full, so that a list is read no faster than it is worked through; whoever takes never waits.
package final class TargetChannel: Sendable {
    package enum Entry: Sendable {
        case target(Target)
        /// One that is to be passed on and not connected to.
        case unasked(Target)
        case refused(RefusedLine)
    }

    enum Taken: Sendable {
        case entry(Entry)
        /// Nothing now, but more may come.
        case nothing
        case end
    }

    private struct State: ~Copyable {
        var entries: [Entry] = []
        /// How many of `entries` have been taken already.
        var taken = 0
        var count = 0
        var isFinished = false
        var isClosed = false
        var isPutterWaiting = false
        var onArrival: (@Sendable () -> Void)?

        var isFull: Bool { entries.count - taken >= TargetChannel.capacity }
    }

    /// Enough for a reader that is woken now and then to keep the loops busy.
    private static let capacity = 1024

    private let state = Mutex(State())
    private let bell: WakePipe?

    /// An empty one; nil where the system has no descriptors left for it.
    package init?() {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
    }

    /// One that holds all there is.
    package init(_ entries: [Entry]) {
        bell = nil
        state.withLock { state in
            state.entries = entries
            state.count = entries.count
            state.isFinished = true
        }
    }

    deinit { bell?.closeEnds() }

    /// How many have been put in so far, and whether that is all.
    package var count: (soFar: Int, isAll: Bool) { state.withLock { ($0.count, $0.isFinished) } }

    /// Adds entries, when there is room for them.
    ///
    /// - Returns: false where nobody will take any more.
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
                    state.isPutterWaiting = true
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
            case .wait: bell?.await()
            }
        }
    }

    /// Says that no more will come.
    package func finish() {
        let onArrival = state.withLock { state in
            state.isFinished = true
            return state.onArrival
        }
        onArrival?()
    }

    /// Calls this on the putter's thread whenever there is something new, and at the end.
    func whenMoreComes(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onArrival = action } }

    func take() -> Taken {
        let (taken, mustRing) = state.withLock { state in
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
            // A putter that is woken for every place gets one done; half a queue is worth waking up for.
            let hasRoom = state.entries.count - state.taken <= Self.capacity / 2
            defer { if hasRoom { state.isPutterWaiting = false } }
            return (Taken.entry(entry), state.isPutterWaiting && hasRoom)
        }
        if mustRing { bell?.ring() }
        return taken
    }

    /// Says that nobody will take any more: what is in it is dropped, and a putter stops.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.entries = []
            state.taken = 0
        }
        bell?.ring()
    }
}
