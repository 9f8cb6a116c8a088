import Foundation
import TestSupport
import Testing

@testable import CertificateDetails
@testable import Encodings
@testable import Pinning

/// Reads the extensions of damaged certificates. No input may cause a trap; the damage is the same in every run.
@Suite struct DamagedCertificateTests {
    @Test(.limit(minutes: 2), arguments: Vectors.certificates)
    func ofVectorsDoNotTrap(vector: Vectors.Expectation) throws { try damage(Vectors.bytes(vector.file)) }

    @Test(
        .limit(minutes: 2),
        arguments: ["Amazon_Root_CA_1", "ISRG_Root_X1", "GlobalSign_Root_CA", "Certigna_Root_CA"])
    func ofRootsDoNotTrap(name: String) throws {
        let path = "/usr/share/ca-certificates/mozilla/\(name).crt"
        var blocks = PEM.blocks(in: [UInt8](try Data(contentsOf: URL(filePath: path))))
        let block = try #require(try blocks.next()?.get())
        try damage(try #require(block.certificateBytes))
    }

    private func damage(_ original: [UInt8]) throws {
        var generator = SeededGenerator(seed: 5280)
        let now = try #require(Timestamp(rfc3339: "2026-11-22"))
        for _ in 0..<400 {
            var bytes = original
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = [0, 1, 0x30, 0x7F, 0x80, 0x84, 0xA0, 0xFF].randomElement(using: &generator) ?? 0
            }
            guard let certificate = try? Certificate(der: bytes) else { continue }
            let extensions = certificate.extensions
            #expect(extensions.count <= Certificate.maximumExtensions)
            for problem in certificate.problems(in: extensions, at: now) {
                #expect(!problem.message.isEmpty)
                if case .extension(let index) = problem.field { #expect(extensions.indices.contains(index)) }
            }
        }
    }

    @Test(
        .limit(minutes: 1), arguments: ["2.5.29.17", "2.5.29.32", "2.5.29.31", "1.3.6.1.5.5.7.1.1", "2.5.29.30"])
    func ofManyElementsNeedLinearTime(type: String) throws {
        let encoded: [String: [UInt8]] = [
            "2.5.29.17": [0x55, 0x1D, 0x11], "2.5.29.32": [0x55, 0x1D, 0x20], "2.5.29.31": [0x55, 0x1D, 0x1F],
            "1.3.6.1.5.5.7.1.1": [0x2B, 6, 1, 5, 5, 7, 1, 1], "2.5.29.30": [0x55, 0x1D, 0x1E],
        ]
        let identifier = try #require(encoded[type])
        let name: [UInt8] = [0x82, 1, 0x61]
        let element: [UInt8] = type == "2.5.29.17" ? name : [0x30, 5, 0x06, 0x00, 0x82, 1, 0x61]
        let list = DERWriter.element(0x30, (0..<200_000).flatMap { _ in element })
        _ = ExtensionDecoder.content(of: OID(encoded: identifier), list)
    }
}
