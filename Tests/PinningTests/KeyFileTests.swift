import Foundation
import KeyFiles
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct KeyFileTests {
    static let secret = Array("secret".utf8)

    static let files = Dictionary(grouping: Vectors.expectations, by: \.file).sorted { $0.key < $1.key }
        .map { File(name: $0.key, objects: $0.value) }

    struct File: CustomTestStringConvertible, Sendable {
        let name: String
        let objects: [Vectors.Expectation]
        var testDescription: String { name }
    }

    /// Files that need a password.
    static let locked = files.map(\.name).filter { name in
        ["-aes.pem", "-encrypted.pem", "-encrypted.der", "-scrypt.pem", "-3des.pem", "-rc2.pem", "-des.pem"]
            .contains { name.hasSuffix($0) }
            || ["modern.p12", "modern.p12.b64", "legacy.p12", "mac-only.p12", "certificates-only.p12", "key-only.p12"]
                .contains(name)
    }

    @Test(arguments: files) func readsTheKeysThatOpenSSLReads(file: File) throws {
        let found = try KeyFile.read(Vectors.bytes(file.name), password: Self.secret).map { try $0.get() }
        #expect(found.map(\.pin.base64) == file.objects.map(\.pin))
        #expect(found.map(\.kind.rawValue) == file.objects.map(\.kind))
        #expect(found.map(\.number) == file.objects.map(\.number))
        #expect(
            found.map { $0.certificate.map { Base64.encode($0.sha256) } ?? "-" }
                == file.objects.map(\.certificateDigest))
    }

    @Test func vectorsExist() {
        #expect(Self.files.count > 90)
        #expect(Self.locked.count == 15)
    }

    @Test(arguments: files.map(\.name)) func reportsThatAPasswordIsNeeded(name: String) throws {
        let found = try KeyFile.read(Vectors.bytes(name))
        guard Self.locked.contains(name) else {
            #expect(found.allSatisfy { (try? $0.get()) != nil })
            return
        }
        #expect(found.map(Self.problem) == [.needsPassword])
    }

    @Test(arguments: locked) func reportsAWrongPassword(name: String) throws {
        for password in ["Secret", "", "secret "] {
            let found = try KeyFile.read(Vectors.bytes(name), password: Array(password.utf8))
            #expect(found.map(Self.problem) == [.wrongPassword], "\(password)")
        }
    }

    @Test func distinguishesDamageFromAWrongPassword() throws {
        var bytes = try Vectors.bytes("modern.p12")
        // Damage in the encrypted bytes: the integrity check fails, as with a wrong password.
        bytes[bytes.count / 2] ^= 1
        #expect(KeyFile.read(bytes, password: Self.secret).map(Self.problem) == [.wrongPassword])
        // A length past the end of the file: an error with any password.
        bytes = try Vectors.bytes("modern.p12")
        bytes[9] = 0xFF
        guard case .damaged(.pkcs12, _)? = Self.problem(try #require(KeyFile.read(bytes, password: Self.secret).first))
        else {
            Issue.record("found \(KeyFile.read(bytes, password: Self.secret))")
            return
        }
    }

    @Test func refusesExcessiveKeyDerivation() throws {
        for (name, old, new) in [
            // PBKDF2's 2,048 rounds (02 02 08 00) are replaced by 2³¹ - 1, which needs two more bytes.
            ("private-rsa2048-encrypted.der", "02020800", "02047fffffff")
        ] {
            let bytes = try Vectors.bytes(name)
            let patched = try replaced(bytes, Hex.decode(old.utf8), Hex.decode(new.utf8))
            let work = Work.nanoseconds {
                #expect(KeyFile.read(patched, password: Self.secret).map(Self.problem) == [.tooCostly])
            }
            #expect(work < 1_000_000_000)
        }
    }

    /// The limit is one for all keys of a file. OpenSSL refuses the first key, whose cipher is unknown, before it makes the rounds.
    @Test func limitsTheKeyDerivationOfAFile() throws {
        let key = try Vectors.bytes("private-rsa2048-encrypted.der")
        // 2²⁴ - 1 rounds, and 2.16.840.1.101.3.4.1.127 instead of AES-256 in CBC mode.
        var costly = try replaced(key, Hex.decode("02020800".utf8), Hex.decode("020400ffffff".utf8))
        costly = try replaced(
            costly, Hex.decode("60864801650304012a".utf8), Hex.decode("60864801650304017f".utf8))
        let text = [costly, key].map { PEM.publicKey($0) }.joined()
        let problems = KeyFile.read(Array(text.utf8), password: Self.secret).map(Self.problem)
        guard case .unsupportedEncryption? = problems.first ?? nil else {
            Issue.record("found \(problems)")
            return
        }
        #expect(problems.last == .tooCostly)
    }

    /// A request is signed by its own key, so a change of any byte of the key shows.
    @Test func refusesARequestWithAnotherKey() throws {
        let request = try Vectors.bytes("request.der")
        let key = try #require(KeyFile.read(request).first).get().subjectPublicKeyInfo
        let start = try #require(
            (0...request.count - key.count).first { request[$0..<$0 + key.count].elementsEqual(key) })
        for offset in [key.count - 1, key.count / 2] {
            var damaged = request
            damaged[start + offset] ^= 1
            #expect(KeyFile.read(damaged).map(Self.problem) == [.damagedRequest])
        }
    }

    /// A path of certificates whose names alternate, so that each one has many possible issuers.
    @Test(.notWithSanitizer) func ordersIssuersInLinearTime() throws {
        let key = try Vectors.bytes("public-p256.der")
        let collection = PrivateKeyCollection()
        _ = try KeyFile.read(Vectors.bytes("private-p256-pkcs8.der"), keys: collection)
        func certificates(_ count: Int) throws -> [Certificate] {
            try (0..<count).map { number in
                let names = ["A", "B"].map { name in
                    DERWriter.sequence(
                        DERWriter.element(
                            0x31,
                            DERWriter.sequence([0x06, 0x03, 0x55, 0x04, 0x03], DERWriter.element(0x0C, name.utf8)[...]))[
                                ...])
                }
                let algorithm = DERWriter.sequence([0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
                let time = DERWriter.element(0x17, "250101000000Z".utf8)
                let serial = DERWriter.element(0x02, [1, UInt8(number / 256), UInt8(number % 256)])
                let signed = DERWriter.sequence(
                    [0xA0, 0x03, 0x02, 0x01, 0x02], serial[...], algorithm[...], names[number % 2][...],
                    DERWriter.sequence(time[...], time[...])[...], names[(number + 1) % 2][...], key[...])
                return try Certificate(
                    der: DERWriter.sequence(signed[...], algorithm[...], [0x03, 0x03, 0x00, 0x30, 0x00]))
            }
        }
        let (few, many) = try (certificates(40), certificates(320))
        try #expect(ClientCredential(many, collection.keys).certificates.count == 320)
        let growth = try Work.growth {
            _ = try ClientCredential(few, collection.keys)
        } large: {
            _ = try ClientCredential(many, collection.keys)
        }
        #expect(growth < 30)
    }

    /// Replaces the only `old` by `new`, and corrects the two-byte lengths of all SEQUENCEs that contain it.
    private func replaced(_ bytes: [UInt8], _ old: [UInt8], _ new: [UInt8]) throws -> [UInt8] {
        let at = try #require((0..<bytes.count - old.count).first { Array(bytes[$0..<$0 + old.count]) == old })
        var output = bytes
        output.replaceSubrange(at..<at + old.count, with: new)
        let growth = new.count - old.count
        var position = 0
        while position < at {
            var reader = DERReader(bytes, in: position..<bytes.count)
            let element = try reader.next()
            guard element.contents.contains(at) else {
                position = element.contents.upperBound
                continue
            }
            let lengthEnd = element.contents.lowerBound - 1
            let (low, carry) = output[lengthEnd].addingReportingOverflow(UInt8(growth))
            output[lengthEnd] = low
            if carry { output[lengthEnd - 1] += 1 }
            guard element.tag.isConstructed else { break }
            position = element.contents.lowerBound
        }
        return output
    }

    @Test func reportsTheLineOfABlock() throws {
        let text = try Vectors.bytes("bundle-crlf-text.pem")
        let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
        let begins = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN") }.map { $0 + 1 }
        #expect(try KeyFile.read(text).map { try $0.get().line } == begins)
    }

    @Test func readsValidBlocksBesideInvalidOnes() throws {
        let good = try Vectors.bytes("cert-p256.pem")
        let bad = Array("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)
        let found = KeyFile.read(good + bad + good)
        #expect(found.count == 3)
        #expect(try found[0].get().pin == found[2].get().pin)
        #expect(try found[2].get().number == 3)
        #expect(throws: KeyFileError.self) { try found[1].get() }
        guard case .failure(let error) = found[1] else { return }
        #expect(error.number == 2)
        #expect(
            error.message
                == "not a certificate: in its signed part: expected SEQUENCE at byte 2, found the end of the structure")
    }

    @Test func skipsParametersAndRevocationLists() throws {
        let list = try Vectors.bytes("refused-crl.pem")
        let certificate = try Vectors.bytes("cert-p256.pem")
        #expect(try KeyFile.read(list + certificate).map { try $0.get().number } == [1])
        #expect(KeyFile.read(list).map(Self.problem) == [.unsupportedFileType(.revocationList)])
    }

    @Test func describesTheKey() throws {
        let found = try #require(try KeyFile.read(Vectors.bytes("private-p256-traditional.pem")).first).get()
        #expect(found.key.description == "EC P-256")
    }

    static func problem(_ result: Result<KeyFileObject, KeyFileError>) -> KeyFileError.Problem? {
        guard case .failure(let error) = result else { return nil }
        return error.problem
    }
}
