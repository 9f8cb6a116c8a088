internal import CSystem

/// The answer of a name server about the addresses of a name (RFC 1035, section 4).
///
/// getaddrinfo(3) of glibc leaves out each address that it cannot read, and reports no error.
package enum NameAnswer {
    /// The reason why an answer may lack an address.
    package enum Problem: Error, Equatable {
        /// The answer is truncated, over TCP too (RFC 2181, section 9).
        case truncated
        /// The answer, or an address in it, cannot be read.
        case malformed
    }

    /// The reason why the answers about a name may lack an address, as a clause; nil if they are complete, and if no name server
    /// answers, because the name can be in a file. Blocks until the name server has answered, which can last for ever:
    /// ``NameAnswerCheck`` limits the time.
    ///
    /// - Parameter family: the addresses to ask for; ``AddressFamily/any`` asks for both.
    static func problem(of name: String, _ family: AddressFamily) -> String? {
        for (candidate, number, noun) in [(AddressFamily.ipv4, AF_INET, "IPv4"), (.ipv6, AF_INET6, "IPv6")]
        where family == .any || family == candidate {
            switch problem(of: name, number) {
            case nil: continue
            case .truncated: return "the answer about the \(noun) addresses of \(name) is truncated"
            case .malformed: return "the answer about the \(noun) addresses of \(name) is malformed"
            }
        }
        return nil
    }

    /// Whether the configuration of the resolver makes every name seem to have no IPv6 addresses (`no-aaaa` of resolv.conf(5)).
    package static var hidesIPv6: Bool { pinctl_hides_ipv6() != 0 }

    /// - Parameter family: AF_INET or AF_INET6.
    static func problem(of name: String, _ family: Int32) -> Problem? {
        let answer = unsafe [UInt8](unsafeUninitializedCapacity: maximumSize) { buffer, count in
            count = Int(
                max(0, unsafe pinctl_query_name(name, family, buffer.baseAddress, Int32(clamping: buffer.count))))
        }
        guard !answer.isEmpty else { return nil }
        do throws(Problem) {
            try check(answer, family)
            return nil
        } catch {
            return error
        }
    }

    /// Reads an answer.
    ///
    /// - Throws: the problem, if the answer may lack an address of the family.
    static func check(_ answer: [UInt8], _ family: Int32) throws(Problem) {
        var reader = Reader(answer)
        try reader.skip(2)
        guard try reader.next() & truncationBit == 0 else { throw .truncated }
        try reader.skip(1)
        let questions = try reader.number()
        let records = try reader.number()
        // The header of an answer without records is all that is known of it.
        guard records > 0 else { return }
        try reader.skip(4)
        for _ in 0..<questions {
            try reader.skipName()
            try reader.skip(4)
        }
        let (type, length) = family == AF_INET6 ? (28, 16) : (1, 4)
        for _ in 0..<records {
            try reader.skipName()
            let recordType = try reader.number()
            try reader.skip(6)
            let count = try reader.number()
            guard recordType != type || count == length else { throw .malformed }
            try reader.skip(count)
        }
    }

    /// The bit TC in the third byte.
    private static let truncationBit: UInt8 = 2
    /// Maximum size of an answer over TCP (RFC 1035, section 4.2.2).
    private static let maximumSize = 1 << 16

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func next() throws(Problem) -> UInt8 {
            guard let byte = rest.popFirst() else { throw .malformed }
            return byte
        }

        /// Two bytes, the higher one first.
        mutating func number() throws(Problem) -> Int { try Int(next()) << 8 | Int(next()) }

        mutating func skip(_ count: Int) throws(Problem) {
            guard rest.count >= count else { throw .malformed }
            rest = rest.dropFirst(count)
        }

        /// A name ends with an empty label, or with a pointer of two bytes to another name (RFC 1035, section 4.1.4).
        mutating func skipName() throws(Problem) {
            while true {
                let length = try next()
                switch length >> 6 {
                case 0b00 where length == 0: return
                case 0b00: try skip(Int(length))
                case 0b11: return try skip(1)
                default: throw .malformed
                }
            }
        }
    }
}
