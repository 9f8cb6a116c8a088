package import Authentication

/// A proxy: its protocol, host, port, and credential.
package struct Proxy: Sendable {
    /// The protocol of the proxy. The raw value is its URL scheme, as in curl.
    package enum Kind: String, CaseIterable, Sendable {
        /// HTTP CONNECT (RFC 9110, section 9.3.6).
        case http
        /// HTTP CONNECT inside TLS.
        case https
        /// SOCKS 4: pinctl resolves the name, to IPv4.
        case socks4
        /// SOCKS 4A: the proxy resolves the name.
        case socks4a
        /// SOCKS 5 (RFC 1928): pinctl resolves the name.
        case socks5
        /// SOCKS 5: the proxy resolves the name.
        case socks5h

        /// The port if the URL has none: 443 for `https`, otherwise 1080, as in curl ("-x, --proxy" in curl(1)).
        package var defaultPort: UInt16 { self == .https ? 443 : 1080 }

        /// Whether the proxy resolves the names of targets.
        package var resolvesNames: Bool {
            switch self {
            case .http, .https, .socks4a, .socks5h: true
            case .socks4, .socks5: false
            }
        }

        /// The name of the protocol in messages.
        package var name: String {
            switch self {
            case .http: "HTTP"
            case .https: "HTTPS"
            case .socks4: "SOCKS4"
            case .socks4a: "SOCKS4a"
            case .socks5, .socks5h: "SOCKS5"
            }
        }

        /// Whether the protocol transports a password. SOCKS 4 has only a user name.
        package var takesPassword: Bool { self != .socks4 && self != .socks4a }
    }

    package let kind: Kind
    package let host: Target.Host
    package let port: UInt16
    /// The user and the password; nil for none. They are sent to this proxy only.
    package var credential: PasswordCredential?

    package init(kind: Kind, host: Target.Host, port: UInt16, credential: PasswordCredential? = nil) {
        (self.kind, self.host, self.port, self.credential) = (kind, host, port, credential)
    }

    /// The identity that the certificate of an HTTPS proxy must match.
    package var target: Target { Target(host: host, port: port) }
}

extension Proxy: CustomStringConvertible {
    /// The URL with the port and without the credential: "http://proxy.example.com:3128".
    package var description: String { "\(kind.rawValue)://\(target.urlAuthority)" }
}

extension Proxy {
    /// A proxy in an error.
    package struct Label: Sendable {
        /// The URL without the credential.
        package let text: String
        /// The user and the password, which the proxy can repeat in its answer.
        let secrets: SecretTexts
    }

    package var label: Label {
        Label(text: description, secrets: SecretTexts([], proxies: [credential].compactMap(\.self)))
    }
}
