/// A proxy that sends its answer and the first bytes of the server in one segment, as the network can do with two.
package enum CoalescingProxy {
    /// - Parameters:
    ///   - scheme: "http" or "socks5".
    ///   - port: the port of a server that speaks first.
    package static func run<Value>(
        _ scheme: String, to port: UInt16, _ body: (_ url: String) throws -> Value
    ) throws -> Value {
        try RawPeer.run { connection in
            var answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
            _ = connection.read()
            if scheme == "socks5" {
                // RFC 1928, sections 3 and 6: no authentication, then success with an IPv4 address.
                connection.write([5, 0])
                _ = connection.read()
                answer = [5, 0, 0, 1] + [UInt8](repeating: 0, count: 6)
            }
            connection.forward(to: port) { client, bytes in
                defer { answer = [] }
                return client.write(answer + bytes)
            }
        } _: { peer in
            try body("\(scheme)://\(peer.endpoint)")
        }
    }
}
