import TestSupport
import Testing

@testable import OpenSSL

@Suite struct OpenSSLErrorTests {
    @Test func drainsTheQueueOnce() throws {
        let error = #expect(throws: OpenSSLError.self) { _ = try CertificateHandle(der: [0x30, 0x03, 0x02, 0x01]) }
        #expect(error?.entries.isEmpty == false)
        // The text that "openssl x509" prints for these bytes.
        #expect(error?.entries.contains { $0.text == "too long" } == true)
        #expect(error?.entries.allSatisfy { $0.library == 13 && !$0.text.isEmpty } == true)
        #expect(OpenSSLError.drain().entries.isEmpty)
        #expect(OpenSSLError.drain().text == "no reason given")
    }

    @Test func excludesErrorsOfEarlierCalls() throws {
        _ = try? CertificateHandle(der: [1, 2, 3])
        _ = try? TrustStore()
        let chain = try TestPKI.chain("leaf", "intermediate")
        _ = chain.verify(against: try TrustStore(), parameters: VerifyParameters())
        _ = chain.leafMatches(name: "other.test")
        _ = chain.leafMatches(ipAddress: "no address")
        _ = DistinguishedNameHash.canonical([1, 2, 3])
        #expect(OpenSSLError.drain().entries.isEmpty)
    }

    @Test func distinguishesDamageFromAMissingAlgorithm() {
        let error = #expect(throws: OpenSSLError.self) { _ = try PrivateKey(pkcs8: [0x30, 0x03, 0x02, 0x01, 0x00]) }
        #expect(error?.isUnsupported == false)
    }

    @Test func clearRemovesErrors() {
        #expect(throws: OpenSSLError.self) { _ = try PrivateKey(traditional: [0x30, 0x00], .rsa) }
        OpenSSLError.clear()
        #expect(OpenSSLError.drain().entries.isEmpty)
    }

    /// ERR_LIB_SSL is 20. The reason code of an alert is its number plus 1000 (openssl/sslerr.h).
    @Test(
        arguments: [
            (20, 1040, 40), (20, 1112, 112), (20, 1000, 0), (20, 1255, 255), (20, 1256, nil), (20, 999, nil),
            (13, 1040, nil), (20, 0, nil), (20, Int32.min + 1000, nil),
        ] as [(Int32, Int32, UInt8?)])
    func findsTheAlert(library: Int32, reason: Int32, number: UInt8?) {
        let other = OpenSSLError.Entry(library: 6, reason: 1, text: "other")
        let error = OpenSSLError(entries: [other, OpenSSLError.Entry(library: library, reason: reason, text: "")])
        #expect(error.alert?.number == number)
        #expect(error.text == "other")
        #expect(error.contains(library: library, reason: reason))
        #expect(!error.contains(library: library, reason: reason == 1 ? 2 : 1) || library == 6)
    }

    /// RFC 8446, section 6.2.
    @Test(
        arguments: [
            (20, "bad record mac"), (40, "handshake failure"), (42, "bad certificate"),
            (45, "certificate expired"), (47, "illegal parameter"), (49, "access denied"), (50, "decode error"),
            (51, "decrypt error"), (70, "protocol version"), (71, "insufficient security"), (80, "internal error"),
            (90, "user canceled"), (112, "unrecognized name"), (200, "alert 200"),
        ] as [(UInt8, String)])
    func namesAlerts(number: UInt8, name: String) {
        #expect(TLSAlert(number: number).name == name)
    }

    /// The texts of "openssl errstr"; ERR_LIB_PROV is 57 (openssl/err.h), and a code is library << 23 | reason.
    @Test func namesProviderErrorsAsTheOpenSSLCommandDoes() throws {
        let codes = ProviderErrorText.texts.map { String(57 << 23 | UInt32($0.reason), radix: 16) }
        let lines = try TestPKI.openssl(["errstr"] + codes).split(separator: "\n")
        #expect(lines.count == codes.count)
        for (line, entry) in zip(lines, ProviderErrorText.texts) {
            #expect(line.hasSuffix("::\(entry.text)"), "\(line)")
        }
        #expect(ProviderErrorText.text(forReason: 9999) == nil)
    }
}
