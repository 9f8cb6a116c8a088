internal import Foundation
package import Testing

/// The work of a function on one thread.
///
/// The measure is the processor time of the thread, which other processes do not increase.
package enum Work {
    /// The processor time of `body`, in nanoseconds.
    package static func nanoseconds(_ body: () throws -> Void) rethrows -> Int64 {
        func now() -> Int64 {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let start = now()
        try body()
        return now() - start
    }

    /// The largest ratio of a command whose work is linear in the number of hosts or pins: 8, and the logarithm of sorted collections,
    /// slower memory for large inputs, and interference. A quadratic part of a fifth of the work for the small input exceeds it.
    package static let maximumGrowth = 18.0

    /// The ratio of the work of a function for a large and a small input.
    package static func growth(small: () throws -> Void, large: () throws -> Void) rethrows -> Double {
        try growth(few: { try nanoseconds(small) }, many: { try nanoseconds(large) })
    }

    /// The ratio of the work for a large and a small input. Interference, also with the caches of the processor, only increases a
    /// measurement. So the smallest of several ratios counts; both inputs are measured again only if the ratio could be too large.
    ///
    /// For eight times the input, the ratio is about 8 if the work is linear, and 64 if it is quadratic.
    ///
    /// - Parameters:
    ///   - few: does the work for the small input, and returns it in nanoseconds.
    ///   - many: does the work for the large input, and returns it in nanoseconds.
    package static func growth(few: () throws -> Int64, many: () throws -> Int64) rethrows -> Double {
        var growth = Double.infinity
        for _ in 0..<5 where growth >= 12 {
            let small = max(try (0..<3).map { _ in try few() }.min() ?? 0, 1)
            growth = min(growth, Double(try many()) / Double(small))
        }
        return growth
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that measure work, or limit the processor time or the memory of a process: a sanitizer changes both.
    package static var notWithSanitizer: Self {
        .disabled(
            if: TestEnvironment.sanitizer != nil, "a sanitizer changes the time and the memory that a program needs")
    }
}
