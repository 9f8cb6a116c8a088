/// The condition that a task waits for on a descriptor.
enum Interest: Sendable {
    case readable
    case writable
}

/// The system call that waits for many descriptors at once. It is a protocol so that tests can replace it.
protocol Poller: AnyObject {
    /// Watches `descriptor`: ``wait(milliseconds:)`` reports it when it is ready for `interest`. This replaces an earlier interest.
    ///
    /// - Returns: 0, or the `errno` of the failure.
    func watch(_ descriptor: Int32, for interest: Interest) -> Int32

    /// Stops reporting `descriptor`. Must be called before the descriptor is closed.
    func forget(_ descriptor: Int32)

    /// Stops reporting `descriptor`, which the caller closes before the next call of a method.
    func willClose(_ descriptor: Int32)

    /// Waits until a descriptor is ready, for at most this many milliseconds; -1 sets no limit.
    ///
    /// - Returns: the descriptors that are ready or have an error. The next read or write returns the error.
    func wait(milliseconds: Int32) -> [Int32]
}

extension Poller {
    func willClose(_ descriptor: Int32) { forget(descriptor) }
}
