internal import Foundation

/// A peer that does to its connections whatever a closure says, one connection after another, on a thread of its own.
package struct RawPeer {
    private let listener: LoopbackSocket
    private let stop: StopSignal

    package let loopback: Loopback
    package var port: UInt16 { listener.port }
    package var endpoint: String { loopback.endpoint(port) }
    package var localhost: String { "localhost:\(port)" }

    /// Listens while `body` runs.
    ///
    /// - Parameter serve: what becomes of each connection, which is closed after it. Its waits end when `body` has.
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

    /// A connection that was accepted.
    package struct Connection: Sendable {
        private let socket: LoopbackSocket
        private let stop: StopSignal

        fileprivate init(_ socket: LoopbackSocket, _ stop: StopSignal) { (self.socket, self.stop) = (socket, stop) }

        /// What came; nil at the end of the connection or of the test.
        package func read() -> [UInt8]? { stop.wait(for: socket.descriptor, .readable) ? socket.received() : nil }

        /// - Returns: whether all of it went out.
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

        /// Takes everything that comes, until the other side ends the connection.
        package func drain() { while read() != nil {} }

        /// Waits, unless the test ends before.
        package func pause(_ milliseconds: Int) { stop.pause(milliseconds) }

        /// Lets the connection end with a reset instead of a proper end.
        package func resetOnClose() { socket.resetOnClose() }

        /// Passes bytes on to another port and back, the answers through `answer`, until either side ends.
        package func forward(to port: UInt16, answer: (Connection, [UInt8]) -> Bool) {
            guard let upstream = try? LoopbackSocket(to: port, of: .ipv4) else { return }
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

/// Ends the waits of a thread from another.
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

    /// - Returns: false once the signal was sent.
    func wait(for descriptor: Int32, _ interest: Interest) -> Bool {
        poll([descriptor], Int16(interest == .readable ? POLLIN : POLLOUT), -1) != nil
    }

    /// - Returns: the first of the descriptors that has something; nil once the signal was sent.
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

    fileprivate func send(_ bytes: ArraySlice<UInt8>) -> Int? {
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
