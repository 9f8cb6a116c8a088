extension NameAnswer {
    /// Reads the parts of an answer. Each function throws ``Problem/malformed`` if the rest of the answer does not begin with the part.
    struct Reader {
        /// The size of the header (RFC 1035, section 4.1.1).
        static let headerSize = 12

        /// The indices are the positions in the answer.
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func next() throws(Problem) -> UInt8 {
            guard let byte = rest.popFirst() else { throw .malformed }
            return byte
        }

        /// Two bytes, the higher one first.
        mutating func number() throws(Problem) -> Int { try Int(next()) << 8 | Int(next()) }

        mutating func bytes(_ count: Int) throws(Problem) -> [UInt8] {
            let bytes = Array(rest.prefix(count))
            try skip(count)
            return bytes
        }

        mutating func skip(_ count: Int) throws(Problem) {
            guard rest.count >= count else { throw .malformed }
            rest = rest.dropFirst(count)
        }

        /// A name ends with an empty label, or with a pointer of two bytes to an earlier name (RFC 1035, section 4.1.4).
        mutating func skipName() throws(Problem) {
            let start = rest.startIndex
            while true {
                let length = try next()
                switch length >> 6 {
                case 0b00 where length == 0: return
                case 0b00: try skip(Int(length))
                case 0b11:
                    let position = try Int(length & 0x3F) << 8 | Int(next())
                    guard position >= Self.headerSize, position < start else { throw .malformed }
                    return
                default: throw .malformed
                }
            }
        }

        /// A record (RFC 1035, section 4.1.3). The data of an alias must be a name: CNAME, or DNAME (RFC 6672).
        ///
        /// - Throws: ``Problem/missing`` for the pseudo-record OPT with the higher bits of an error (RFC 6891, section 6.1.3).
        mutating func record() throws(Problem) -> (type: Int, data: [UInt8]) {
            try skipName()
            let type = try number()
            try skip(2)
            let higherBitsOfCode = try next()
            try skip(3)
            let length = try number()
            guard type != 41 || higherBitsOfCode == 0 else { throw .missing }
            guard type == 5 || type == 39 else { return (type, try bytes(length)) }
            let start = rest.startIndex
            try skipName()
            guard rest.startIndex - start == length else { throw .malformed }
            return (type, [])
        }
    }
}
