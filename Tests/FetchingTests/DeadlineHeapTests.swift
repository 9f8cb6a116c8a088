import TestSupport
import Testing

@testable import Fetching

@Suite struct DeadlineHeapTests {
    private func wait(_ number: Int) -> EventLoop.WaitID { EventLoop.WaitID(slot: number, generation: 0) }

    @Test func returnsWaitsInDeadlineOrder() {
        var generator = SeededGenerator(seed: 1)
        for count in [0, 1, 2, 3, 10, 500] {
            var heap = DeadlineHeap()
            let deadlines = (0..<count).map { _ in Int64.random(in: -100...100, using: &generator) }
            for (number, deadline) in deadlines.enumerated() {
                heap.insert(wait(number), at: MonotonicTime(nanoseconds: deadline))
            }
            #expect(heap.first?.nanoseconds == deadlines.min())
            var popped: [Int64] = []
            while let next = heap.popFirst(ifNotAfter: MonotonicTime(nanoseconds: .max)) {
                popped.append(deadlines[next.slot])
            }
            #expect(popped == deadlines.sorted())
            #expect(heap.first == nil)
        }
    }

    /// The heap returns the same order as a sorted array.
    @Test func agreesWithASortedArray() throws {
        var generator = SeededGenerator(seed: 2)
        var heap = DeadlineHeap()
        var reference: [(deadline: Int64, number: Int)] = []
        var ended: Set<Int> = []
        for number in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let deadline = Int64.random(in: 0...1000, using: &generator)
                heap.insert(wait(number), at: MonotonicTime(nanoseconds: deadline))
                reference.append((deadline, number))
            case 5..<8:
                let now = Int64.random(in: 0...1000, using: &generator)
                let popped = heap.popFirst(ifNotAfter: MonotonicTime(nanoseconds: now))
                let nearest = reference.map(\.deadline).min()
                guard let nearest, nearest <= now else {
                    #expect(popped == nil)
                    continue
                }
                let slot = try #require(popped?.slot)
                let place = try #require(reference.firstIndex { $0.number == slot })
                // The order of equal deadlines is not defined.
                #expect(reference.remove(at: place).deadline == nearest)
                ended.remove(slot)
            case 8:
                if let random = reference.randomElement(using: &generator) { ended.insert(random.number) }
            default:
                let limit = Int.random(in: 0...20, using: &generator)
                heap.prune(whenOver: limit) { !ended.contains($0.slot) }
                if reference.count > limit { reference.removeAll { ended.contains($0.number) } }
            }
            #expect(heap.first?.nanoseconds == reference.map(\.deadline).min())
        }
    }
}
