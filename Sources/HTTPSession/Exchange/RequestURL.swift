internal import Encodings
package import Fetching
internal import Pinning

/// The URL of a request: `https`, `http` or `ftp`, without user information and fragment (RFC 9110, section 4.2; RFC 1738, section 3.2).
package struct RequestURL: Hashable, Sendable {
    package enum Scheme: String, CaseIterable, Sendable {
        case https, http, ftp

        var defaultPort: UInt16 {
            switch self {
            case .https: 443
            case .http: 80
            case .ftp: 21
            }
        }
    }

    /// The reason why a text is not such a URL.
    package enum Failure: Error, Sendable {
        case scheme(String)
        /// The URL contains a user or a password.
        case userInfo
        case tooLong
        case host(TargetError)

        package var reason: String {
            switch self {
            case .scheme(let name): "the scheme \(name.quotedExcerpt) is not supported: expected https, http or ftp"
            case .userInfo: "a URL must not contain a user or a password, because other users of the machine can see it"
            case .tooLong: "the URL is longer than \(RequestURL.maximumLength) bytes"
            case .host(let error): error.reason
            }
        }

        /// The reason, without a part of `text` if this has a parameter for a password (``TargetError/reason(about:)``).
        package func reason(about text: String) -> String {
            if case .host(let error) = self { error.reason(about: text) } else { reason }
        }

        /// The reason without a part of the text, which may be a password: a list of URLs can be another file.
        package var reasonWithoutText: String {
            switch self {
            case .scheme: "the scheme is not supported: expected https, http or ftp"
            case .host(let error): error.reasonWithoutText
            case .userInfo, .tooLong: reason
            }
        }
    }

    /// In bytes. RFC 9110, section 4.1, recommends that programs support at least 8,000.
    package static let maximumLength = 8192

    package let scheme: Scheme
    package let host: Target.Host
    package let port: UInt16
    /// The path and the query; it begins with "/".
    package let path: String

    /// - Parameter text: a URL. Without a scheme, it is `https`.
    package init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        var rest = Substring(text)
        var scheme = Scheme.https
        if let separator = text.firstRange(ofBytes: "://"), text.before(anyOf: "/?#").endIndex > separator.lowerBound {
            let name = text[..<separator.lowerBound].lowercased()
            guard let known = Scheme(rawValue: name) else {
                throw text.utf8.hasAtSign ? .userInfo : .scheme(name)
            }
            scheme = known
            rest = text[separator.upperBound...]
        }
        let authority = rest.before(anyOf: "/?#")
        guard !authority.has("@") else { throw .userInfo }
        do throws(TargetError) {
            let (host, port) = try Target.hostAndOptionalPort(parsing: authority, isInURL: true)
            self.init(scheme, host, port ?? scheme.defaultPort, path: String(rest[authority.endIndex...]))
        } catch {
            // A password may contain a delimiter that is not encoded. So any other error may quote a part of it.
            throw text.utf8.hasAtSign ? .userInfo : .host(error)
        }
    }

    private init(_ scheme: Scheme, _ host: Target.Host, _ port: UInt16, path: String) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
        let withoutFragment = path.before(anyOf: "#")
        self.path = Self.encoded(withoutFragment.begins(with: "/") ? String(withoutFragment) : "/" + withoutFragment)
    }

    /// The URL that a reference in a `Location` field refers to (RFC 3986, section 5.2).
    package func resolving(_ reference: String) throws(Failure) -> RequestURL {
        guard reference.utf8.count <= Self.maximumLength else { throw .tooLong }
        if reference.begins(with: "//") { return try RequestURL("\(scheme.rawValue):\(reference)") }
        let scheme = reference.before(anyOf: ":/?#")
        if reference[scheme.endIndex...].begins(with: ":") {
            guard reference[scheme.endIndex...].begins(with: "://") else { throw .scheme(scheme.lowercased()) }
            return try RequestURL(reference)
        }
        let base = path.before(anyOf: "?")
        let text = String(reference.before(anyOf: "#"))
        if text.isEmpty { return RequestURL(self.scheme, host, port, path: path) }
        if text.begins(with: "?") { return RequestURL(self.scheme, host, port, path: base + text) }
        let newPath = text.before(anyOf: "?")
        let folder = base.prefix(through: base.unicodeScalars.lastIndex(of: "/") ?? base.startIndex)
        let merged = text.begins(with: "/") ? String(newPath) : String(folder + newPath)
        return RequestURL(self.scheme, host, port, path: Self.withoutDots(merged) + text[newPath.endIndex...])
    }

    package var target: Target { Target(host: host, port: port) }

    /// The host without brackets and zone, as in a protection space.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address, _): address.description
        }
    }

    /// Host and port for the `Host` field; the default port is omitted (RFC 9110, section 7.2).
    var authority: String { withoutDefaultPort(target.requestAuthority) }

    /// The URL as the target of a request to a proxy (RFC 9112, section 3.2.2).
    var requestTarget: String { "\(scheme.rawValue)://\(authority)\(path)" }

    private func withoutDefaultPort(_ authority: String) -> String {
        port == scheme.defaultPort ? String(authority.dropLast(":\(port)".count)) : authority
    }

    /// Whether a credential for one URL may be sent to the other: scheme, host and port are equal.
    package func hasSameOrigin(as other: RequestURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Percent-encodes the bytes that a request target cannot contain.
    private static func encoded(_ path: String) -> String {
        var output = ""
        for byte in path.utf8 {
            if (0x21...0x7E).contains(byte), !"\"<>\\^`{|}".utf8.contains(byte) {
                output.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                output += "%" + Hex.encode([byte]).uppercased()
            }
        }
        return output
    }

    /// Removes the segments "." and ".." (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var output: [Substring] = []
        let segments = path.parts(separatedBy: "/").dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { output.append("") }
            case "..":
                _ = output.popLast()
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return "/" + output.joined(separator: "/")
    }
}

extension RequestURL: CustomStringConvertible {
    package var description: String { "\(scheme.rawValue)://\(withoutDefaultPort(target.urlAuthority))\(path)" }
}
