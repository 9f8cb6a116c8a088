/// What a task waits for on a descriptor.
enum Interest: Sendable {
    case readable
    case writable
}

/// The system call that waits for many descriptors at once; a protocol so that tests can script it.
protocol Poller: AnyObject {
    /// Reports `descriptor` from now on when it is ready for `interest`, and for nothing else.
    ///
    /// - Returns: 0, or the `errno` that says why the descriptor cannot be watched.
    func watch(_ descriptor: Int32, for interest: Interest) -> Int32

    /// Stops reporting `descriptor`. To be called before it is closed.
    func forget(_ descriptor: Int32)

    /// Waits until something is ready, or so many milliseconds have passed (-1: for ever).
    ///
    /// - Returns: the descriptors that are ready, or broken, which a read or write will tell.
    func wait(milliseconds: Int32) -> [Int32]
}
