internal import Encodings

#if os(Linux)
    internal import CSystem

    /// A poller for Linux (epoll(7)). Its cost depends only on the number of ready descriptors.
    final class EpollPoller: Poller {
        private let descriptor: Int32
        /// The interest in each descriptor. The index is the descriptor.
        private var interests: [Interest?] = []
        private var ready = [Int32](repeating: -1, count: Int(PINCTL_EPOLL_BATCH))

        /// Nil if the process has no file descriptor left.
        init?() {
            descriptor = pinctl_epoll_create()
            guard descriptor >= 0 else { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func watch(_ watched: Int32, for interest: Interest) -> Int32 {
            guard let index = Int(exactly: watched), index >= 0 else { return EBADF }
            while interests.count <= index { interests.append(nil) }
            let known = interests[index]
            // An unchanged interest needs no system call.
            guard known != interest else { return 0 }
            let error = pinctl_epoll_watch(descriptor, watched, interest == .writable ? 1 : 0, known == nil ? 1 : 0)
            interests[index] = error == 0 ? interest : nil
            return error
        }

        func forget(_ watched: Int32) {
            guard let index = Int(exactly: watched), interests.indices.contains(index), interests[index] != nil
            else { return }
            interests[index] = nil
            pinctl_epoll_forget(descriptor, watched)
        }

        func wait(milliseconds: Int32) -> [Int32] {
            let count = unsafe pinctl_epoll_wait(descriptor, &ready, milliseconds)
            return Array(ready.prefix(Int(max(0, count))))
        }
    }
#endif
