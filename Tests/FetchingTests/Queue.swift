import Synchronization

@testable import Fetching

/// Targets for a fetcher, one after another.
final class Queue: Sendable {
    private let targets: Mutex<[Target]>

    init(_ targets: [Target]) { self.targets = Mutex(targets.reversed()) }

    func next() -> Target? { targets.withLock { $0.popLast() } }
}
