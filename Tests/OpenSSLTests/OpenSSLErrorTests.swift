import Testing

@testable import OpenSSL

@Suite struct OpenSSLErrorTests {
    @Test func sayWhatWentWrongAndLeaveNothingBehind() throws {
        do {
            _ = try PrivateKey(pkcs8: [0x30, 0x03, 0x02, 0x01, 0x00])
            Issue.record("five bytes passed for a key")
        } catch {
            #expect(!error.entries.isEmpty)
            #expect(!error.text.isEmpty)
            #expect(!error.isUnsupported)
        }
        #expect(OpenSSLError.drain().entries.isEmpty)
        #expect(OpenSSLError.drain().text == "no reason given")
    }

    @Test func areForgottenWhenCleared() {
        #expect(throws: OpenSSLError.self) { _ = try PrivateKey(traditional: [0x30, 0x00], .rsa) }
        OpenSSLError.clear()
        #expect(OpenSSLError.drain().entries.isEmpty)
    }
}
