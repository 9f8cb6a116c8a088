import TestSupport
import Testing

/// Runs the tests of a suite on threads that can be blocked.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    static var blocking: Self { Self() }
}
