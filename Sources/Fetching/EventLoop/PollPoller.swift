internal import CSystem

/// A poller for every platform (poll(2)). Its cost grows with the number of watched descriptors.
final class PollPoller: Poller {
    private var entries: [pollfd] = []
    private var indices: [Int32: Int] = [:]

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 {
        let events = Int16(interest == .readable ? POLLIN : POLLOUT)
        if let index = indices[descriptor] {
            entries[index].events = events
        } else {
            indices[descriptor] = entries.count
            entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        }
        return 0
    }

    func forget(_ descriptor: Int32) {
        guard let index = indices.removeValue(forKey: descriptor) else { return }
        entries.swapAt(index, entries.count - 1)
        entries.removeLast()
        if index < entries.count { indices[entries[index].fd] = index }
    }

    func wait(milliseconds: Int32) -> [Int32] {
        let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
        guard count > 0 else { return [] }
        return entries.filter { $0.revents != 0 }.map(\.fd)
    }
}
