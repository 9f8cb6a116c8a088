package import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit; with a sanitizer or valgrind, ten times as long.
    package static func limit(minutes: Int) -> Self {
        .timeLimit(.minutes(TestEnvironment.sanitizer == nil ? minutes : 10 * minutes))
    }
}
