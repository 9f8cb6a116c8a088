import Foundation
import KeyFiles
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// Reads every vector with random damage, which is the same in every run. No input may cause a trap or take long.
@Suite struct MutationTests {
    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: Vectors.folder.appending(path: "material").path())) ?? [])
        .filter { $0 != "expected.tsv" }.sorted()

    /// Whether a file gets fewer mutations, because OpenSSL decodes it and derives keys.
    static func isSlow(_ name: String) -> Bool {
        name.hasPrefix("private-") || name.contains(".p12") || name.contains(".p7")
    }

    @Test(.limit(minutes: 2), arguments: names) func ofFilesDoNotTrap(name: String) throws {
        let original = try Vectors.bytes(name)
        var generator = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
        let password = Array("secret".utf8)
        for _ in 0..<(Self.isSlow(name) ? 150 : 2000) {
            let bytes = Self.mutated(original, using: &generator)
            let found = KeyFile.read(bytes, password: password)
            #expect(!found.isEmpty)
            for case .failure(let error) in found { #expect(!error.message.isEmpty) }
            for case .success(let object) in found {
                #expect(object.subjectPublicKeyInfo.count > 2)
                guard let certificate = object.certificate else { continue }
                Self.touch(certificate)
            }
        }
    }

    @Test func ofEveryByteOfACertificateDoNotTrap() throws {
        for name in ["rsa2048", "explicit", "subject-rich", "v1"] {
            let original = try Vectors.bytes("cert-\(name).der")
            for index in original.indices {
                for value: UInt8 in [0x00, 0x01, 0x30, 0x7F, 0x80, 0x81, 0x84, 0xFF] {
                    var bytes = original
                    bytes[index] = value
                    if let certificate = try? Certificate(der: bytes) { Self.touch(certificate) }
                }
            }
        }
    }

    @Test func ofNoiseDoNotTrap() {
        var generator = SeededGenerator(seed: 5280)
        let starts: [[UInt8]] = [
            [], [0x30], [0x30, 0x80], [0x30, 0x82, 0x01, 0x00], [0x30, 0x80, 0x06],
            Array("-----BEGIN CERTIFICATE-----\n".utf8),
        ]
        for _ in 0..<TestEnvironment.rounds(20_000) {
            let noise = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let bytes = (starts.randomElement(using: &generator) ?? []) + noise
            #expect(!KeyFile.read(bytes).isEmpty)
            if let certificate = try? Certificate(der: bytes) { Self.touch(certificate) }
        }
    }

    /// The time to read must be linear in the size of the input.
    @Test(
        .limit(minutes: 1),
        arguments: ["\n", "0", "-", "-----BEGIN ", "-----BEGIN A-----\n", "-----END A-----", "A", "A:\n", " "])
    func ofOneThingRepeatedEnd(unit: String) {
        let head = unit == "A:\n" ? "-----BEGIN A-----\n" : ""
        let text = Array((head + String(repeating: unit, count: 1_000_000 / unit.utf8.count)).utf8)
        #expect(!KeyFile.read(text).isEmpty)
    }

    /// Reads all details.
    private static func touch(_ certificate: Certificate) {
        _ = (certificate.subject?.description, certificate.issuer?.displayName, certificate.serialNumber)
        _ = (certificate.notBefore?.description, certificate.notAfter?.description, certificate.version)
        _ = (certificate.dnsNames, certificate.ipAddresses, certificate.isCA, certificate.isSelfIssued)
        _ = (certificate.key.description, certificate.signatureAlgorithm, certificate.pin)
        _ = (certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
    }

    private static func mutated(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
            case 3: bytes.remove(at: index)
            case 4: bytes.removeSubrange(index...)
            case 5:
                let end = Int.random(in: index...bytes.count, using: &generator)
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            default:
                // The first bytes contain most of the structure, so most changes are made there.
                bytes[min(index, Int.random(in: 0..<64, using: &generator) % bytes.count)] =
                    [0, 0x30, 0x80, 0xFF].randomElement(
                        using: &generator) ?? 0
            }
        }
        return bytes
    }
}
