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

    /// The ratio of the work for a large and a small input. Interference only increases a measurement, so the minimum of several counts.
    /// The large input is measured again only if the ratio could be too large.
    ///
    /// For eight times the input, the ratio is about 8 if the work is linear, and 64 if it is quadratic.
    package static func growth(small: () throws -> Void, large: () throws -> Void) rethrows -> Double {
        let few = try (0..<3).map { _ in try nanoseconds(small) }.min() ?? 0
        let first = try nanoseconds(large)
        let many = first / 12 < few ? first : min(first, try nanoseconds(large))
        return Double(many) / Double(max(few, 1))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that measure work, or limit the processor time or the memory of a process: a sanitizer changes both.
    package static var notWithSanitizer: Self {
        .disabled(
            if: TestEnvironment.sanitizer != nil, "a sanitizer changes the time and the memory that a program needs")
    }
}
