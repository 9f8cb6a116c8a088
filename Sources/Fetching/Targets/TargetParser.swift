internal import Encodings
package import Pinning

extension Target {
    /// Parses `host`, `host:port`, `192.0.2.1:443`, `[2001:db8::1]:443` or a URL with a ``TargetScheme``. A suffix `=name` is the
    /// server name to send and to validate.
    ///
    /// International names are converted to A-labels (RFC 5890).
    ///
    /// - Parameter bareScheme: the scheme of a text without one.
    package init(parsing text: some StringProtocol, bareScheme: TargetScheme = .https) throws(TargetError) {
        try self.init(parsing: Array(text.utf8), bareScheme: bareScheme)
    }

    package init(parsing bytes: [UInt8], bareScheme: TargetScheme = .https) throws(TargetError) {
        self = try Self.parse(bytes, bareScheme).target
    }

    /// Which parts of a target were written.
    struct Spelling: Hashable, Sendable {
        let hasScheme: Bool
        let hasPort: Bool
    }

    static func parse(
        _ bytes: [UInt8], _ bareScheme: TargetScheme
    ) throws(TargetError) -> (target: Target, spelling: Spelling) {
        do throws(TargetError) {
            return try parseParts(bytes, bareScheme)
        } catch {
            // Any other error may quote a part of a password.
            throw bytes.hasAtSign ? .userInfo : error
        }
    }

    private static func parseParts(
        _ bytes: [UInt8], _ bareScheme: TargetScheme
    ) throws(TargetError) -> (target: Target, spelling: Spelling) {
        let isURL: Bool
        var scheme = bareScheme
        var rest = bytes[...]
        var serverName: ServerIdentity?
        if let text = Self.scheme(of: rest) {
            let name = String(decoding: text, as: UTF8.self).lowercased()
            guard let known = TargetScheme(name: name) else { throw .scheme(name) }
            scheme = known
            rest = rest[(text.endIndex + 3)...].prefix { !Self.authorityEnds.contains($0) }
            if !rest.contains(UInt8(ascii: "@")) { serverName = try Self.takeServerName(from: &rest) }
            isURL = true
        } else {
            serverName = try Self.takeServerName(from: &rest)
            if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
                throw .path(String(decoding: rest[slash...], as: UTF8.self))
            }
            isURL = false
        }
        guard !rest.contains(UInt8(ascii: "@")) else { throw .userInfo }
        guard !bytes.isEmpty else { throw .empty }
        let (host, port) = try Self.split(rest)
        let target = Target(
            host: try Self.host(host, isInURL: isURL),
            port: try port.map { port throws(TargetError) in try Self.port(port) } ?? scheme.defaultPort,
            startTLS: scheme.startTLS,
            serverName: serverName
        )
        return (target, Spelling(hasScheme: isURL, hasPort: port != nil))
    }

    /// Removes the suffix `=name` from a text without a path and returns the name; nil if there is no suffix.
    static func takeServerName(from text: inout ArraySlice<UInt8>) throws(TargetError) -> ServerIdentity? {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = text[(equals + 1)...]
        guard !name.isEmpty else { throw .noServerName }
        text = text[..<equals]
        return Target(host: try host(name, isInURL: false)).identity
    }

    /// Parses an address to connect to: a host with an optional port, without a scheme.
    ///
    /// - Parameter isInURL: whether the text is a part of a URL, in which "%25" precedes a zone.
    package static func hostAndOptionalPort(
        parsing text: some StringProtocol, isInURL: Bool = false
    ) throws(TargetError) -> (Host, UInt16?) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard !bytes.contains(UInt8(ascii: "@")) else { throw .userInfo }
        do throws(TargetError) {
            guard scheme(of: bytes[...]) == nil else { throw .url }
            let (host, port) = try split(bytes[...])
            return (
                try Self.host(host, isInURL: isInURL), try port.map { port throws(TargetError) in try Self.port(port) }
            )
        } catch {
            throw bytes.hasAtSign ? .userInfo : error
        }
    }

    /// The characters that end the authority component of a URL (RFC 3986, section 3.2).
    private static let authorityEnds = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]

    static func scheme(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return bytes[..<colon]
    }

    /// Splits host and port at the last colon that is not part of an IPv6 address.
    private static func split(
        _ bytes: ArraySlice<UInt8>
    ) throws(TargetError) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .unclosedBracket }
            let inside = bytes[(bytes.startIndex + 1)..<close]
            guard inside.contains(UInt8(ascii: ":")) else { throw .inBrackets(String(decoding: inside, as: UTF8.self)) }
            let after = bytes[(close + 1)...]
            guard let first = after.first else { return (inside, nil) }
            guard first == UInt8(ascii: ":") else { throw .afterBracket(String(decoding: after, as: UTF8.self)) }
            return (inside, after.dropFirst())
        }
        // Several colons without brackets can only be an IPv6 address without a port.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.lastIndex(of: UInt8(ascii: ":")) == colon
        else {
            return (bytes, nil)
        }
        return (bytes[..<colon], bytes[(colon + 1)...])
    }

    private static func host(_ bytes: ArraySlice<UInt8>, isInURL: Bool) throws(TargetError) -> Host {
        guard !bytes.isEmpty else { throw .noHost }
        if let address = IPAddress(text: bytes) { return .address(address, zone: nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: ":")) else {
            do {
                return .name(try DomainName.normalized(text))
            } catch {
                throw .name(text, error)
            }
        }
        guard let percent = bytes.firstIndex(of: UInt8(ascii: "%")), let address = IPAddress(text: bytes[..<percent])
        else {
            throw .notIPv6(text)
        }
        var zone = bytes[(percent + 1)...]
        // A URL encodes the percent sign as %25 (RFC 6874, section 2).
        if isInURL, zone.starts(with: "25".utf8) { zone = zone.dropFirst(2) }
        return .address(address, zone: try Self.zone(zone))
    }

    /// Maximum length of an interface name (`IF_NAMESIZE` without the terminating NUL).
    private static let maximumZoneLength = 15

    /// Parses the name or number of a network interface. Only the unreserved characters of RFC 6874, section 2, are allowed.
    private static func zone(_ bytes: ArraySlice<UInt8>) throws(TargetError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let isName = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                true
            default: false
            }
        }
        guard isName, (1...maximumZoneLength).contains(bytes.count) else { throw .zone(text) }
        return text
    }

    static func port(_ bytes: ArraySlice<UInt8>) throws(TargetError) -> UInt16 {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = UInt16(text),
            port > 0
        else { throw .port(text) }
        return port
    }
}
