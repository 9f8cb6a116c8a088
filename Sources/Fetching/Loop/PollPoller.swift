internal import CSystem

/// poll(2): everywhere, at a cost that grows with the number of descriptors.
final class PollPoller: Poller {
    private var entries: [pollfd] = []
    private var places: [Int32: Int] = [:]

    func watch(_ descriptor: Int32, for interest: Interest) -> Int32 {
        let events = Int16(interest == .readable ? POLLIN : POLLOUT)
        if let place = places[descriptor] {
            entries[place].events = events
        } else {
            places[descriptor] = entries.count
            entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        }
        return 0
    }

    func forget(_ descriptor: Int32) {
        guard let place = places.removeValue(forKey: descriptor) else { return }
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
        if place < entries.count { places[entries[place].fd] = place }
    }

    func wait(milliseconds: Int32) -> [Int32] {
        let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
        guard count > 0 else { return [] }
        return entries.filter { $0.revents != 0 }.map(\.fd)
    }
}
