import Foundation
import TestSupport
import Testing

/// The search for secrets that all tests use finds them.
struct SecretSearchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("secrets")
        try folder.write("correct horse\nsecond line\n", to: "password")
    }

    private func secrets(_ arguments: [String], _ environment: [String: String] = [:]) -> SecretSearch? {
        SecretSearch(of: arguments, environment: environment, folder: folder.url)
    }

    @Test(arguments: [
        ["fetch", "--key-password-file", "password"], ["fetch", "--proxy-password-file=password"],
        ["hash", "--password-file", "password"],
    ]) func passwordFiles(arguments: [String]) throws {
        let search = try #require(secrets(arguments))
        #expect(search.leaks(.exit(0), output: [], errors: []) == [])
        #expect(search.leaks(.exit(0), output: Array("second line".utf8), errors: []) == [])
        #expect(search.leaks(.exit(0), output: Array("a correct horse".utf8), errors: []) == ["standard output"])
        #expect(search.leaks(.exit(0), output: [], errors: Array("correct horse!".utf8)) == ["standard error"])
        // printf 'correct horse' | base64
        #expect(search.leaks(.exit(0), output: Array("Y29ycmVjdCBob3JzZQ==".utf8), errors: []) == ["standard output"])
        try folder.write("x correct horse x", to: "out.json")
        #expect(search.leaks(.exit(0), output: [], errors: []) == ["the file out.json"])
    }

    @Test func urlsOfProxies() throws {
        let url = "http://anna:hunter%322@127.0.0.1:1"
        for search in [secrets(["fetch", "x"], ["https_proxy": url]), secrets(["fetch", "--proxy", url])] {
            let search = try #require(search)
            #expect(search.leaks(.exit(2), output: Array("hunter22".utf8), errors: []) == ["standard output"])
            #expect(search.leaks(.exit(2), output: [], errors: Array("anna:hunter%322@".utf8)) == ["standard error"])
        }
        let given = try #require(secrets(["fetch", "--proxy", url]))
        #expect(given.leaks(.exit(0), output: [], errors: []) == ["the arguments, without a warning"])
        #expect(
            given.leaks(
                .exit(0), output: [],
                errors: Array("the password in the URL of --proxy was visible to other users of this machine".utf8))
                == [])
    }

    @Test func privateKeys() throws {
        let line = String(repeating: "MIGHAgEA", count: 8)
        try folder.write("-----BEGIN PRIVATE KEY-----\n\(line)\n-----END PRIVATE KEY-----\n", to: "a.key")
        let search = try #require(secrets(["fetch", "--key", "a.key"]))
        #expect(search.leaks(.exit(0), output: Array(line.utf8), errors: []) == ["standard output"])
    }

    @Test func nothingToSearch() {
        let search = secrets(["fetch", "--key", "absent", "--password-file", "absent"])
        #expect(search == nil)
    }
}
