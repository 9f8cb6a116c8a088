import Foundation
import TestSupport
import Testing

@testable import Authentication

@Suite struct CredentialStorageTests {
    typealias Space = ProtectionSpace

    static let space = ModelTests.space(.httpBasic, realm: "r")

    /// Each property of the space but the method must be equal.
    @Test func lookUpIsExact() throws {
        let storage = CredentialStorage()
        try storage.set(Credential(user: "user", password: "p"), for: Self.space)
        #expect(storage.defaultCredential(for: Self.space)?.user == "user")
        #expect(storage.defaultCredential(for: ModelTests.space(.httpDigest, realm: "r"))?.user == "user")
        let others = [
            ModelTests.space(.httpBasic, realm: "R"), ModelTests.space(.httpBasic),
            ModelTests.space(.httpBasic, .http, realm: "r"), ModelTests.space(.httpBasic, realm: "r", port: 8443),
            ModelTests.space(.httpBasic, realm: "r", host: "example.test"),
            ModelTests.space(.httpBasic, proxy: .http, realm: "r"),
        ]
        for other in others { #expect(storage.defaultCredential(for: other) == nil) }
    }

    @Test func defaultsAndSeveralUsers() throws {
        let storage = CredentialStorage()
        try storage.set(Credential(user: "a", password: "1"), for: Self.space)
        try storage.set(Credential(user: "b", password: "2"), for: Self.space)
        // Two credentials, and none is the default.
        #expect(storage.defaultCredential(for: Self.space) == nil)
        try storage.setDefault(Credential(user: "b", password: "3"), for: Self.space)
        let found = try #require(storage.defaultCredential(for: Self.space))
        #expect(found.withPassword { $0 } == Array("3".utf8))
        #expect(storage.credentials(for: Self.space).keys.sorted() == ["a", "b"])
        try storage.remove(user: "b", for: Self.space)
        #expect(storage.defaultCredential(for: Self.space)?.user == "a")
        // A persistence of none stores nothing.
        try storage.set(Credential(user: "c", password: "4", persistence: .none), for: Self.space)
        #expect(storage.credential(of: "c", for: Self.space) == nil)
    }

    @Test func netrcHasTheLowestPriorityAndNeverAppliesToProxies() throws {
        let netrc = try Netrc(parsing: Array("machine www.example.test login n password s".utf8))
        let storage = CredentialStorage(netrc: netrc)
        #expect(storage.defaultCredential(for: Self.space)?.user == "n")
        #expect(storage.defaultCredential(for: ModelTests.space(.httpBasic, proxy: .http, realm: "r")) == nil)
        #expect(storage.defaultCredential(for: ModelTests.space(.clientCertificate)) == nil)
        try storage.set(Credential(user: "u", password: "p"), for: Self.space)
        #expect(storage.defaultCredential(for: Self.space)?.user == "u")
        #expect(storage.credential(of: "n", for: Self.space)?.user == "n")
    }

    @Test func permanentPasswordsAreInAPrivateFile() throws {
        let folder = try TemporaryFolder("credentials")
        defer { folder.remove() }
        let path = folder.path("store")
        let storage = try CredentialStorage(file: PrivateFile(path: path))
        #expect(!FileManager.default.fileExists(atPath: path))
        let proxy = ModelTests.space(.httpDigest, .http, proxy: .http, realm: "tab\t\u{E4}", host: "::1", port: 3128)
        try storage.setDefault(
            Credential(user: "us\ter", password: "p\u{0}\n\u{E4}", persistence: .permanent), for: proxy)
        try storage.set(Credential(user: "session", password: "only"), for: Self.space)
        try storage.set(Credential(user: "empty", password: "", persistence: .permanent), for: Self.space)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // Only the file is in the folder: the temporary file was renamed.
        #expect(try folder.names() == ["store"])
        let text = try folder.text("store")
        #expect(text.hasPrefix("pinctl-credentials 1\n"))
        #expect(!text.contains(Data("only".utf8).base64EncodedString()))

        let again = try CredentialStorage(file: PrivateFile(path: path))
        let found = try #require(again.defaultCredential(for: proxy))
        #expect(found.user == "us\ter" && found.persistence == .permanent)
        #expect(found.withPassword { $0 } == Array("p\u{0}\n\u{E4}".utf8))
        #expect(again.credential(of: "session", for: Self.space) == nil)
        #expect(again.credential(of: "empty", for: Self.space)?.hasPassword == true)
        try again.remove(user: "us\ter", for: proxy)
        let third = try CredentialStorage(file: PrivateFile(path: path))
        #expect(third.defaultCredential(for: proxy) == nil)
        #expect(third.credential(of: "empty", for: Self.space) != nil)
    }

    @Test func filesOfOthersAreRefused() throws {
        let folder = try TemporaryFolder("credentials")
        defer { folder.remove() }
        let path = try folder.write("pinctl-credentials 1\n", to: "store")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(throws: CredentialStorageError.notPrivate(path: path, mode: 0o640)) {
            try CredentialStorage(file: PrivateFile(path: path))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        _ = try CredentialStorage(file: PrivateFile(path: path))
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: CredentialStorageError.notRegular(path: link)) {
            try CredentialStorage(file: PrivateFile(path: link))
        }
        #expect(throws: CredentialStorageError.notRegular(path: folder.path)) {
            try CredentialStorage(file: PrivateFile(path: folder.path))
        }
    }

    @Test(arguments: [
        ("", 1), ("pinctl-credentials 2\n", 1), ("pinctl-credentials 1\nx\n", 2),
        ("pinctl-credentials 1\nhttps\th\t443\t-\t-\t-\t\tdQ==\tcA==\n\n", 3),
        ("pinctl-credentials 1\nhttps\th\t99999\t-\t-\t-\t\tdQ==\tcA==\n", 2),
        ("pinctl-credentials 1\nhttps\th\t443\tx\t-\t-\t\tdQ==\tcA==\n", 2),
        ("pinctl-credentials 1\nhttps\th\t443\t-\t-\t-\tcg==\tdQ==\tcA==\n", 2),
        ("pinctl-credentials 1\nhttps\th\t443\t-\t-\t-\t\tdQ=\tcA==\n", 2),
    ])
    func malformedFiles(text: String, line: Int) {
        #expect(throws: CredentialStorageError.malformed(line: line)) {
            try CredentialRecord.records(in: Array(text.utf8))
        }
    }

    /// Reads stored credentials with random damage, which is the same in every run.
    @Test(.limit(minutes: 1)) func damageDoesNotTrap() {
        let seed = Array("pinctl-credentials 1\nhttps\th\t443\thttp\trealm\tdefault\tcg==\tdQ==\tcA==\n".utf8)
        var generator = SeededGenerator(seed: 600)
        var read = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            let bytes = generator.damaged(seed, words: ["\t", "\n", "-", "realm", "="])
            guard let records = try? CredentialRecord.records(in: bytes) else { continue }
            read += 1
            // What was read can be written and read again.
            let written = CredentialRecord.file(of: records)
            #expect((try? CredentialRecord.records(in: written))?.count == records.count)
        }
        #expect(read > TestEnvironment.rounds(200))
    }
}
