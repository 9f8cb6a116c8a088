internal import Foundation

/// A server that runs a closure for each of its connections, one after another, on a separate thread.
package struct RawPeer {
    private let listener: LoopbackSocket
    private let stop: StopSignal

    package let loopback: Loopback
    package var port: UInt16 { listener.port }
    package var endpoint: String { loopback.endpoint(port) }
    package var localhost: String { "localhost:\(port)" }

    /// Listens while `body` runs.
    ///
    /// - Parameter serve: handles one connection, which is closed afterwards. Its waits end when `body` ends.
    package static func run<Value>(
        on loopback: Loopback = .ipv4, serve: @escaping @Sendable (Connection) -> Void,
        _ body: (RawPeer) throws -> Value
    ) throws -> Value {
        let listener = try LoopbackSocket(boundTo: loopback, listens: true)
        let stop = try StopSignal()
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            while stop.wait(for: listener.descriptor, .readable) {
                let descriptor = accept(listener.descriptor, nil, nil)
                guard descriptor >= 0 else { continue }
                serve(Connection(LoopbackSocket(owning: descriptor, port: listener.port), stop))
            }
            ended.signal()
        }
        thread.start()
        defer {
            stop.send()
            ended.wait()
        }
        return try body(RawPeer(listener: listener, stop: stop, loopback: loopback))
    }

    /// An accepted connection.
    package struct Connection: Sendable {
        private let socket: LoopbackSocket
        private let stop: StopSignal

        fileprivate init(_ socket: LoopbackSocket, _ stop: StopSignal) { (self.socket, self.stop) = (socket, stop) }

        /// Received bytes; nil at the end of the connection or of the test.
        package func read() -> [UInt8]? { stop.wait(for: socket.descriptor, .readable) ? socket.received() : nil }

        /// - Returns: whether all bytes were sent.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                guard stop.wait(for: socket.descriptor, .writable), let count = socket.send(rest) else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Reads and discards bytes until the other side closes the connection.
        package func drain() { while read() != nil {} }

        /// Waits, at most until the test ends.
        package func pause(_ milliseconds: Int) { stop.pause(milliseconds) }

        /// Makes the connection end with a reset instead of a normal close.
        package func resetOnClose() { socket.resetOnClose() }

        /// Forwards bytes to another port and back until one side closes the connection. `answer` processes the bytes of the port.
        ///
        /// - Parameter first: bytes that were read before.
        package func forward(to port: UInt16, first: [UInt8] = [], answer: (Connection, [UInt8]) -> Bool) {
            guard let upstream = try? LoopbackSocket(to: port, of: .ipv4), Connection(upstream, stop).write(first)
            else { return }
            while let ready = stop.waitForReadable([socket.descriptor, upstream.descriptor]) {
                if ready == socket.descriptor {
                    guard let bytes = socket.received(), Connection(upstream, stop).write(bytes) else { return }
                } else {
                    guard let bytes = upstream.received(), answer(self, bytes) else { return }
                }
            }
        }
    }
}

/// Ends the waits of one thread from another thread.
private final class StopSignal: Sendable {
    enum Interest {
        case readable, writable
    }

    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw LoopbackSocket.SocketError(call: "pipe", code: errno) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func send() { _ = unsafe write(writing, [1], 1) }

    /// - Returns: false after the signal was sent.
    func wait(for descriptor: Int32, _ interest: Interest) -> Bool {
        poll([descriptor], Int16(interest == .readable ? POLLIN : POLLOUT), -1) != nil
    }

    /// - Returns: the first descriptor that is ready; nil after the signal was sent.
    func waitForReadable(_ descriptors: [Int32]) -> Int32? { poll(descriptors, Int16(POLLIN), -1) }

    func pause(_ milliseconds: Int) { _ = poll([], 0, Int32(milliseconds)) }

    private func poll(_ descriptors: [Int32], _ events: Int16, _ milliseconds: Int32) -> Int32? {
        var entries = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        entries += descriptors.map { pollfd(fd: $0, events: events, revents: 0) }
        while true {
            let count = unsafe Foundation.poll(&entries, nfds_t(entries.count), milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count > 0, entries[0].revents == 0 else { return nil }
            return entries.dropFirst().first { $0.revents != 0 }?.fd
        }
    }
}

extension LoopbackSocket {
    fileprivate func received() -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Sends bytes.
    ///
    /// - Returns: the number of bytes that were sent; nil after an error.
    package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Foundation.send(descriptor, $0.baseAddress, min($0.count, 16_384), flags)
        }
        return count > 0 ? count : nil
    }

    fileprivate func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
