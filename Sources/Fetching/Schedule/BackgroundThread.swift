internal import CSystem

/// Threads for what blocks, and for further loops.
package enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread of its own.
    ///
    /// - Returns: false where there is no thread to be had, and nothing was run.
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
