/// Writes `bplist00`. Equal strings, numbers and other simple values are written once.
struct BinaryPropertyListWriter {
    private enum Object {
        /// The marker, the length and the contents of an object.
        case scalar([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var known: [[UInt8]: Int] = [:]

    static func bytes(of root: PropertyListValue) -> [UInt8] {
        var writer = Self()
        let top = writer.add(root)
        return writer.file(top: top)
    }

    private mutating func add(_ value: PropertyListValue) -> Int {
        // The outermost object gets the number 0, because some readers expect this.
        switch value.content {
        case .array(let values):
            let number = objects.count
            objects.append(.array([]))
            objects[number] = .array(values.map { add($0) })
            return number
        case .dictionary(let members):
            let number = objects.count
            objects.append(.array([]))
            let keys = members.map { add(.string($0.key)) }
            objects[number] = .dictionary(keys: keys, values: members.map { add($0.value) })
            return number
        case .string(let text): return add(Self.string(text))
        case .integer(let integer): return add(Self.integer(integer))
        case .single(let real): return add([0x22] + Self.number(UInt64(real.bitPattern), size: 4))
        case .real(let real): return add([0x23] + Self.number(real.bitPattern, size: 8))
        case .bool(let bool): return add([bool ? 0x09 : 0x08])
        case .date(let date): return add([0x33] + Self.number(date.bitPattern, size: 8))
        case .data(let data): return add(Self.marker(0x40, count: data.count) + data)
        case .uid(let uid):
            let size = Self.size(of: uid)
            return add([0x80 | UInt8(size - 1)] + Self.number(uid, size: size))
        }
    }

    private mutating func add(_ scalar: [UInt8]) -> Int {
        if let number = known[scalar] { return number }
        known[scalar] = objects.count
        objects.append(.scalar(scalar))
        return objects.count - 1
    }

    private func file(top: Int) -> [UInt8] {
        let referenceSize = Self.size(of: UInt64(objects.count))
        var output = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let bytes): output += bytes
            case .array(let values):
                output += Self.marker(0xa0, count: values.count)
                for value in values { output += Self.number(UInt64(value), size: referenceSize) }
            case .dictionary(let keys, let values):
                output += Self.marker(0xd0, count: keys.count)
                for key in keys { output += Self.number(UInt64(key), size: referenceSize) }
                for value in values { output += Self.number(UInt64(value), size: referenceSize) }
            }
        }
        let table = output.count
        let offsetSize = Self.size(of: UInt64(table))
        for offset in offsets { output += Self.number(UInt64(offset), size: offsetSize) }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        output += Self.number(UInt64(objects.count), size: 8)
        output += Self.number(UInt64(top), size: 8)
        return output + Self.number(UInt64(table), size: 8)
    }

    private static func string(_ text: String) -> [UInt8] {
        let ascii = Array(text.utf8)
        guard !ascii.allSatisfy({ $0 < 0x80 }) else { return marker(0x50, count: ascii.count) + ascii }
        let units = Array(text.utf16)
        return marker(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    private static func integer(_ integer: Int128) -> [UInt8] {
        switch integer {
        // Unsigned values above Int64.max need 16 bytes, because integers of 8 bytes are signed.
        case (Int128(Int64.max) + 1)...:
            return [0x14] + number(0, size: 8) + number(UInt64(truncatingIfNeeded: integer), size: 8)
        case ..<0: return [0x13] + number(UInt64(truncatingIfNeeded: integer), size: 8)
        default:
            let value = UInt64(truncatingIfNeeded: integer)
            let size = size(of: value)
            return [0x10 | UInt8(size.trailingZeroBitCount)] + number(value, size: size)
        }
    }

    private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        guard count >= 15 else { return [kind | UInt8(count)] }
        return [kind | 15] + integer(Int128(count))
    }

    /// Smallest number of bytes that can represent a number: 1, 2, 4 or 8.
    private static func size(of number: UInt64) -> Int {
        switch number {
        case ...0xff: 1
        case ...0xffff: 2
        case ...0xffff_ffff: 4
        default: 8
        }
    }

    private static func number(_ number: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
