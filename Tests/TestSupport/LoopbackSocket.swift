internal import Foundation

/// The two loopback addresses.
package enum Loopback: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "::1"

    /// "127.0.0.1:443", "[::1]:443".
    package func endpoint(_ port: UInt16) -> String {
        self == .ipv4 ? "\(rawValue):\(port)" : "[\(rawValue)]:\(port)"
    }

    /// Whether this machine has IPv6.
    package static let hasIPv6 = (try? LoopbackSocket(boundTo: .ipv6)) != nil
}

/// A TCP socket on a loopback address, which is closed on deinitialization.
package final class LoopbackSocket: @unchecked Sendable {
    package struct SocketError: Error, CustomStringConvertible {
        package let call: String
        package let code: Int32
        package var description: String { "\(call): \(unsafe String(cString: strerror(code)))" }
    }

    package let descriptor: Int32
    package let port: UInt16

    /// A socket that is bound to a free port. If it does not listen, connections are refused, and no other process can take the
    /// port.
    ///
    /// - Parameter wanted: the port; 0 for one that the system selects.
    package init(boundTo loopback: Loopback = .ipv4, port wanted: UInt16 = 0, listens: Bool = false) throws {
        let descriptor = try Self.open(loopback)
        self.descriptor = descriptor
        do {
            try unsafe Self.withAddress(loopback, port: wanted) { address, length throws(SocketError) in
                try Self.check("bind", unsafe bind(descriptor, address, length))
            }
            if listens { try Self.check("listen", listen(descriptor, 64)) }
            port = try unsafe Self.port(of: descriptor, getsockname)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Connects to a port.
    package init(to port: UInt16, of loopback: Loopback) throws {
        self.port = port
        let descriptor = try Self.open(loopback)
        self.descriptor = descriptor
        // All properties are initialized, so deinit closes the socket if a later step fails.
        try unsafe Self.withAddress(loopback, port: port) { address, length throws(SocketError) in
            try Self.check("connect", unsafe connect(descriptor, address, length))
        }
        // A connection from a free port to itself succeeds even without a listener.
        let own = try unsafe Self.port(of: descriptor, getsockname)
        guard own != port else { throw SocketError(call: "connect", code: ECONNREFUSED) }
    }

    /// - Parameter descriptor: an accepted connection, which this object closes.
    init(owning descriptor: Int32, port: UInt16) {
        (self.descriptor, self.port) = (descriptor, port)
        Self.prepare(descriptor)
    }

    deinit { close(descriptor) }

    /// A port that has no listener at this moment.
    ///
    /// It is below those that the system selects for connections and for listeners without a port (`ip_local_port_range`, ip(7)).
    /// Otherwise one of them could take it before the caller's server does, and answer in its place.
    package static func freePort(on loopback: Loopback = .ipv4) throws -> UInt16 {
        for _ in 0..<20 {
            if let socket = try? LoopbackSocket(boundTo: loopback, port: .random(in: 15_000..<32_000)) {
                return socket.port
            }
        }
        return try LoopbackSocket(boundTo: loopback).port
    }

    private static func open(_ loopback: Loopback) throws -> Int32 {
        #if canImport(Darwin)
            let type = SOCK_STREAM
        #else
            let type = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(loopback == .ipv4 ? AF_INET : AF_INET6, type, 0)
        try check("socket", descriptor)
        prepare(descriptor)
        return descriptor
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: Int32 = 1
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    private static func check(_ call: String, _ result: Int32) throws(SocketError) {
        if result < 0 { throw SocketError(call: call, code: errno) }
    }

    private static func withAddress(
        _ loopback: Loopback, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SocketError) -> Void
    ) throws {
        var storage = sockaddr_storage()
        let length: Int
        switch loopback {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            length = MemoryLayout<sockaddr_in>.size
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            length = MemoryLayout<sockaddr_in6>.size
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        }
        try unsafe withUnsafePointer(to: &storage) { pointer throws(SocketError) in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(SocketError) in
                try unsafe body(address, socklen_t(length))
            }
        }
    }

    private static func port(
        of descriptor: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) throws -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe ask(descriptor, $0, &length) }
        }
        try check("getsockname", result)
        // Both address structures have the port at the same offset.
        return unsafe withUnsafeBytes(of: storage) {
            unsafe UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
