import Testing

@testable import Fetching
@testable import OpenSSL

@Suite struct HandshakeBudgetTests {
    /// A record header and body (RFC 8446, section 5.1).
    private static func record(_ length: Int) -> [UInt8] {
        [22, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)] + [UInt8](repeating: 7, count: length)
    }

    private static func firstLimit(_ bytes: [UInt8], inChunksOf size: Int) -> (offset: Int, HandshakeBudget.Limit)? {
        var budget = HandshakeBudget()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(start + size, bytes.count)
            if let limit = budget.spend(Array(bytes[start..<end])) { return (end, limit) }
        }
        return nil
    }

    @Test(arguments: [1, 2, 3, 5, 7, 4096]) func countsRecordsForEachDivisionOfTheBytes(size: Int) {
        for length in [0, 1, 4, 300] {
            let record = Self.record(length)
            let allowed = [[UInt8]](repeating: record, count: HandshakeBudget.maximumRecords).flatMap { $0 }
            let expected: HandshakeBudget.Limit? =
                allowed.count + record.count > HandshakeBudget.maximumBytes ? .bytes : .records
            if expected == .records { #expect(Self.firstLimit(allowed, inChunksOf: size) == nil) }
            #expect(Self.firstLimit(allowed + record, inChunksOf: size)?.1 == expected)
        }
    }

    @Test func countsBytes() {
        let full = Self.record(16_384 - 5)
        let allowed = [[UInt8]](repeating: full, count: HandshakeBudget.maximumBytes / full.count).flatMap { $0 }
        #expect(allowed.count == HandshakeBudget.maximumBytes)
        #expect(Self.firstLimit(allowed, inChunksOf: 16_384) == nil)
        #expect(Self.firstLimit(allowed + [22], inChunksOf: 16_384)?.1 == .bytes)
    }

    /// Packets of another protocol can have no contents, so all bytes that the server sent count.
    @Test func countsThePacketsOfAnotherProtocol() {
        var budget = HandshakeBudget()
        #expect(budget.spend([], received: HandshakeBudget.maximumBytes) == nil)
        #expect(budget.spend([], received: 1) == .bytes)
    }

    /// A certificate list of the maximum size must fit, in records of 64 bytes with the 22 bytes that encryption adds.
    @Test func allowsTheLongestCertificateList() {
        let records = ClientContext.maximumCertificateListSize / 64
        #expect(HandshakeBudget.maximumRecords >= 2 * records)
        #expect(HandshakeBudget.maximumBytes >= 2 * records * (64 + 22))
    }
}
