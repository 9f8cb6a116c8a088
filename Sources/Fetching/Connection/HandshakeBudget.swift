/// Counts the bytes and records that a server sends in one handshake, and limits both.
///
/// Without a limit, a server could send messages that OpenSSL ignores, such as HelloRequest, until the deadline.
package struct HandshakeBudget {
    /// The limit that was reached.
    package enum Limit: Equatable, Sendable {
        case bytes, records
    }

    /// Maximum number of bytes: four times the maximum size of a certificate list, which is the longest message.
    static let maximumBytes = 1 << 20
    /// Maximum number of records. A certificate list of the maximum size needs fewer, even in records of 16 bytes.
    static let maximumRecords = 16_384

    /// The length of a record header: type, version and length (RFC 8446, section 5.1).
    private static let headerLength = 5

    private var bytes = 0
    private var records = 0
    /// Number of bytes of the current record that have not arrived yet, without the header.
    private var remainder = 0
    /// Number of header bytes of the current record that have arrived.
    private var headerBytes = 0
    private var length = 0

    /// Counts the bytes of a chunk.
    ///
    /// - Parameter received: the number of bytes that the server sent for this chunk, if it arrived in packets of another protocol.
    /// - Returns: the limit that was exceeded; nil if the handshake can continue.
    mutating func spend(_ chunk: [UInt8], received: Int? = nil) -> Limit? {
        bytes += received ?? chunk.count
        guard bytes <= Self.maximumBytes else { return .bytes }
        var index = chunk.startIndex
        while index < chunk.endIndex {
            if remainder > 0 {
                let count = min(remainder, chunk.endIndex - index)
                index += count
                remainder -= count
                continue
            }
            // The last two bytes of a header contain the length of the record.
            if headerBytes >= Self.headerLength - 2 { length = length << 8 | Int(chunk[index]) }
            headerBytes += 1
            index += 1
            guard headerBytes == Self.headerLength else { continue }
            records += 1
            guard records <= Self.maximumRecords else { return .records }
            remainder = length
            headerBytes = 0
            length = 0
        }
        return nil
    }
}
