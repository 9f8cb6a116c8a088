internal import CSystem

/// A pipe to oneself: how another thread wakes a loop that waits in its poller.
struct WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Nil where the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pinctl_pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func ring() {
        var byte: UInt8 = 1
        _ = unsafe write(writeEnd, &byte, 1)
    }

    func hush() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while unsafe read(readEnd, &buffer, buffer.count) > 0 {}
    }

    /// Waits until it has rung.
    func await() {
        pinctl_wait_readable(readEnd)
        hush()
    }

    func closeEnds() {
        close(readEnd)
        close(writeEnd)
    }
}
