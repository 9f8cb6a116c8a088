import Foundation
import TestSupport
import Testing

@testable import CertificateDetails
@testable import Encodings
@testable import Pinning

/// The problems of certificates that openssl creates, each with one defect.
@Suite struct CertificateProblemTests {
    struct Defect: CustomTestStringConvertible, Sendable {
        let about: String
        var extensions: [String] = ["subjectAltName=DNS:a.example"]
        var options: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        var days = 90
        /// The file of the issuer's certificate and key; nil for a self-signed certificate.
        var issuer: String?
        let codes: [CertificateProblem.Code]

        var testDescription: String { about }
    }

    static let rsa1024 = ["-newkey", "rsa:1024"]

    static let defects: [Defect] = [
        Defect(about: "none", codes: []),
        Defect(about: "RSA with 1024 bits", options: rsa1024, codes: [.weakKey]),
        Defect(
            about: "EC P-192", options: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime192v1"], codes: [.weakKey]
        ),
        Defect(about: "SHA-1", options: ["-newkey", "rsa:2048", "-sha1"], issuer: "issuer", codes: [.weakSignature]),
        Defect(about: "SHA-1 on a self-signed certificate", options: ["-newkey", "rsa:2048", "-sha1"], codes: []),
        Defect(about: "no names", extensions: ["keyUsage=digitalSignature"], codes: [.noNames]),
        Defect(about: "an email address only", extensions: ["subjectAltName=email:a@example.com"], codes: [.noNames]),
        Defect(about: "expires in five days", days: 5, codes: [.expiresSoon]),
        Defect(about: "valid for 826 days", days: 826, codes: [.longValidity]),
        Defect(about: "valid for 825 days", days: 825, codes: []),
        Defect(
            about: "for clients", extensions: ["subjectAltName=DNS:a.example", "extendedKeyUsage=clientAuth"],
            codes: [.wrongPurpose]),
        Defect(
            about: "for any purpose",
            extensions: ["subjectAltName=DNS:a.example", "extendedKeyUsage=anyExtendedKeyUsage"], codes: []),
        Defect(
            about: "keyCertSign without basic constraints",
            extensions: ["subjectAltName=DNS:a.example", "keyUsage=keyCertSign"], codes: [.noBasicConstraints]),
        Defect(
            about: "basic constraints that are not critical", extensions: ["basicConstraints=CA:TRUE"],
            codes: [.constraintsNotCritical]),
        Defect(
            about: "a CA that must not sign", extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=cRLSign"],
            codes: [.noCertificateSigning]),
        Defect(
            about: "an unknown critical extension",
            extensions: ["subjectAltName=DNS:a.example", "1.2.3.4.5=critical,DER:0500"],
            codes: [.unknownCriticalExtension]),
        Defect(
            about: "an unknown extension", extensions: ["subjectAltName=DNS:a.example", "1.2.3.4.5=DER:0500"], codes: []
        ),
        Defect(
            about: "a malformed extension", extensions: ["subjectAltName=DNS:a.example", "2.5.29.15=DER:0500"],
            codes: [.malformedExtension]),
        Defect(
            about: "a precertificate",
            extensions: ["subjectAltName=DNS:a.example", "1.3.6.1.4.1.11129.2.4.3=critical,DER:0500"],
            codes: [.precertificate]),
        Defect(
            about: "a serial number of zero",
            options: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-set_serial", "0"],
            codes: [.serialNumber]),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("problems") }

    @Test(arguments: defects) func findsTheDefect(defect: Defect) throws {
        try folder.write("[req]\ndistinguished_name = name\nprompt = no\n[name]\nCN = a.example\n", to: "openssl.cnf")
        var command = ["openssl", "req", "-x509", "-config", folder.path("openssl.cnf"), "-nodes", "-outform", "DER"]
        command += defect.options + ["-days", String(defect.days), "-keyout", folder.path("key.pem")]
        command += ["-out", folder.path("certificate.der")] + defect.extensions.flatMap { ["-addext", $0] }
        if let issuer = defect.issuer {
            _ = try ChildProcess.output(
                of: [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(issuer)", "-keyout",
                    folder.path("\(issuer).key"), "-out", folder.path("\(issuer).pem"),
                ])
            command += ["-CA", folder.path("\(issuer).pem"), "-CAkey", folder.path("\(issuer).key")]
        }
        _ = try ChildProcess.output(of: command)
        let certificate = try Certificate(der: folder.bytes("certificate.der"))
        let now = try #require(certificate.notBefore)
        let problems = certificate.problems(in: certificate.extensions, at: now)
        #expect(problems.map(\.code) == defect.codes)
    }

    @Test func findsExpiryAndStart() throws {
        let certificate = try Certificate(der: Vectors.bytes("cert-p256.der"))
        let (start, end) = (try #require(certificate.notBefore), try #require(certificate.notAfter))
        func codes(at seconds: Int64) -> [CertificateProblem.Code] {
            certificate.problems(in: certificate.extensions, at: Timestamp(secondsSince1970: seconds)).map(\.code)
        }
        #expect(codes(at: start.secondsSince1970 - 1).contains(.notYetValid))
        #expect(!codes(at: start.secondsSince1970).contains(.notYetValid))
        #expect(!codes(at: end.secondsSince1970).contains(.expired))
        #expect(codes(at: end.secondsSince1970 + 1).contains(.expired))
    }

    @Test func finds1024BitsAsOpenSSLDoes() throws {
        for (name, bits) in [
            ("cert-rsa2048", 112), ("cert-p256", 128), ("cert-p384", 192), ("cert-ed25519", 128), ("cert-ed448", 224),
        ] {
            #expect(try Certificate(der: Vectors.bytes("\(name).der")).keySecurityBits == bits)
        }
        #expect(try Certificate(der: Vectors.bytes("cert-unknown-algorithm.der")).keySecurityBits == nil)
    }

    @Test(arguments: Vectors.certificates) func computesTheFingerprintOfOpenSSL(vector: Vectors.Expectation) throws {
        let der = try Vectors.bytes(vector.file)
        let outcome = try ChildProcess.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-fingerprint", "-sha1"], input: der)
        guard let fingerprint = outcome.text.split(separator: "=").last else { return }
        let expected = fingerprint.filter { $0.isHexDigit }.lowercased()
        #expect(Hex.encode(try #require(try Certificate(der: der).sha1)) == expected)
    }

    /// A certificate with more extensions than are decoded must not hide one.
    @Test(arguments: [(256, 0), (257, 1), (300, 44)]) func omittedExtensions(count: Int, omitted: Int) throws {
        let item = DERWriter.element(0x30, [0x06, 3, 0x2A, 3, 4] + DERWriter.element(0x04, [5, 0]))
        let list = DERWriter.element(0xA3, DERWriter.element(0x30, (0..<count).flatMap { _ in item }))
        let certificate = try Certificate(der: LargeCertificate.der(1, nameLength: 8, extensions: list))
        let now = try #require(Timestamp(rfc3339: "2026-11-22"))
        let found = certificate.problems(in: certificate.extensions, at: now).filter { $0.code == .omittedExtensions }
        #expect(certificate.extensionCount == count)
        #expect(found.map(\.message).map { $0.prefix { $0 != " " } } == (omitted == 0 ? [] : ["\(omitted)"]))
        #expect(found.allSatisfy { $0.field == .extension(255) })
    }
}
