internal import Encodings
internal import Pinning

/// The hosts that pinctl reaches without a proxy: the value of `no_proxy` or of `--no-proxy`.
///
/// The rules are those of curl (lib/noproxy.c, and "--noproxy" in curl(1)): commas or spaces separate the entries. A name matches itself
/// and the names below it, with or without a leading dot. An address matches itself, and a range in CIDR notation its addresses. A
/// single `*` as the whole list matches every host. pinctl also allows a port after a name or an address, as Go's
/// golang.org/x/net/http/httpproxy does; curl ignores such an entry.
package struct NoProxyList: Equatable, Sendable {
    private enum Pattern: Equatable, Sendable {
        /// A name without a leading dot.
        case name(String)
        case range(IPAddress, bits: Int)

        func matches(_ host: Target.Host) -> Bool {
            switch (self, host) {
            case (.name(let suffix), .name(let name)): name == suffix || name.hasSuffix("." + suffix)
            case (.range(let first, let bits), .address(let address, _)): Self.isEqual(first, address, bits: bits)
            default: false
            }
        }

        private static func isEqual(_ left: IPAddress, _ right: IPAddress, bits: Int) -> Bool {
            guard left.bytes.count == right.bytes.count else { return false }
            let whole = bits / 8
            guard left.bytes.prefix(whole) == right.bytes.prefix(whole) else { return false }
            guard bits % 8 > 0, whole < left.bytes.count else { return true }
            return (left.bytes[whole] ^ right.bytes[whole]) >> UInt8(8 - bits % 8) == 0
        }
    }

    private struct Entry: Equatable, Sendable {
        let pattern: Pattern
        /// Nil for all ports.
        let port: UInt16?
    }

    private let entries: [Entry]
    private let matchesAll: Bool
    /// Entries that match no host, such as `*.example.com`.
    package let invalidEntries: [String]

    package init(parsing text: String) {
        var entries: [Entry] = []
        var invalid: [String] = []
        let texts = text.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map(String.init)
        matchesAll = texts == ["*"]
        for text in matchesAll ? [] : texts {
            if let entry = Self.entry(text) { entries.append(entry) } else { invalid.append(text) }
        }
        self.entries = entries
        invalidEntries = invalid
    }

    /// Whether the target is reached without a proxy.
    package func contains(_ target: Target) -> Bool {
        matchesAll || entries.contains { $0.pattern.matches(target.host) && ($0.port ?? target.port) == target.port }
    }

    private static func entry(_ text: String) -> Entry? {
        if let (first, last) = text.divided(atFirst: "/") {
            guard let address = IPAddress(withoutBrackets(first)), let bits = Int(last),
                (0...address.bytes.count * 8).contains(bits)
            else { return nil }
            return Entry(pattern: .range(address, bits: bits), port: nil)
        }
        let name = text.without(prefix: ".").map(String.init) ?? text
        guard let (host, port) = try? Target.hostAndOptionalPort(parsing: name) else { return nil }
        switch host {
        case .name(let name): return Entry(pattern: .name(name), port: port)
        case .address(let address, _):
            return Entry(pattern: .range(address, bits: address.bytes.count * 8), port: port)
        }
    }

    private static func withoutBrackets(_ text: Substring) -> Substring {
        text.without(prefix: "[")?.without(suffix: "]") ?? text
    }
}
