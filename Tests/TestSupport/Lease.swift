internal import Foundation

/// A write lease on a file (fcntl(2)), which the system breaks when another process opens the file. That process waits until the lease
/// is released.
package final class Lease {
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025
    private static let setSignal: Int32 = 10

    private let descriptor: Int32

    /// - Returns: nil if the system grants no lease.
    package init?(on path: String) {
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        #if os(Linux)
            // A signal that is ignored by default.
            guard fcntl(descriptor, Self.setSignal, SIGURG) == 0 else { return nil }
            // A process that another test starts can have the file open for a moment, between fork(2) and execve(2).
            var attempts = 0
            while fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) != 0 {
                guard errno == EAGAIN, attempts < 100 else { return nil }
                attempts += 1
                usleep(50_000)
            }
        #else
            return nil
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether no process has opened the file.
    package var isHeld: Bool { fcntl(descriptor, Self.getLease) == Int32(F_WRLCK) }

    package static let isSupported: Bool = {
        guard let folder = try? TemporaryFolder("lease"), let path = try? folder.write("", to: "file") else {
            return false
        }
        defer { folder.remove() }
        return Lease(on: path) != nil
    }()
}
