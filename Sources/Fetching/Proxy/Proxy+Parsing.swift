internal import Authentication
internal import Encodings
internal import OpenSSL

extension Proxy {
    /// Parses `[scheme://][user[:password]@]host[:port][/]`. Without a scheme, the proxy is an HTTP proxy, as in curl.
    ///
    /// User and password are percent-encoded (RFC 3986, section 3.2.1).
    package init(parsing text: String) throws(ProxyURLError) {
        do throws(ProxyURLError) {
            self = try Self.parse(text)
        } catch {
            // An error may quote a part of the text, in which a key that begins before it would not be recognized.
            throw text.containsPrivateKey ? .privateKey : error
        }
    }

    private static func parse(_ text: String) throws(ProxyURLError) -> Proxy {
        var bytes = Array(text.utf8)
        defer { SecretBytes.wipe(&bytes) }
        var rest = bytes[...]
        var kind = Kind.http
        if let scheme = Target.scheme(of: rest) {
            let name = String(decoding: scheme, as: UTF8.self).lowercased()
            guard let found = Kind(rawValue: name) else { throw name.utf8.hasAtSign ? .encodedAtSign : .scheme(name) }
            kind = found
            rest = rest[(scheme.endIndex + 3)...]
        }
        // The last "@" ends the user, as in curl: a password may contain one that is not encoded.
        var userInfo: ArraySlice<UInt8>?
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = rest[..<at]
            rest = rest[(at + 1)...]
        }
        if rest.last == UInt8(ascii: "/") { rest.removeLast() }
        guard !rest.contains(where: { "/?#".utf8.contains($0) }) else { throw .path }
        let (host, port) = try hostAndPort(rest)
        var proxy = Proxy(kind: kind, host: host, port: port ?? kind.defaultPort)
        if let userInfo { try proxy.setCredential(userInfo) }
        return proxy
    }

    /// Adds the user and the password of the options.
    ///
    /// - Parameter password: nil for a protocol without passwords.
    package mutating func setCredential(user: String, password: [UInt8]?) throws(ProxyURLError) {
        guard !user.isEmpty else { throw .noUser }
        guard kind.takesPassword || password == nil else { throw .password(kind) }
        let password = password ?? []
        let limit = 255
        // RFC 1929, section 2: a byte contains each length.
        if kind == .socks5 || kind == .socks5h {
            guard user.utf8.count <= limit, password.count <= limit else { throw .tooLong(kind, limit: limit) }
        }
        if !kind.takesPassword {
            guard user.utf8.count <= limit else { throw .tooLong(kind, limit: limit) }
            guard !user.utf8.contains(0) else { throw .controlCharacter }
        }
        credential = PasswordCredential(user: user, password: password)
    }

    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) throws(ProxyURLError) -> (Target.Host, UInt16?) {
        do throws(TargetError) {
            return try Target.hostAndOptionalPort(parsing: String(decoding: bytes, as: UTF8.self), isInURL: true)
        } catch {
            // The error may quote a user and a password.
            throw bytes.hasAtSign ? .encodedAtSign : .host(error)
        }
    }

    private mutating func setCredential(_ userInfo: ArraySlice<UInt8>) throws(ProxyURLError) {
        let colon = userInfo.firstIndex(of: UInt8(ascii: ":"))
        guard let user = Self.decoded(userInfo[..<(colon ?? userInfo.endIndex)]),
            var password = Self.decoded(colon.map { userInfo[($0 + 1)...] } ?? []),
            let name = String(validating: user, as: UTF8.self)
        else { throw .userInfo }
        defer { SecretBytes.wipe(&password) }
        try setCredential(user: name, password: kind.takesPassword || !password.isEmpty ? password : nil)
    }

    /// Decodes percent-encoded bytes; nil if two hexadecimal digits are missing.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "%") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            guard bytes.endIndex - index > 2, let high = Hex.value(of: bytes[index + 1]),
                let low = Hex.value(of: bytes[index + 2])
            else { return nil }
            output.append(high << 4 | low)
            index += 3
        }
        return output
    }
}
