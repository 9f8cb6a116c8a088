internal import Encodings

/// An IPv4 or IPv6 address, without port and zone.
package struct IPAddress: Hashable, Sendable {
    /// The address in network byte order: 4 bytes for IPv4, 16 bytes for IPv6.
    package let bytes: [UInt8]

    package var isV4: Bool { bytes.count == 4 }
    package var isV6: Bool { bytes.count == 16 }

    /// Nil unless there are 4 or 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads `192.0.2.1` (RFC 3986, section 3.2.2) or `2001:db8::1` (RFC 4291, section 2.2).
    ///
    /// Numbers with leading zeros are refused, because some systems read them as octal. Brackets and zones are refused too.
    package init?(_ text: some StringProtocol) {
        self.init(text: Array(text.utf8)[...])
    }

    package init?(text: ArraySlice<UInt8>) {
        guard let bytes = text.contains(UInt8(ascii: ":")) ? Self.v6(text) : Self.v4(text) else { return nil }
        self.bytes = bytes
    }

    private static func v4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count <= 15 else { return nil }
        // Lists of hosts contain many addresses, and this is faster than a split into arrays.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4)
        var number = 0
        var digits = 0
        for character in text {
            switch character {
            case UInt8(ascii: "."):
                guard digits > 0, bytes.count < 3, let byte = UInt8(exactly: number) else { return nil }
                bytes.append(byte)
                (number, digits) = (0, 0)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard digits == 0 || number > 0 else { return nil }
                number = number * 10 + Int(character - UInt8(ascii: "0"))
                digits += 1
            default: return nil
            }
        }
        guard digits > 0, bytes.count == 3, let last = UInt8(exactly: number) else { return nil }
        bytes.append(last)
        return bytes
    }

    private static func v6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count <= 45 else { return nil }
        var head: [UInt8] = []
        var tail: [UInt8]?
        var parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // A `::` at the start or end of the text produces two empty parts, and one elsewhere. A single colon at the start or end
        // produces one empty part.
        if parts.first?.isEmpty == true {
            guard parts.count > 2, parts[1].isEmpty else { return nil }
            parts.removeFirst()
        }
        if parts.last?.isEmpty == true {
            guard parts.count > 1, parts[parts.count - 2].isEmpty else { return nil }
            parts.removeLast()
        }
        for (index, part) in parts.enumerated() {
            var bytes: [UInt8] = []
            if part.isEmpty {
                guard tail == nil else { return nil }
                tail = []
                continue
            } else if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let embedded = v4(part) else { return nil }
                bytes = embedded
            } else {
                guard let group = group(part) else { return nil }
                bytes = [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
            }
            if tail == nil { head += bytes } else { tail? += bytes }
        }
        let missing = 16 - head.count - (tail?.count ?? 0)
        guard let tail else { return missing == 0 ? head : nil }
        guard missing >= 2 else { return nil }
        return head + [UInt8](repeating: 0, count: missing) + tail
    }

    private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count) else { return nil }
        var group: UInt16 = 0
        for digit in digits {
            guard let value = Hex.value(of: digit) else { return nil }
            group = group << 4 | UInt16(value)
        }
        return group
    }
}

extension IPAddress: CustomStringConvertible {
    /// The recommended text form (RFC 5952, sections 4 and 5): lower case, the longest run of zero groups as `::`, the last 32
    /// bits of an IPv4-mapped address in dotted form.
    package var description: String {
        guard isV6 else { return Self.dotted(bytes[...]) }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xffff {
            return "::ffff:" + Self.dotted(bytes[12...])
        }
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard let zeros = Self.longestZeroRun(in: groups) else { return text(groups[...]) }
        return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    private static func dotted(_ bytes: ArraySlice<UInt8>) -> String {
        // Lists of hosts contain many addresses, and a byte array is faster than joined strings.
        var text: [UInt8] = []
        text.reserveCapacity(15)
        for byte in bytes {
            if !text.isEmpty { text.append(UInt8(ascii: ".")) }
            if byte >= 100 { text.append(UInt8(ascii: "0") + byte / 100) }
            if byte >= 10 { text.append(UInt8(ascii: "0") + byte / 10 % 10) }
            text.append(UInt8(ascii: "0") + byte % 10)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first of the longest runs; nil if no run has two groups.
    private static func longestZeroRun(in groups: [UInt16]) -> Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start >= 2, end - start > longest?.count ?? 0 { longest = start..<end }
            start = max(end, start + 1)
        }
        return longest
    }
}
