package import Pinning

/// The promise of a transparency log to publish a certificate: a signed certificate timestamp (RFC 6962, section 3.2).
package struct SignedTimestamp: Hashable, Sendable {
    /// The version; 0 is v1.
    package let version: UInt8
    /// The SHA-256 of the log's public key, 32 bytes.
    package let logIdentifier: [UInt8]
    /// The moment of the promise, without its milliseconds; nil if it is after the year 9999.
    package let time: Timestamp?
    /// The milliseconds of ``time``.
    package let milliseconds: Int

    /// 9999-12-31T23:59:59Z in seconds since 1970.
    private static let latestSecond: UInt64 = 253_402_300_799

    /// Reads a SignedCertificateTimestampList in the encoding of TLS (RFC 6962, section 3.3).
    ///
    /// - Returns: nil if the list is malformed.
    static func list(_ bytes: [UInt8]) -> [SignedTimestamp]? {
        var reader = VectorReader(bytes[...])
        guard var items = reader.vector(), reader.isAtEnd else { return nil }
        var found: [SignedTimestamp] = []
        while !items.isAtEnd {
            guard var item = items.vector(), let timestamp = SignedTimestamp(&item) else { return nil }
            found.append(timestamp)
        }
        return found
    }

    private init?(_ reader: inout VectorReader) {
        guard let version = reader.number(bytes: 1), let identifier = reader.bytes(32),
            let milliseconds = reader.number(bytes: 8)
        else { return nil }
        self.version = UInt8(truncatingIfNeeded: version)
        logIdentifier = Array(identifier)
        let seconds = milliseconds / 1000
        time = seconds <= Self.latestSecond ? Timestamp(secondsSince1970: Int64(seconds)) : nil
        self.milliseconds = Int(milliseconds % 1000)
    }
}

/// Reads numbers and vectors in the encoding of TLS (RFC 8446, section 3).
private struct VectorReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number of at most 8 bytes.
    mutating func number(bytes count: Int) -> UInt64? {
        bytes(count).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    /// A vector with a length of two bytes.
    mutating func vector() -> VectorReader? {
        guard let length = number(bytes: 2), let contents = bytes(Int(length)) else { return nil }
        return VectorReader(contents)
    }
}
