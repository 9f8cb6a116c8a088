import CSystem
import Foundation
import Testing

@testable import Fetching

/// A pipe that is closed on deinitialization.
final class TestPipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pinctl_pipe(&ends) == 0)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func send() {
        var byte: UInt8 = 7
        _ = unsafe write(writeEnd, &byte, 1)
    }

    /// - Returns: whether there was data.
    @discardableResult
    func receive() -> Bool {
        var byte: UInt8 = 0
        return unsafe read(readEnd, &byte, 1) == 1
    }

    /// Writes until the pipe is full.
    func fill() {
        let bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe write(writeEnd, bytes, bytes.count) > 0 {}
        while unsafe write(writeEnd, bytes, 1) > 0 {}
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(readEnd, &bytes, bytes.count) > 0 {}
    }
}

/// A local port with a listener that accepts no connection.
final class Listener: Sendable {
    let endpoint: Endpoint
    private let descriptor: Int32
    private let others: [Int32]

    /// - Parameters:
    ///   - address: 127.0.0.1 or another loopback address.
    ///   - isFull: whether the backlog is full, so that connections get no answer.
    init(_ address: [UInt8] = [127, 0, 0, 1], isFull: Bool = false) throws {
        let any = try #require(Endpoint(address: address, port: 0))
        descriptor = pinctl_tcp_socket(any.isIPv6 ? AF_INET6 : AF_INET)
        let bound = descriptor
        try #require(unsafe any.withSocketAddress { unsafe bind(bound, $0, $1) } == 0)
        try #require(listen(bound, isFull ? 0 : 16) == 0)
        let number = try #require(Self.port(of: bound))
        endpoint = try #require(Endpoint(address: address, port: number))
        others = isFull ? try Self.fill(endpoint) : []
    }

    deinit {
        close(descriptor)
        for other in others { close(other) }
    }

    /// A port without a listener, which no other process can take during the lifetime of this object.
    static func closed(_ address: [UInt8] = [127, 0, 0, 1]) throws -> (Endpoint, keeper: Keeper) {
        let any = try #require(Endpoint(address: address, port: 0))
        let keeper = Keeper(descriptor: pinctl_tcp_socket(any.isIPv6 ? AF_INET6 : AF_INET))
        try #require(unsafe any.withSocketAddress { unsafe bind(keeper.descriptor, $0, $1) } == 0)
        let number = try #require(port(of: keeper.descriptor))
        return (try #require(Endpoint(address: address, port: number)), keeper)
    }

    /// Reserves a port.
    final class Keeper: Sendable {
        let descriptor: Int32

        init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { return nil }
        // Both address structures have the port at the same offset.
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    /// Connects until a connection gets no answer.
    private static func fill(_ endpoint: Endpoint) throws -> [Int32] {
        var descriptors: [Int32] = []
        for _ in 0..<1024 {
            let descriptor = pinctl_tcp_socket(endpoint.isIPv6 ? AF_INET6 : AF_INET)
            descriptors.append(descriptor)
            _ = unsafe endpoint.withSocketAddress { unsafe connect(descriptor, $0, $1) }
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if unsafe poll(&entry, 1, 200) == 0 { return descriptors }
        }
        Issue.record("the listener takes any number of connections")
        return descriptors
    }
}
