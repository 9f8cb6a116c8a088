/// A binary heap of waits, ordered by deadline.
///
/// If a wait ends early, its entry stays in the heap, because finding the entry would cost more. ``prune(whenOver:keeping:)``
/// removes such entries.
struct DeadlineHeap {
    private var entries: [(deadline: MonotonicTime, wait: EventLoop.WaitID)] = []

    var first: MonotonicTime? { entries.first?.deadline }

    mutating func insert(_ wait: EventLoop.WaitID, at deadline: MonotonicTime) {
        entries.append((deadline, wait))
        siftUp(from: entries.count - 1)
    }

    mutating func popFirst(ifNotAfter now: MonotonicTime) -> EventLoop.WaitID? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            siftDown(from: 0)
        }
        return first.wait
    }

    mutating func prune(whenOver limit: Int, keeping isPending: (EventLoop.WaitID) -> Bool) {
        guard entries.count > limit else { return }
        entries.removeAll { !isPending($0.wait) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        while index > 0, case let parent = (index - 1) / 2, entries[index].deadline < entries[parent].deadline {
            entries.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && entries[child].deadline < entries[smallest].deadline { smallest = child }
            guard smallest != index else { return }
            entries.swapAt(index, smallest)
            index = smallest
        }
    }
}
