import Foundation
import KeyFiles
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// Certificates that are not exactly one certificate in DER. OpenSSL decodes some of them.
@Suite struct KeyFileSyntaxTests {
    private let certificate: [UInt8]
    /// The TBSCertificate, the AlgorithmIdentifier and the signature.
    private let parts: [ArraySlice<UInt8>]

    init() throws {
        certificate = try Vectors.bytes("cert-p256.der")
        var reader = DERReader(certificate)
        reader = reader.reader(of: try reader.next(.sequence))
        var parts: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd { parts.append(certificate[try reader.next().range]) }
        self.parts = parts
    }

    private func messages(_ bytes: [UInt8]) -> [String] {
        KeyFile.read(bytes).map { result in
            switch result {
            case .success(let object): object.pin.base64
            case .failure(let error): error.message
            }
        }
    }

    @Test func readsCertificatesOneAfterAnother() throws {
        let names = ["cert-p256.der", "cert-rsa2048.der", "cert-p384.der"]
        let pins = names.compactMap { name in Vectors.expectations.first { $0.file == name }?.pin }
        let all = try names.flatMap { try Vectors.bytes($0) }
        #expect(messages(all) == pins)
        #expect(
            messages(Array(PEM.certificate(all).utf8)) == [
                "\(all.count - certificate.count) bytes after the end of the certificate"
            ])
        #expect(messages(all + [0, 0, 0]) == pins + ["3 bytes after the end of the object"])
        let next = try Vectors.bytes("cert-p384.der").count
        #expect(messages(Array(all.dropLast())) == pins.dropLast() + ["\(next - 1) bytes after the end of the object"])
        #expect(messages(certificate + Array("text".utf8)) == ["4 bytes after the end of the object"])
        let key = try Vectors.bytes("public-p256.der")
        #expect(messages(certificate + key) == ["\(key.count) bytes after the end of the object"])
        #expect(messages(key + certificate) == ["\(certificate.count) bytes after the end of the object"])
    }

    /// OpenSSL reads all of these, but would compute the pin from other bytes than those of the file.
    @Test func namesBER() throws {
        let bits = parts[2].dropFirst(2)
        let inParts = DERWriter.element(0x23, DERWriter.element(0x03, bits))
        let withParts = DERWriter.sequence(parts[0], parts[1], inParts[...])
        #expect(messages(withParts) == ["BER, not DER: BIT STRING in parts at byte \(parts[2].startIndex)"])
        let indefinite = DERWriter.sequence([0x30, 0x80] + parts[0].dropFirst(4) + [0, 0], parts[1], parts[2])
        #expect(messages(indefinite) == ["BER, not DER: indefinite length at byte 4"])
        // The length of the first element in four bytes.
        let long = DERWriter.sequence([0x30, 0x83, 0] + parts[0].dropFirst(2), parts[1], parts[2])
        #expect(messages(long) == ["BER, not DER: length with more bytes than necessary at byte 4"])
        for file in [withParts, indefinite] {
            let folder = try TemporaryFolder("ber")
            let path = try folder.write(file, to: "ber.der")
            let output = try ChildProcess.run([Repository.path("Scripts/find-openssl")]).text
            let openssl = try #require(output.split(separator: "\n").first.map(String.init))
            #expect(try ChildProcess.run([openssl, "x509", "-inform", "DER", "-in", path, "-noout"]).end == .exit(0))
        }
    }

    @Test func refusesCertificatesWithoutTheirOuterSyntax() throws {
        #expect(
            messages(DERWriter.sequence(parts[0], parts[2])) == ["this is DER, but neither a certificate nor a key"])
        let noOID = DERWriter.sequence(parts[0], [0x30, 0x00], parts[2])
        #expect(
            messages(noOID) == [
                "not a certificate: in its signature algorithm: expected OBJECT IDENTIFIER at byte \(parts[1].startIndex + 2), "
                    + "found the end of the structure"
            ])
        // A second parameter.
        let more = DERWriter.sequence(
            parts[0], DERWriter.element(0x30, parts[1].dropFirst(2) + [5, 0, 5, 0])[...], parts[2])
        #expect(
            messages(more).first?.hasPrefix("not a certificate: in its signature algorithm: 2 unexpected bytes") == true
        )
    }

    /// Each part of the certificate in turn: its last element has one byte more than the length of the part allows.
    @Test func refusesLengthsThatDoNotAddUp() throws {
        let layout = try Certificate(der: certificate).layout
        let places = [
            layout.issuer, layout.subject, layout.validity, try #require(layout.extensions), layout.signatureAlgorithm,
        ]
        for range in places {
            var reader = DERReader(certificate, in: range)
            var last = try reader.next()
            if range == layout.issuer || range == layout.subject || range == layout.extensions {
                reader = reader.reader(of: last)
                last = try reader.next()
            }
            while !reader.isAtEnd { last = try reader.next() }
            var bytes = certificate
            bytes[last.contents.lowerBound - 1] += 1
            #expect(throws: CertificateError.self, "\(range)") { try Certificate(der: bytes) }
        }
    }

    /// An AlgorithmIdentifier begins with an OID as a PKCS#7 message does.
    @Test func doesNotTakeAnAlgorithmForPKCS7() throws {
        let algorithm = "-----BEGIN ALGORITHM-----\n\(Base64.encode(parts[1]))\n-----END ALGORITHM-----\n"
        #expect(
            messages(Array(algorithm.utf8)) == ["the PEM block \"ALGORITHM\" contains neither a certificate nor a key"])
        #expect(messages(Array(parts[1])) == ["this is DER, but neither a certificate nor a key"])
    }

    @Test func reportsABlockThatDoesNotBeginItsLine() throws {
        let text = String(decoding: try Vectors.bytes("cert-p256.pem"), as: UTF8.self)
        let pin = try #require(Vectors.expectations.first { $0.file == "cert-p256.pem" }?.pin)
        #expect(
            messages(Array(("cert: " + text + text).utf8))
                == ["line 1: \"-----BEGIN CERTIFICATE-----\" must be first on its line", pin])
        #expect(messages(Array(("Put it between -----BEGIN CERTIFICATE----- and END.\n" + text).utf8)) == [pin])
    }
}
