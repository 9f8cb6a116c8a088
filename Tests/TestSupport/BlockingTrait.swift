package import Testing

/// Runs the tests of a suite on threads that can be blocked.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    private let executor: BlockingExecutor

    fileprivate init(executor: BlockingExecutor) { self.executor = executor }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(executor) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    package static var blocking: Self { Self(executor: .shared) }

    /// For a serialized suite whose tests mostly wait. With the shared threads, each of its tests would wait for those of all other suites,
    /// and the last ones would run alone at the end.
    package static var blockingOnOwnThread: Self { Self(executor: BlockingExecutor(threads: 1)) }
}
