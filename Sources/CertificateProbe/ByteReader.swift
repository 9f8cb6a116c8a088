/// Reads the fields of a handshake message in order (RFC 8446, section 3).
struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0, bytes.count) }

    /// - Parameters:
    ///   - start: the position of the first byte, at most `end`.
    ///   - end: at most the number of bytes.
    private init(_ bytes: [UInt8], _ start: Int, _ end: Int) {
        (self.bytes, position, self.end) = (bytes, start, end)
    }

    var isAtEnd: Bool { position == end }

    /// An unsigned integer of at most four bytes.
    mutating func integer(_ length: Int) throws(ProbeFailure) -> Int {
        guard end - position >= length else { throw .malformed }
        var value = 0
        for byte in bytes[position..<position + length] { value = value << 8 | Int(byte) }
        position += length
        return value
    }

    mutating func take(_ count: Int) throws(ProbeFailure) -> [UInt8] {
        guard count <= end - position else { throw .malformed }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// A vector whose length precedes it.
    ///
    /// - Parameter prefix: the length of the length, in bytes.
    mutating func vector(_ prefix: Int) throws(ProbeFailure) -> ByteReader {
        let count = try integer(prefix)
        guard count <= end - position else { throw .malformed }
        defer { position += count }
        return ByteReader(bytes, position, position + count)
    }

    /// The bytes that are not read yet.
    var rest: [UInt8] { Array(bytes[position..<end]) }

    /// The extensions in a block of extensions (RFC 8446, section 4.2), without the length of the block.
    ///
    /// - Throws: ``ProbeFailure/malformed`` if two extensions have one type.
    mutating func extensions() throws(ProbeFailure) -> [(type: UInt16, body: ByteReader)] {
        var found: [(type: UInt16, body: ByteReader)] = []
        while !isAtEnd {
            let type = UInt16(truncatingIfNeeded: try integer(2))
            guard found.count < Self.maximumExtensions, !found.contains(where: { $0.type == type }) else {
                throw .malformed
            }
            found.append((type, try vector(2)))
        }
        return found
    }

    /// Maximum number of extensions in a block, more than all that are registered.
    private static let maximumExtensions = 128
}
