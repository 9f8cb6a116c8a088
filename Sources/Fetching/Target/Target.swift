package import Pinning

/// A host and a port to take a chain from.
package struct Target: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// A DNS name in A-labels, lower case, without a trailing dot.
        case name(String)
        /// An address, with the zone of a link-local one (RFC 4007, section 11).
        case address(IPAddress, zone: String?)
    }

    package let host: Host
    package let port: UInt16
    /// The name to ask for and to check instead of the host's own.
    package let serverName: ServerIdentity?

    /// The port of HTTP over TLS (RFC 9110, section 4.2.2), which stands where none is given.
    package static let defaultPort: UInt16 = 443

    package init(host: Host, port: UInt16 = defaultPort, serverName: ServerIdentity? = nil) {
        (self.host, self.port, self.serverName) = (host, port, serverName)
    }

    /// The host alone, without brackets.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? address.description
        }
    }

    /// Whom its certificate must be for.
    package var identity: ServerIdentity {
        if let serverName { return serverName }
        switch host {
        case .name(let name): return .name(name)
        case .address(let address, _): return .address(address.description)
        }
    }
}

extension Target: CustomStringConvertible {
    /// "example.com:443", "[2001:db8::1]:443": always with its port; "192.0.2.7:443=api.example.com" with a name of its
    /// own. The same target has one spelling, however it was written.
    package var description: String {
        let suffix = serverName.map { "=\($0.text)" } ?? ""
        if case .address(let address, _) = host, address.isV6 { return "[\(hostText)]:\(port)\(suffix)" }
        return "\(hostText):\(port)\(suffix)"
    }
}
