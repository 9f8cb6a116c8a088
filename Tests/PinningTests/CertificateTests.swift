import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct CertificateTests {
    @Test(arguments: Vectors.certificates) func pinIsThatOfOpenSSL(expected: Vectors.Expectation) throws {
        let certificate = try Certificate(der: try Vectors.bytes(expected.file))
        #expect(certificate.pin.base64 == expected.pin)
        #expect(Base64.encode(certificate.sha256) == expected.certificateDigest)
        #expect(Pin(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo) == certificate.pin)
    }

    @Test func vectorsExist() {
        #expect(Vectors.certificates.count > 30)
    }

    @Test(.enabled(if: !SystemCertificates.names.isEmpty, SystemCertificates.missing))
    func agreesWithPublishedPins() throws {
        let known = Dictionary(uniqueKeysWithValues: Vectors.table("known-pins.tsv").map { ($0[0], $0[1]) })
        #expect(known.count == 137)
        var compared = 0
        for name in SystemCertificates.names {
            guard let pin = known[name] else { continue }
            #expect(try SystemCertificates.certificate(name).pin.base64 == pin, "\(name)")
            compared += 1
        }
        // Some systems have newer packages, which lack some of these roots.
        #expect(compared > 60)
    }

    @Test func reportsMissingBytes() throws {
        let der = try Vectors.bytes("cert-p256.der")
        #expect(throws: CertificateError.empty) { try Certificate(der: []) }
        for count in 4..<der.count {
            #expect(throws: CertificateError.truncated(missing: der.count - count)) {
                try Certificate(der: Array(der[..<count]))
            }
        }
        #expect(
            CertificateError.truncated(missing: 1).description == "the certificate is truncated: 1 more byte expected")
    }

    @Test func reportsTrailingBytes() throws {
        let der = try Vectors.bytes("cert-p256.der")
        #expect(throws: CertificateError.trailingBytes(3)) { try Certificate(der: der + [0, 0, 0]) }
        #expect(throws: CertificateError.trailingBytes(der.count)) { try Certificate(der: der + der) }
    }

    @Test func reportsBER() throws {
        let der = try Vectors.bytes("cert-p256.der")
        let inner = Array(der[4...])
        let indefinite = [0x30, 0x80] + inner + [0, 0]
        #expect(throws: CertificateError.malformed(.certificate, DERError(offset: 0, .indefiniteLength))) {
            try Certificate(der: indefinite)
        }
        let long = [0x30, 0x83, 0, UInt8(inner.count >> 8), UInt8(inner.count & 255)] + inner
        #expect {
            try Certificate(der: long)
        } throws: {
            "\($0)" == "not a certificate: BER, not DER: length with more bytes than necessary at byte 0"
        }
        // The signed part begins at byte 4.
        var nested = der
        nested[5] = 0x80
        #expect {
            try Certificate(der: nested)
        } throws: {
            "\($0)" == "not a certificate: in its signed part: BER, not DER: indefinite length at byte 4"
        }
    }

    @Test func refusesOtherStructures() throws {
        for name in ["request.der", "public-p256.der", "private-p256-pkcs8.der", "refused-crl.der", "modern.p12"] {
            let bytes = try Vectors.bytes(name)
            #expect(throws: CertificateError.self, "\(name)") { try Certificate(der: bytes) }
        }
        #expect(
            throws: CertificateError.malformed(
                .certificate, DERError(offset: 0, .unexpected(.set, expected: .sequence)))
        ) {
            try Certificate(der: [0x31, 0])
        }
        #expect(throws: CertificateError.malformed(.signedPart, DERError(offset: 2, .missing(.sequence)))) {
            try Certificate(der: [0x30, 0])
        }
    }

    @Test func comparesBytes() throws {
        let certificates = Set(try Vectors.certificates.map { try Certificate(der: try Vectors.bytes($0.file)) })
        #expect(certificates.count == Vectors.certificates.count)
        #expect(certificates.contains(try Vectors.certificate("p256")))
    }
}
