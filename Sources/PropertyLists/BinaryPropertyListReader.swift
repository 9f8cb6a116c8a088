/// Reads `bplist00`, which consists of objects, a table of their offsets, and a trailer of 32 bytes that describes the table
/// (CFBinaryPList.c of Apple's CoreFoundation).
struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: UInt64
    private let topObject: UInt64
    private let table: Int

    /// Number of values that may still be created. 16 bytes of text or data count as one value too. Without this limit, a small
    /// file with many references to one object could expand to billions of values.
    private var budget = maximumValues
    /// The object numbers of the enclosing arrays and dictionaries, to detect cycles.
    private var open: Set<UInt64> = []

    private static let maximumValues = 1 << 20
    private static let trailerSize = 32

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        let trailer = bytes.count - Self.trailerSize
        guard trailer >= 9, bytes.starts(with: "bplist0".utf8) else {
            throw PropertyListError(.binary(.trailer, offset: max(0, trailer)))
        }
        func number(at offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        objectCount = number(at: trailer + 8)
        topObject = number(at: trailer + 16)
        let start = number(at: trailer + 24)
        // The table must fit between the header and the trailer. This limits the number of objects, so the product cannot overflow.
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), topObject < objectCount,
            start >= 9, start <= UInt64(trailer), objectCount <= UInt64(trailer),
            start + objectCount * UInt64(offsetSize) <= UInt64(trailer)
        else { throw PropertyListError(.binary(.trailer, offset: trailer)) }
        table = Int(start)
    }

    mutating func root() throws(PropertyListError) -> PropertyListValue {
        try value(topObject, depth: 1, at: bytes.count - Self.trailerSize + 16)
    }

    private func error(_ fault: BinaryPropertyListFault, at offset: Int) -> PropertyListError {
        PropertyListError(.binary(fault, offset: offset))
    }

    /// Reads a number of `count` bytes at `offset`, at most 8.
    private func number(at offset: Int, count: Int) throws(PropertyListError) -> UInt64 {
        try slice(at: offset, count: count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func slice(at offset: Int, count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        // Objects must end before the offset table.
        guard offset >= 0, count >= 0, offset <= table, count <= table - offset else {
            throw error(.truncated, at: offset)
        }
        return bytes[offset..<offset + count]
    }

    private mutating func charge(_ count: Int, at offset: Int) throws(PropertyListError) {
        budget -= count / 16
        guard budget >= 0 else { throw error(.expansion(Self.maximumValues), at: offset) }
    }

    private mutating func value(
        _ object: UInt64, depth: Int, at referenceOffset: Int
    ) throws(PropertyListError) -> PropertyListValue {
        guard object < objectCount else { throw error(.reference(object), at: referenceOffset) }
        guard budget > 0 else { throw error(.expansion(Self.maximumValues), at: referenceOffset) }
        budget -= 1
        let entry = table + Int(object) * offsetSize
        let start = bytes[entry..<entry + offsetSize].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard start >= 8, start < UInt64(table) else { throw error(.truncated, at: entry) }
        let offset = Int(start)
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0xa, 0xd:
            guard depth <= PropertyList.maximumDepth else {
                throw error(.tooDeep(PropertyList.maximumDepth), at: offset)
            }
            guard open.insert(object).inserted else { throw error(.cycle, at: offset) }
            defer { open.remove(object) }
            return PropertyListValue(
                marker >> 4 == 0xa
                    ? .array(try values(at: offset, depth: depth)) : .dictionary(try members(at: offset, depth: depth)))
        default: return PropertyListValue(try scalar(marker, at: offset))
        }
    }

    private mutating func scalar(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> PropertyListValue.Content
    {
        switch (marker >> 4, marker & 15) {
        case (0, 8): return .bool(false)
        case (0, 9): return .bool(true)
        case (1, 0...3):
            let bits = try number(at: offset + 1, count: 1 << Int(marker & 15))
            // Only integers of 8 bytes are signed.
            return .integer(marker & 15 == 3 ? Int128(Int64(bitPattern: bits)) : Int128(bits))
        case (1, 4):
            let high = try number(at: offset + 1, count: 8)
            let low = try number(at: offset + 9, count: 8)
            switch high {
            case 0: return .integer(Int128(low))
            case .max where low > UInt64(Int64.max): return .integer(Int128(Int64(bitPattern: low)))
            default: throw error(.integer, at: offset)
            }
        case (2, 2):
            let bits = UInt32(truncatingIfNeeded: try number(at: offset + 1, count: 4))
            return .single(Float(bitPattern: bits))
        case (2, 3): return .real(Double(bitPattern: try number(at: offset + 1, count: 8)))
        case (3, 3): return .date(Double(bitPattern: try number(at: offset + 1, count: 8)))
        case (4, _):
            let (start, count) = try length(at: offset)
            let data = try slice(at: start, count: count)
            try charge(count, at: offset)
            return .data(Array(data))
        case (5, _):
            let (start, count) = try length(at: offset)
            let text = try slice(at: start, count: count)
            try charge(count, at: offset)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw error(.text, at: offset) }
            return .string(String(decoding: text, as: UTF8.self))
        case (6, _):
            let (start, count) = try length(at: offset)
            return .string(try utf16(at: start, count: count))
        // No known writer uses more than 8 bytes for a reference.
        case (8, 0...7): return .uid(try number(at: offset + 1, count: Int(marker & 15) + 1))
        default: throw error(.kind(marker), at: offset)
        }
    }

    private mutating func utf16(at offset: Int, count: Int) throws(PropertyListError) -> String {
        guard count <= bytes.count else { throw error(.truncated, at: offset) }
        let text = try slice(at: offset, count: count * 2)
        try charge(count, at: offset)
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
            units.append(UInt16(text[index]) << 8 | UInt16(text[index + 1]))
        }
        guard let string = String(validating: units, as: UTF16.self) else { throw error(.text, at: offset) }
        return string
    }

    /// The number of bytes or references in an object, and the offset of the first.
    private func length(at offset: Int) throws(PropertyListError) -> (start: Int, count: Int) {
        let short = Int(bytes[offset] & 15)
        guard short == 15 else { return (offset + 1, short) }
        let marker = try number(at: offset + 1, count: 1)
        guard marker & 0xf0 == 0x10, marker & 15 <= 3 else { throw error(.truncated, at: offset) }
        let size = 1 << Int(marker & 15)
        let count = try number(at: offset + 2, count: size)
        guard count <= UInt64(bytes.count) else { throw error(.truncated, at: offset) }
        return (offset + 2 + size, Int(count))
    }

    private mutating func values(at offset: Int, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
        let (start, count) = try length(at: offset)
        _ = try slice(at: start, count: count * referenceSize)
        var values: [PropertyListValue] = []
        for index in 0..<count {
            let valueOffset = start + index * referenceSize
            values.append(
                try value(try number(at: valueOffset, count: referenceSize), depth: depth + 1, at: valueOffset))
        }
        return values
    }

    /// Reads a dictionary: all references to keys, then all references to values.
    private mutating func members(at offset: Int, depth: Int) throws(PropertyListError) -> [PropertyListMember] {
        let (start, count) = try length(at: offset)
        _ = try slice(at: start, count: count * 2 * referenceSize)
        var members: [PropertyListMember] = []
        var known: Set<[UInt8]> = []
        for index in 0..<count {
            let keyOffset = start + index * referenceSize
            let key = try value(try number(at: keyOffset, count: referenceSize), depth: depth + 1, at: keyOffset)
            guard let text = key.string else { throw error(.keyKind, at: keyOffset) }
            guard known.insert(Array(text.utf8)).inserted else { throw error(.duplicateKey(text), at: keyOffset) }
            let valueOffset = keyOffset + count * referenceSize
            let value = try value(try number(at: valueOffset, count: referenceSize), depth: depth + 1, at: valueOffset)
            members.append(PropertyListMember(key: text, value: value))
        }
        return members
    }
}
