internal import PlaintextProtocols

extension Socket: ByteStream {
    package borrowing func receive(
        atMost count: Int, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) -> [UInt8] {
        while true {
            try await wait(for: .readable, until: deadline, on: loop)
            do throws(SystemError) {
                guard let bytes = try receive(atMost: count) else { continue }
                if !bytes.isEmpty { return bytes }
            } catch {
                throw .closed(error)
            }
            throw .closed(nil)
        }
    }

    package borrowing func send(
        _ bytes: [UInt8], until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(SystemError) {
                rest = rest.dropFirst(try send(rest))
            } catch {
                throw .closed(error)
            }
            if !rest.isEmpty { try await wait(for: .writable, until: deadline, on: loop) }
        }
    }

    package borrowing func sendWithoutWaiting(_ bytes: [UInt8]) { _ = try? send(bytes[...]) }

    private borrowing func wait(
        for interest: Interest, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) {
        // The deadline is checked here too, because a socket that is always ready ends each wait before its deadline.
        let isReady = await loop.wait(for: interest, on: descriptor, until: deadline) == .ready
        guard isReady, loop.now < deadline else { throw .timedOut }
    }
}
