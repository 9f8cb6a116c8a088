import Foundation
import TestSupport
import Testing

@testable import CertificateDetails
@testable import Encodings
@testable import Pinning

/// Embedded signed certificate timestamps, compared with the text of `openssl x509`.
@Suite struct SignedTimestampTests {
    /// A list with two timestamps of v1 (RFC 6962, section 3.3): a log identifier of 32 bytes, a time in milliseconds, no
    /// extensions, and a signature of 8 bytes with ECDSA and SHA-256.
    private static func list(_ entries: [(log: UInt8, milliseconds: UInt64)]) -> [UInt8] {
        func vector(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
        let items = entries.flatMap { entry in
            let time = (0..<8).map { UInt8(truncatingIfNeeded: entry.milliseconds >> UInt64(56 - 8 * $0)) }
            return vector(
                [0] + [UInt8](repeating: entry.log, count: 32) + time + [0, 0, 4, 3]
                    + vector([UInt8](repeating: 7, count: 8)))
        }
        return vector(items)
    }

    @Test func readsAnEmbeddedList() throws {
        let folder = try TemporaryFolder("timestamps")
        defer { folder.remove() }
        let list = Self.list([(0xA4, 1_511_347_200_123), (0x5B, 1_763_805_600_999)])
        let value = [0x04, UInt8(list.count)] + list
        #expect(list.count < 128)
        try folder.write(
            """
            [req]
            distinguished_name = name
            prompt = no
            [name]
            CN = log.example
            [sct]
            1.3.6.1.4.1.11129.2.4.2 = DER:\(Hex.encode(value))
            """, to: "openssl.cnf")
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                folder.path("key.pem"), "-out", folder.path("sct.der"), "-outform", "DER", "-config",
                folder.path("openssl.cnf"), "-extensions", "sct", "-days", "30",
            ])
        let certificate = try Certificate(der: folder.bytes("sct.der"))
        let found = try #require(
            certificate.extensions.compactMap { item -> [SignedTimestamp]? in
                if case .signedTimestamps(let list) = item.content { list } else { nil }
            }.first)
        let text = try ChildProcess.run(["openssl", "x509", "-in", folder.path("sct.der"), "-noout", "-text"]).text
        let times = text.split(separator: "\n").filter { $0.contains("Timestamp :") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(times == ["Timestamp : Nov 22 10:40:00.123 2017 GMT", "Timestamp : Nov 22 10:00:00.999 2025 GMT"])
        #expect(found.map { $0.time?.description } == ["2017-11-22T10:40:00Z", "2025-11-22T10:00:00Z"])
        #expect(found.map(\.milliseconds) == [123, 999])
        #expect(found.map(\.logIdentifier) == [UInt8(0xA4), 0x5B].map { [UInt8](repeating: $0, count: 32) })
    }

    @Test func refusesATruncatedList() {
        let list = Self.list([(1, 1), (2, 2)])
        #expect(SignedTimestamp.list(list)?.count == 2)
        for count in 0..<list.count { #expect(SignedTimestamp.list(Array(list.prefix(count))) == nil) }
        #expect(SignedTimestamp.list(list + [0]) == nil)
    }
}
