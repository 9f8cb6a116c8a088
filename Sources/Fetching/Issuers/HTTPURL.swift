internal import Encodings

/// An `http` URL (RFC 9110, section 4.2.1), without user information and fragment.
package struct HTTPURL: Hashable, Sendable {
    package let host: Target.Host
    package let port: UInt16
    /// The path and the query; it begins with "/".
    package let path: String

    private static let scheme = "http://"
    private static let defaultPort: UInt16 = 80
    /// In bytes. RFC 9110, section 4.1, recommends that programs support at least 8,000.
    private static let maximumLength = 8192

    /// Parses a URL; nil if it has another scheme, user information, a malformed host, or characters outside visible ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.lowercased().hasPrefix(Self.scheme)
        else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.isEmpty, !authority.contains("@"),
            let (host, port) = try? Target.hostAndOptionalPort(parsing: authority, isInURL: true)
        else { return nil }
        self.host = host
        self.port = port ?? Self.defaultPort
        let path = rest[end...].prefix { $0 != "#" }
        self.path = path.begins(with: "/") ? String(path) : "/" + path
    }

    /// The URL of a redirection (RFC 9110, section 10.2.2); nil if it has another scheme, or is relative to the path.
    func redirected(to location: String) -> HTTPURL? {
        if location.begins(with: "//") { return HTTPURL("http:" + location) }
        return HTTPURL(location.begins(with: "/") ? Self.scheme + authority + location : location)
    }

    /// Host and port without the default port.
    private var authority: String { withoutDefaultPort(Target(host: host, port: port).urlAuthority) }

    /// ``authority`` for a request.
    private var requestAuthority: String { withoutDefaultPort(Target(host: host, port: port).requestAuthority) }

    private func withoutDefaultPort(_ whole: String) -> String {
        port == Self.defaultPort ? String(whole.dropLast(":\(port)".count)) : whole
    }

    /// A GET request, after which the server closes the connection (RFC 9112, section 9.6).
    var request: [UInt8] { request(for: path, proxyAuthorization: nil) }

    /// The same request for an HTTP proxy, in the absolute form (RFC 9112, section 3.2.2).
    ///
    /// - Parameter authorization: the value of the field `Proxy-Authorization`; nil for none.
    func proxyRequest(authorization: [UInt8]?) -> [UInt8] {
        request(for: Self.scheme + requestAuthority + path, proxyAuthorization: authorization)
    }

    private func request(for target: String, proxyAuthorization: [UInt8]?) -> [UInt8] {
        var bytes = Array(
            "GET \(target) HTTP/1.1\r\nHost: \(requestAuthority)\r\nAccept: */*\r\nConnection: close\r\n".utf8)
        if let proxyAuthorization {
            bytes += Array("Proxy-Authorization: ".utf8) + proxyAuthorization + Array("\r\n".utf8)
        }
        return bytes + Array("\r\n".utf8)
    }
}

extension HTTPURL: CustomStringConvertible {
    package var description: String { Self.scheme + authority + path }
}
