internal import CSystem

/// An IP address and a TCP port.
package struct Endpoint: Hashable, Sendable {
    /// 4 bytes for IPv4, 16 bytes for IPv6, in network order.
    package let address: [UInt8]
    package private(set) var port: UInt16
    /// The interface index of a link-local IPv6 address (RFC 4007, section 11); 0 for other addresses.
    let scope: UInt32

    /// Nil unless the address has 4 or 16 bytes.
    package init?(address: [UInt8], port: UInt16, scope: UInt32 = 0) {
        guard address.count == 4 || address.count == 16 else { return nil }
        self.address = address
        self.port = port
        self.scope = scope
    }

    /// This address with another port.
    package func with(port: UInt16) -> Endpoint {
        var other = self
        other.port = port
        return other
    }

    package var isIPv6: Bool { address.count == 16 }

    /// Whether the address is in `127.0.0.0/8` (RFC 1122, section 3.2.1.3) or is `::1` (RFC 4291, section 2.5.3).
    var isLoopback: Bool {
        isIPv6 ? address.dropLast().allSatisfy { $0 == 0 } && address.last == 1 : address.first == 127
    }

    /// "192.0.2.1:443", "[2001:db8::1]:443".
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address without the port, as written by inet_ntop(3).
    package var host: String {
        let capacity = Int(INET6_ADDRSTRLEN)
        let text = unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { output in
                let family = isIPv6 ? AF_INET6 : AF_INET
                guard let start = output.baseAddress,
                    unsafe inet_ntop(family, address, start, socklen_t(capacity)) != nil
                else { return 0 }
                return unsafe strlen(start)
            }
        }
        return scope == 0 ? text : "\(text)%\(scope)"
    }

    /// Reads a result of getaddrinfo(3); nil for a family other than IPv4 and IPv6.
    init?(_ pointer: UnsafePointer<sockaddr>, length: socklen_t, port: UInt16) {
        let raw = unsafe UnsafeRawPointer(pointer)
        switch Int32(unsafe pointer.pointee.sa_family) {
        case AF_INET:
            guard Int(length) >= MemoryLayout<sockaddr_in>.size else { return nil }
            var found = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            address = unsafe withUnsafeBytes(of: &found.sin_addr) { unsafe Array($0) }
            scope = 0
        case AF_INET6:
            guard Int(length) >= MemoryLayout<sockaddr_in6>.size else { return nil }
            var found = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            address = unsafe withUnsafeBytes(of: &found.sin6_addr) { unsafe Array($0) }
            scope = found.sin6_scope_id
        default: return nil
        }
        self.port = port
    }

    /// Calls `body` with the address in the form that connect(2) requires.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isIPv6 {
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            six.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &six.sin6_addr) { unsafe $0.copyBytes(from: address) }
            return unsafe Self.withRebound(&six, body)
        }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &four.sin_addr) { unsafe $0.copyBytes(from: address) }
        return unsafe Self.withRebound(&four, body)
    }

    private static func withRebound<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

extension Endpoint: CustomStringConvertible {}
