internal import Encodings
package import Pinning

/// A target, or one for each address of a range in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3).
///
/// The sequence creates its targets one by one, so memory use does not grow with the range.
package struct TargetRange: Hashable, Sendable {
    /// The first target.
    package private(set) var first: Target
    /// The last address; nil if this is not an address range.
    private let last: IPAddress?
    /// Nil if the target was not parsed from a text.
    private var spelling: Target.Spelling?

    package init(_ target: Target) {
        first = target
        last = nil
    }

    /// Creates the range of all addresses with the same prefix, including the first and the last one.
    ///
    /// - Parameter prefix: length of the prefix in bits.
    init(
        from address: IPAddress, prefix: Int, port: UInt16, startTLS: StartTLSProtocol? = nil,
        serverName: ServerIdentity?
    ) throws(TargetError) {
        let (low, high) = (address.masked(to: prefix, fill: 0), address.masked(to: prefix, fill: 0xFF))
        guard address == low else {
            throw .insideRange("\(low?.description ?? "")/\(prefix)")
        }
        first = Target(host: .address(address, zone: nil), port: port, startTLS: startTLS, serverName: serverName)
        last = high
    }

    /// Whether the text of the target has a scheme.
    package var hasScheme: Bool { spelling?.hasScheme ?? false }

    /// Whether the text of the target names a port, or a scheme with a default port.
    package var namesPort: Bool { spelling.map { $0.hasScheme || $0.hasPort } ?? false }

    /// Whether the text has only a host: no scheme, no port and no server name. It can get another port from ``with(scheme:)``.
    package var isBareHost: Bool {
        guard let spelling, isSingle, !spelling.hasScheme, !spelling.hasPort else { return false }
        return first.startTLS == nil && first.port == TargetScheme.https.defaultPort && first.serverName == nil
    }

    /// This range with the protocol of a scheme, and with its default port if the text has no port.
    package func with(scheme: TargetScheme) -> TargetRange {
        var range = self
        let port = spelling?.hasPort == true ? first.port : scheme.defaultPort
        range.first = Target(host: first.host, port: port, startTLS: scheme.startTLS, serverName: first.serverName)
        return range
    }

    /// Whether the range has exactly one target.
    package var isSingle: Bool { last.map { first.host == .address($0, zone: nil) } ?? true }

    /// Number of targets; `Int.max` if there are more.
    package var count: Int {
        guard let last, case .address(let address, _) = first.host else { return 1 }
        var difference = 0
        for (low, high) in zip(address.bytes, last.bytes) {
            let (product, overflows) = difference.multipliedReportingOverflow(by: 256)
            guard !overflows else { return .max }
            difference = product + Int(high - low)
        }
        return difference == .max ? .max : difference + 1
    }
}

extension TargetRange: Sequence {
    package struct Iterator: IteratorProtocol {
        private var upcoming: Target?
        private let last: IPAddress?

        fileprivate init(_ range: TargetRange) {
            upcoming = range.first
            last = range.last
        }

        package mutating func next() -> Target? {
            guard let target = upcoming else { return nil }
            if let last, case .address(let address, _) = target.host, address != last, let following = address.following
            {
                upcoming = Target(
                    host: .address(following, zone: nil), port: target.port, startTLS: target.startTLS,
                    serverName: target.serverName
                )
            } else {
                upcoming = nil
            }
            return target
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }
}

extension TargetRange {
    /// - Parameter bareScheme: the scheme of a text without one.
    package init(parsing text: some StringProtocol, bareScheme: TargetScheme = .https) throws(TargetError) {
        try self.init(parsing: Array(text.utf8), bareScheme: bareScheme)
    }

    /// Parses a target as ``Target`` does, or an address range: `10.0.0.0/24`, `10.0.0.0/24:8443`, `[2001:db8::/120]:8443`.
    package init(parsing bytes: [UInt8], bareScheme: TargetScheme = .https) throws(TargetError) {
        do throws(TargetError) {
            try self.init(parsingParts: bytes, bareScheme)
        } catch {
            // Any other error may quote a part of a password.
            throw bytes.hasAtSign ? .userInfo : error
        }
    }

    private init(parsingParts bytes: [UInt8], _ bareScheme: TargetScheme) throws(TargetError) {
        var rest = bytes[...]
        guard rest.contains(Self.slash), Target.scheme(of: rest) == nil else {
            try self.init(parsingSingle: bytes, bareScheme)
            return
        }
        let serverName = try Target.takeServerName(from: &rest)
        guard let parts = Self.split(rest) else {
            try self.init(parsingSingle: bytes, bareScheme)
            return
        }
        let maximum = parts.address.bytes.count * 8
        guard let prefix = Self.number(parts.prefix), prefix <= maximum else {
            throw .prefix(String(decoding: parts.prefix, as: UTF8.self), maximum: maximum)
        }
        try self.init(
            from: parts.address, prefix: prefix,
            port: try parts.port.map { port throws(TargetError) in try Target.port(port) } ?? bareScheme.defaultPort,
            startTLS: bareScheme.startTLS,
            serverName: serverName
        )
        spelling = Target.Spelling(hasScheme: false, hasPort: parts.port != nil)
    }

    private init(parsingSingle bytes: [UInt8], _ bareScheme: TargetScheme) throws(TargetError) {
        let (target, spelling) = try Target.parse(bytes, bareScheme)
        self.init(target)
        self.spelling = spelling
    }

    private static let slash = UInt8(ascii: "/")

    private typealias Parts = (address: IPAddress, prefix: ArraySlice<UInt8>, port: ArraySlice<UInt8>?)

    /// - Returns: nil if the text before the slash is not an address.
    private static func split(_ text: ArraySlice<UInt8>) -> Parts? {
        // Brackets contain an address, or an address and its prefix length. So they contain at most one slash.
        var text = text
        if text.first == UInt8(ascii: "["), let close = text.firstIndex(of: UInt8(ascii: "]")) {
            let (inside, behind) = (text[..<close].dropFirst(), text[(close + 1)...])
            let prefix = behind.prefix { $0 != UInt8(ascii: ":") }
            guard inside.contains(slash) ? prefix.isEmpty : prefix.first == slash else { return nil }
            text = (inside + behind)[...]
        }
        guard let slash = text.firstIndex(of: slash), let address = IPAddress(text: text[..<slash]) else { return nil }
        let behind = text[(slash + 1)...]
        guard let colon = behind.firstIndex(of: UInt8(ascii: ":")) else { return (address, behind, nil) }
        return (address, behind[..<colon], behind[(colon + 1)...])
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...3).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

extension IPAddress {
    /// This address, with the bits after the prefix replaced by those of `fill`.
    fileprivate func masked(to prefix: Int, fill: UInt8) -> IPAddress? {
        let bytes = bytes.enumerated().map { index, byte in
            let kept = Swift.min(8, Swift.max(0, prefix - 8 * index))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            return byte & mask | fill & ~mask
        }
        return IPAddress(bytes: bytes)
    }

    /// The next higher address; nil after the highest one.
    fileprivate var following: IPAddress? {
        var bytes = bytes
        for index in bytes.indices.reversed() {
            bytes[index] &+= 1
            if bytes[index] != 0 { return IPAddress(bytes: bytes) }
        }
        return nil
    }
}
