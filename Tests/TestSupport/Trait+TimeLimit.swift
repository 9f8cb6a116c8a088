package import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for a test that does not end if the tested code has a certain error.
    ///
    /// All tests start at the same time, and the limit includes the time that a test waits behind the others. So it is ten times the
    /// given one, and a hundred times with a sanitizer or valgrind.
    ///
    /// - Parameter minutes: the time that the test needs at most if no other test runs.
    package static func limit(minutes: Int) -> Self {
        .timeLimit(.minutes(minutes * (TestEnvironment.sanitizer == nil ? 10 : 100)))
    }
}
