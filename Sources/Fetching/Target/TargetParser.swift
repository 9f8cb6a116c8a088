internal import Pinning

extension Target {
    /// Reads `host`, `host:port`, `192.0.2.1:443`, `[2001:db8::1]:443` or an `https://` address with anything after it.
    ///
    /// International names come out as A-labels (RFC 5890).
    package init(parsing text: some StringProtocol) throws(TargetError) {
        try self.init(parsing: Array(text.utf8))
    }

    package init(parsing bytes: [UInt8]) throws(TargetError) {
        var rest = bytes[...]
        try Self.dropURLParts(of: &rest)
        guard !rest.isEmpty else { throw .empty }
        let (host, port) = try Self.split(rest)
        self.init(
            host: try Self.host(host),
            port: try port.map { bytes throws(TargetError) in try Self.port(bytes) } ?? Self.defaultPort)
    }

    /// Reads an address to connect to: the same without a scheme, and with no port of its own where none is given.
    package static func hostAndOptionalPort(parsing text: some StringProtocol) throws(TargetError) -> (Host, UInt16?) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        let (host, port) = try split(bytes[...])
        return (try Self.host(host), try port.map { bytes throws(TargetError) in try Self.port(bytes) })
    }

    private static func dropURLParts(of rest: inout ArraySlice<UInt8>) throws(TargetError) {
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            let scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
            guard ["https", "wss", "tls"].contains(scheme) else { throw .scheme(scheme) }
            rest = rest[(colon + 3)...]
            rest = rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        } else if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            throw .path(String(decoding: rest[slash...], as: UTF8.self))
        }
        guard !rest.contains(UInt8(ascii: "@")) else { throw .userInfo }
    }

    /// Host and port apart, by the last colon that is not part of an IPv6 address.
    private static func split(
        _ bytes: ArraySlice<UInt8>
    ) throws(TargetError) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .openBracket }
            let inside = bytes[(bytes.startIndex + 1)..<close]
            guard inside.contains(UInt8(ascii: ":")) else { throw .notIPv6(String(decoding: inside, as: UTF8.self)) }
            let after = bytes[(close + 1)...]
            guard let first = after.first else { return (inside, nil) }
            guard first == UInt8(ascii: ":") else { throw .afterBracket(String(decoding: after, as: UTF8.self)) }
            return (inside, after.dropFirst())
        }
        let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
        guard let colon = colons.first else { return (bytes, nil) }
        // Several colons without brackets can only be an IPv6 address, which leaves no room for a port.
        guard colons.count == 1 else { return (bytes, nil) }
        return (bytes[..<colon], bytes[(colon + 1)...])
    }

    private static func host(_ bytes: ArraySlice<UInt8>) throws(TargetError) -> Host {
        guard !bytes.isEmpty else { throw .noHost }
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.contains(UInt8(ascii: ":")) {
            let parts = bytes.split(separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let address = IPAddress(text: first) else { throw .notIPv6(text) }
            guard parts.count == 2 else { return .address(address, zone: nil) }
            guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21..<0x7F).contains($0) }) else { throw .notIPv6(text) }
            return .address(address, zone: String(decoding: parts[1], as: UTF8.self))
        }
        if let address = IPAddress(text: bytes) { return .address(address, zone: nil) }
        return .name(try name(text))
    }

    private static func name(_ text: String) throws(TargetError) -> String {
        do {
            return try DomainName.normalized(text)
        } catch {
            throw .name(text, error)
        }
    }

    private static func port(_ bytes: ArraySlice<UInt8>) throws(TargetError) -> UInt16 {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(text), port > 0
        else { throw .port(text) }
        return port
    }
}
