import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct CertificateDetailsTests {
    /// OpenSSL does not decode text that is not UTF-8, and prints a BIT STRING in a name as text.
    static let comparable = Vectors.certificates.filter {
        !["cert-subject-utf8-broken.der", "cert-subject-bits.der"].contains($0.file)
    }

    @Test(.enabled(if: OpenSSLCommand.exists, "no openssl command"), arguments: comparable)
    func agreeWithOpenSSL(vector: Vectors.Expectation) throws {
        try compare(try Certificate(der: try Vectors.bytes(vector.file)), vector.file)
    }

    @Test(
        .enabled(if: OpenSSLCommand.exists, "no openssl command"),
        .enabled(if: !SystemCertificates.names.isEmpty, SystemCertificates.missing),
        arguments: SystemCertificates.names
    )
    func ofSystemCertificatesAgreeWithOpenSSL(name: String) throws {
        try compare(try SystemCertificates.certificate(name), name)
    }

    private func compare(_ certificate: Certificate, _ name: String) throws {
        let openssl = try OpenSSLCommand(describing: certificate.der)
        #expect(certificate.subject?.description == openssl.value("subject="))
        #expect(certificate.issuer?.description == openssl.value("issuer="))
        #expect(certificate.serialNumber == openssl.value("serial="))
        #expect(text(certificate.notBefore) == openssl.value("notBefore="))
        if name != "cert-time-broken.der" {
            #expect(text(certificate.notAfter) == openssl.value("notAfter="))
        }
        #expect(certificate.signatureAlgorithm == openssl.value("Signature Algorithm: "))
        #expect(certificate.version.map(String.init) == openssl.value("Version: ")?.components(separatedBy: " ").first)
        #expect(certificate.isCA == openssl.lines.contains { $0.contains("CA:TRUE") })
        if let bits = openssl.value("Public-Key: (") ?? openssl.value("RSA Public-Key: (") {
            #expect(certificate.key.bits.map { "\($0) bit)" } == bits)
        }
        if let curve = openssl.value("NIST CURVE: ") ?? openssl.value("ASN1 OID: ") {
            #expect(certificate.key.curve == curve)
        }
        let names = openssl.lines.first { $0.contains("DNS:") }?.trimmingCharacters(in: .whitespaces)
            .components(separatedBy: ", ").filter { $0.hasPrefix("DNS:") }.map { String($0.dropFirst(4)) }
        #expect(certificate.dnsNames == names ?? [])
        let key = openssl.lines.firstIndex { $0.contains("Subject Key Identifier") }
            .map { openssl.lines[$0 + 1].trimmingCharacters(in: .whitespaces).replacing(":", with: "").lowercased() }
        #expect(certificate.subjectKeyIdentifier.map { Hex.encode($0) } == key)
    }

    /// The form of `-dateopt iso_8601`.
    private func text(_ timestamp: Timestamp?) -> String? {
        timestamp?.description.replacing("T", with: " ")
    }

    @Test(arguments: [
        ("rsa2048", "RSA 2048"), ("rsa1023", "RSA 1023"), ("rsapss", "RSA-PSS 2048"), ("p256", "EC P-256"),
        ("p384", "EC P-384"), ("p521", "EC P-521"), ("secp224r1", "EC P-224"), ("secp256k1", "EC secp256k1"),
        ("brainpoolp256r1", "EC brainpoolP256r1"), ("compressed", "EC P-256"), ("explicit", "EC explicit 256"),
        ("explicit-binary", "EC explicit 233"), ("ed25519", "Ed25519"), ("ed448", "Ed448"), ("x25519", "X25519"),
        ("dsa", "DSA 2048"), ("unknown-algorithm", "1.2.840.10045.2.99"),
    ])
    func describeTheKey(name: String, key: String) throws {
        #expect(try Vectors.certificate(name).key.description == key)
    }

    @Test func readsEveryTextType() throws {
        #expect(
            try Vectors.certificate("subject-teletex").subject?.description.contains("O=Exampl\u{e9} B.V., ") == true)
        #expect(try Vectors.certificate("subject-bmp").subject?.description.contains("O=Ex\u{e4}mp\u{20ac}, ") == true)
        #expect(
            try Vectors.certificate("subject-universal").subject?.description.contains("O=E\u{20ac}\u{1F600}, ") == true
        )
        #expect(
            try Vectors.certificate("subject-bits").subject?.description
                == "CN=p256.example.com, O=#030C0078616D706C6520422E562E, C=NL")
    }

    @Test func keepsTextThatIsInvalidForItsType() throws {
        let certificate = try Vectors.certificate("subject-utf8-broken")
        let organization = try #require(certificate.subject?.relativeNames[1].first)
        #expect(!organization.isText)
        #expect(organization.value == "#0C0C4578616D706C65FFFE20562E")
        #expect(certificate.subject?.displayName == "p256.example.com")
    }

    @Test func readsMalformedDetailsAsNil() throws {
        let time = try Vectors.certificate("time-broken")
        #expect(time.notAfter == nil)
        #expect(time.notBefore != nil)
        let names = try Vectors.certificate("extension-broken")
        #expect(names.dnsNames.isEmpty)
        #expect(names.ipAddresses.isEmpty)
        #expect(names.isCA)
    }

    @Test func readsAddresses() throws {
        #expect(try Vectors.certificate("p256").ipAddresses == ["192.0.2.1", "2001:db8::1"])
        #expect(try Vectors.certificate("v1").ipAddresses == [])
    }

    @Test func displayNameIsTheMostSpecificPart() throws {
        #expect(try Vectors.certificate("p256").subject?.displayName == "p256.example.com")
        #expect(try Vectors.certificate("subject-empty").subject?.isEmpty == true)
        #expect(try Vectors.certificate("subject-empty").subject?.displayName == "")
        #expect(try Vectors.certificate("p256").isSelfIssued)
        #expect(try !Vectors.certificate("x25519").isSelfIssued)
    }

    /// A certificate can have a name of any length, but a report must not contain it.
    @Test(arguments: [128, 129, 20_000]) func displayNamesAreShort(count: Int) throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        // A Name with one common name as a UTF8String.
        func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let count = contents.count
            if count < 128 { return [tag, UInt8(count)] + contents }
            if count < 256 { return [tag, 0x81, UInt8(count)] + contents }
            return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + contents
        }
        let attribute = element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + element(0x0C, text))
        let name = try DistinguishedName(DERReader(element(0x30, element(0x31, attribute))))
        #expect(name.commonName?.count == count)
        let expected = count == 128 ? String(repeating: "a", count: 128) : String(repeating: "a", count: 127) + "…"
        #expect(name.displayName == expected)
    }

    @Test func readsTimesWithoutEnd() throws {
        #expect(try Vectors.certificate("no-end").notAfter?.description == "9999-12-31T23:59:59Z")
        #expect(try Vectors.certificate("serial-negative").serialNumber == "-0101")
        #expect(try Vectors.certificate("serial-zero").serialNumber == "00")
    }
}
