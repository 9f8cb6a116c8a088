package import Pinning

/// A host and a port whose certificate chain is fetched.
package struct Target: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// A DNS name in A-labels, lower case, without a trailing dot.
        case name(String)
        /// An IP address; a link-local one has a zone (RFC 4007, section 11).
        case address(IPAddress, zone: String?)
    }

    package let host: Host
    package let port: UInt16
    /// The server name to send and to validate, instead of the host.
    package let serverName: ServerIdentity?

    /// The port of HTTP over TLS (RFC 9110, section 4.2.2).
    package static let defaultPort: UInt16 = 443

    package init(host: Host, port: UInt16 = defaultPort, serverName: ServerIdentity? = nil) {
        self.host = host
        self.port = port
        self.serverName = serverName
    }

    /// The host without the port and without brackets.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? address.description
        }
    }

    /// The identity that the certificate must match.
    package var identity: ServerIdentity {
        if let serverName { return serverName }
        switch host {
        case .name(let name): return .name(name)
        case .address(let address, _): return .address(address.description)
        }
    }
}

extension Target: CustomStringConvertible {
    /// The canonical form. It always contains the port: "example.com:443", "[2001:db8::1]:443"; with a server name
    /// "192.0.2.7:443=api.example.com".
    package var description: String {
        let suffix = serverName.map { "=\($0.text)" } ?? ""
        if case .address(let address, _) = host, address.isV6 { return "[\(hostText)]:\(port)\(suffix)" }
        return "\(hostText):\(port)\(suffix)"
    }
}
