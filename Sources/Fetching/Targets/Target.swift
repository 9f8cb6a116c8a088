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
    /// The protocol in plain text before TLS; nil if TLS begins at once.
    package let startTLS: StartTLSProtocol?
    /// The server name to send and to validate instead of the host.
    package let serverName: ServerIdentity?

    /// The port of HTTP over TLS (RFC 9110, section 4.2.2).
    package static let defaultPort: UInt16 = 443

    package init(
        host: Host, port: UInt16 = defaultPort, startTLS: StartTLSProtocol? = nil, serverName: ServerIdentity? = nil
    ) {
        self.host = host
        self.port = port
        self.startTLS = startTLS
        self.serverName = serverName
    }

    /// Host and port as part of a URL: "%25" precedes a zone (RFC 6874, section 2).
    package var urlAuthority: String {
        guard case .address(let address, let zone?) = host else { return "\(Target(host: host, port: port))" }
        return "[\(address)%25\(zone)]:\(port)"
    }

    /// Host and port as a request names them to another machine, for which a zone has no meaning (RFC 6874, section 4).
    package var requestAuthority: String {
        guard case .address(let address, _?) = host else { return "\(Target(host: host, port: port))" }
        return "[\(address)]:\(port)"
    }

    /// The host without the port and without brackets.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? address.description
        }
    }

    /// Whether the target is probably a server of HTTPS: TLS begins at once, and the port is not that of another protocol.
    package var isUsuallyHTTPS: Bool {
        guard startTLS == nil else { return false }
        return port == Self.defaultPort || !TargetScheme.allCases.contains { $0.defaultPort == port }
    }

    /// This target with another protocol before TLS.
    package func with(startTLS: StartTLSProtocol?) -> Target {
        Target(host: host, port: port, startTLS: startTLS, serverName: serverName)
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
    /// The canonical form, always with the port: "example.com:443", "[2001:db8::1]:443"; with a server name
    /// "192.0.2.7:443=api.example.com"; with a protocol before TLS "smtp://example.com:25".
    ///
    /// A scheme without such a protocol only selects a port, so that "imaps://example.com" is "example.com:993".
    package var description: String {
        let suffix = serverName.map { "=\($0.text)" } ?? ""
        let scheme = startTLS.map { "\($0.rawValue)://" } ?? ""
        if case .address(let address, _) = host, address.isV6 { return "\(scheme)[\(hostText)]:\(port)\(suffix)" }
        return "\(scheme)\(hostText):\(port)\(suffix)"
    }
}
