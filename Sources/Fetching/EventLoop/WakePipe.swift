internal import CSystem

/// A pipe that one thread uses to wake another thread, which waits in poll(2) or epoll_wait(2).
struct WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Nil if the process has no file descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pinctl_pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Wakes the waiting thread.
    func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writeEnd, &byte, 1)
    }

    /// Clears all signals.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while unsafe read(readEnd, &buffer, buffer.count) > 0 {}
    }

    /// Waits for a signal and clears it.
    func wait() {
        pinctl_wait_readable(readEnd)
        drain()
    }

    /// Waits for a signal and clears it.
    ///
    /// - Returns: false if the time passes first.
    func wait(milliseconds: Int32) -> Bool {
        guard pinctl_wait_readable_for(readEnd, milliseconds) != 0 else { return false }
        drain()
        return true
    }

    func closeEnds() {
        close(readEnd)
        close(writeEnd)
    }
}
