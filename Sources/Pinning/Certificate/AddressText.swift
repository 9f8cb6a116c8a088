/// Internet addresses as text.
enum AddressText {
    /// The text of an address of 4 or 16 bytes; nil for any other number of bytes.
    static func text(of bytes: ArraySlice<UInt8>) -> String? {
        switch bytes.count {
        case 4: bytes.map { String($0) }.joined(separator: ".")
        case 16: ipv6(Array(bytes))
        default: nil
        }
    }

    /// Lower-case hex without leading zeros, the first of the longest runs of two or more zero groups as `::`
    /// (RFC 5952, section 4); the last 32 bits of an IPv4-mapped address in dotted form (section 5).
    private static func ipv6(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            return "::ffff:" + bytes[12...].map { String($0) }.joined(separator: ".")
        }
        let zeros = longestZeroRun(in: groups)
        let hex = groups.map { String($0, radix: 16) }
        guard zeros.count >= 2 else { return hex.joined(separator: ":") }
        return hex[..<zeros.lowerBound].joined(separator: ":") + "::" + hex[zeros.upperBound...].joined(separator: ":")
    }

    private static func longestZeroRun(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest
    }
}
