internal import Encodings

#if os(Linux)
    internal import CSystem

    /// A poller for Linux (epoll(7)). Its cost depends only on the number of ready descriptors.
    final class EpollPoller: Poller {
        private let descriptor: Int32
        private var interests = DescriptorTable<Interest>()
        private var ready = [Int32](repeating: -1, count: Int(PINCTL_EPOLL_BATCH))

        /// Nil if the process has no file descriptor left.
        init?() {
            descriptor = pinctl_epoll_create()
            guard descriptor >= 0 else { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func watch(_ watched: Int32, for interest: Interest) -> Int32 {
            guard watched >= 0 else { return EBADF }
            let known = interests[watched]
            // An unchanged interest needs no system call.
            guard known != interest else { return 0 }
            let error = pinctl_epoll_watch(descriptor, watched, interest == .writable ? 1 : 0, known == nil ? 1 : 0)
            interests[watched] = error == 0 ? interest : nil
            return error
        }

        func forget(_ watched: Int32) {
            guard interests[watched] != nil else { return }
            interests[watched] = nil
            pinctl_epoll_forget(descriptor, watched)
        }

        /// The system removes a descriptor when it is closed (epoll(7)), so no system call is needed.
        func willClose(_ watched: Int32) { interests[watched] = nil }

        func wait(milliseconds: Int32) -> [Int32] {
            let count = unsafe pinctl_epoll_wait(descriptor, &ready, milliseconds)
            return Array(ready.prefix(Int(max(0, count))))
        }
    }
#endif
