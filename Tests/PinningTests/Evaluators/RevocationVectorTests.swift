import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// The seeds of the fuzz targets, unchanged and with random changes.
@Suite struct RevocationVectorTests {
    private static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/revocation")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    private func refusal(staple: [UInt8]? = nil, lists: [RevocationList] = []) throws -> ServerTrustError? {
        let trust = ServerTrust(
            certificates: [try Certificate(der: Self.bytes("leaf.der"))],
            anchors: TrustAnchors([try Certificate(der: Self.bytes("root.der"))]), stapledResponse: staple,
            at: try #require(Timestamp(rfc3339: "2027-01-01T12:00:00Z")))
        return RevocationTrustEvaluator(crls: lists, ocsp: staple == nil ? .ignored : .required).refusal(trust)
    }

    @Test(arguments: [
        ("good", true), ("good-sha256", true), ("delegated", true), ("revoked", false), ("unknown", false),
        ("try-later", false),
    ])
    func responses(name: String, isAccepted: Bool) throws {
        let staple = try Self.bytes("\(name).ocsp")
        try #expect((refusal(staple: staple) == nil) == isAccepted)
        for count in stride(from: 0, to: staple.count, by: 23) {
            try #expect(refusal(staple: Array(staple.prefix(count))) != nil)
        }
        // No change may turn a refusal into an acceptance.
        for index in stride(from: 0, to: staple.count, by: 5) {
            var changed = staple
            changed[index] ^= 1
            let refusal = try refusal(staple: changed)
            if !isAccepted { #expect(refusal != nil, "byte \(index)") }
        }
    }

    @Test(arguments: [("empty", true), ("revoked", false)])
    func lists(name: String, isAccepted: Bool) throws {
        let bytes = try Self.bytes("\(name).crl")
        let lists = try RevocationList.all(in: bytes)
        #expect(lists.count == 1)
        #expect(try RevocationList.all(in: Self.bytes("two.crl")).count == 2)
        try #expect((refusal(lists: lists) == nil) == isAccepted)
        for index in stride(from: 0, to: bytes.count, by: 2) {
            var changed = bytes
            changed[index] ^= 1
            guard let lists = try? RevocationList.all(in: changed) else { continue }
            let refusal = try refusal(lists: lists)
            if name == "revoked" { #expect(refusal != nil, "byte \(index)") }
        }
    }
}
