import Foundation
import Testing

@testable import OpenSSL

@Suite struct ContainerTests {
    static let secret = Array("secret".utf8)

    @Test(arguments: ["modern.p12", "legacy.p12", "mac-only.p12"]) func openWithTheirPassword(name: String) throws {
        let store = try PKCS12Store(try vector(name))
        let contents = try store.open(password: Self.secret)
        #expect(contents.certificates.count == 3)
        #expect(contents.certificates.first == (try vector("cert-p256.der")))
        #expect(contents.privateKeys == [try vector("private-p256-pkcs8.der")])
        // The same store can be decrypted again, as after a password prompt.
        #expect(throws: DecryptionError.wrongPassword) { try store.open(password: Array("other".utf8)) }
        #expect(throws: DecryptionError.needsPassword) { try store.open(password: nil) }
        #expect(try store.open(password: Self.secret).certificates.count == 3)
    }

    @Test(arguments: ["no-password.p12", "plain.p12"]) func openWithoutAPassword(name: String) throws {
        let store = try PKCS12Store(try vector(name))
        for password in [nil, [], Self.secret] {
            #expect(try store.open(password: password).certificates.count == 3)
        }
    }

    @Test func doNotChangeTheThreadsContext() throws {
        // RC2 needs a separate library context, which is freed afterwards. If it remained the thread's context, the last step would
        // fail.
        let encrypted = try pem("private-p256-rc2.pem")
        let expected = try vector("private-p256-pkcs8.der")
        #expect(try PasswordEncryption.openPKCS8(encrypted, password: Self.secret) == expected)
        var wasTriedTwice = 0
        #expect(throws: DecryptionError.self) {
            try LegacyContext.retrying { () throws(DecryptionError) in
                wasTriedTwice += 1
                throw .unsupported(OpenSSLError(entries: []))
            }
        }
        #expect(wasTriedTwice == 2)
        let modern = try vector("private-rsa2048-encrypted.der")
        #expect(
            try PasswordEncryption.openPKCS8(modern, password: Self.secret) == vector("private-rsa2048-pkcs8.der"))
    }

    @Test func countTrailingBytes() throws {
        let message = try vector("certificates.p7c")
        #expect(throws: ContainerError.trailingBytes(2)) { _ = try PKCS7Message(message + [1, 2]) }
        let store = try vector("modern.p12")
        #expect(throws: ContainerError.trailingBytes(1)) { _ = try PKCS12Store(store + [0]) }
    }

    @Test func readBER() throws {
        let plain = try PKCS7Message(try vector("certificates.p7c")).certificates()
        #expect(plain.count == 3)
        #expect(try PKCS7Message(try vector("certificates-ber.p7c")).certificates() == plain)
    }

    private func vector(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Vectors/material").appending(path: name)))
    }

    private func pem(_ name: String) throws -> [UInt8] {
        let lines = String(decoding: try vector(name), as: UTF8.self).split(separator: "\n")
        return [UInt8](try #require(Data(base64Encoded: lines.filter { !$0.hasPrefix("-----") }.joined())))
    }
}

extension PKCS12Store {
    fileprivate func open(password: [UInt8]?) throws(DecryptionError) -> Contents {
        var budget = KeyDerivationBudget()
        return try open(password: password, budget: &budget)
    }
}

extension PasswordEncryption {
    fileprivate static func openPKCS8(_ der: [UInt8], password: [UInt8]) throws(DecryptionError) -> [UInt8] {
        var budget = KeyDerivationBudget()
        return try openPKCS8(der, password: password, budget: &budget)
    }
}
