internal import CSystem

/// Detached threads, for blocking calls and further event loops.
package enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread.
    ///
    /// - Returns: false if the system cannot create a thread. In this case `body` does not run.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        let error = unsafe pinctl_detach_thread(
            { @Sendable context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            context
        )
        guard error != 0 else { return true }
        unsafe Unmanaged<Work>.fromOpaque(context).release()
        return false
    }
}
