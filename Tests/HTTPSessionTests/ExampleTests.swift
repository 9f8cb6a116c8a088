import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// The examples of Docs/challenges.md are the files in the folder Examples, which this target compiles. They run with real servers.
@Suite(.blocking) struct ExampleTests {
    let pki: TestPKI
    static let user = SessionFixture.user

    init() throws { pki = try TestPKI.shared() }

    @Test func theDocumentContainsEachExample() throws {
        let document = try String(contentsOf: Repository.url.appending(path: "Docs/challenges.md"), encoding: .utf8)
        let folder = Repository.url.appending(path: "Tests/HTTPSessionTests/Examples")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let blocks = document.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(files.count == blocks.count)
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(blocks.contains(text), "\(file) is not a block of Docs/challenges.md")
        }
    }

    private func withServer(_ certificate: String, more: String = "", _ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            Nginx.host($0, certificate, more: more + "location / { return 200 hello; }")
        } _: {
            try body($0)
        }
    }

    @Test func serverTrust() throws {
        let certificate = "leaf-self-signed"
        try withServer(certificate) { server in
            let url = "https://\(server.localhost)/"
            #expect(try requestWithPinnedCertificate(url, der: try pki.bytes("\(certificate).der")).status == 200)
            #expect(try requestWithPinnedCertificate(url, der: try pki.bytes("leaf.der")).error?.code == .cancelled)
            let pin = try Pin(spelling: try pki.pin(certificate))
            #expect(
                try requestFromDevelopmentServer(url, host: "localhost", port: server.port, pin: pin).status == 200)
            #expect(
                try requestFromDevelopmentServer(url, host: "localhost", port: 1, pin: pin).error?.code == .untrusted)
        }
        try withServer("leaf") { server in
            let url = "https://\(server.localhost)/"
            let folder = pki.path("anchors")
            #expect(try requestWithInHouseAuthorities(url, folder: folder, hosts: ["localhost"]).status == 200)
            #expect(
                try requestWithInHouseAuthorities(url, folder: folder, hosts: ["other.test"]).error?.code == .untrusted)
            let anchors = try SessionFixture.anchors()
            let pins = [try pki.pin("root")]
            #expect(try requestWithPinnedKeys(url, pins: pins, anchors: anchors).status == 200)
            #expect(
                try requestWithPinnedKeys(url, pins: [try pki.pin("other-root")], anchors: anchors).error?.code
                    == .cancelled)
        }
    }

    @Test func clientCertificate() throws {
        let settings = "ssl_verify_client on; ssl_client_certificate PKI/intermediate.chain.pem; ssl_verify_depth 3;"
        // nginx validates up to a root, so the file has the root, too.
        let authorities = try pki.text("intermediate.pem") + pki.text("root.pem")
        let folder = try TemporaryFolder("authorities")
        defer { folder.remove() }
        let file = try folder.write(authorities, to: "cas.pem")
        let more = settings.replacing("PKI/intermediate.chain.pem", with: file)
        let identity = try ClientIdentity(
            certificateFile: try pki.bytes("client.chain.pem"), keyFile: try pki.bytes("client.key"))
        try withServer("leaf", more: more) { server in
            let result = try requestWithClientCertificate(
                "https://\(server.localhost)/", identity: identity, anchors: try SessionFixture.anchors())
            #expect(result.status == 200)
        }
        // A server that accepts other CAs does not get the certificate.
        let other = settings.replacing("PKI/intermediate.chain.pem", with: "PKI/other-root.pem")
        try withServer("leaf", more: other) { server in
            let result = try requestWithClientCertificate(
                "https://\(server.localhost)/", identity: identity, anchors: try SessionFixture.anchors())
            #expect(result.status == 400)
            #expect(result.challenges.last?.result == .unanswered)
        }
    }

    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed")) func passwords() throws {
        let folder = try TemporaryFolder("examples")
        defer { folder.remove() }
        let secret = Array(Self.user.password.utf8)
        try Lighttpd.run(user: Self.user) { server in
            let start = "http://\(server.localhost)"
            let sha = "\(start)/sha256/file.txt"
            #expect(
                try requestWithPassword(sha, host: "localhost", user: Self.user.name, password: secret).status == 200)
            #expect(
                try requestWithPassword(sha, host: "localhost", user: Self.user.name, password: [0x78]).error?.code
                    == .cancelled)
            #expect(
                try requestWithPassword(sha, host: "other.test", user: Self.user.name, password: secret).status == 401)

            let credential = SessionFixture.credential
            #expect(try requestWithBasic("\(start)/basic/file.txt", credential: credential).status == 200)
            #expect(try requestWithBasic(sha, credential: credential).status == 401)

            let file = folder.path("store")
            #expect(try requestWithStoredPasswords(sha, file: file, netrc: []).status == 401)
            let netrc = Array("machine localhost login \(Self.user.name) password \(Self.user.password)".utf8)
            #expect(try requestWithStoredPasswords(sha, file: file, netrc: netrc).status == 200)
            let asked = try requestAndStorePassword(sha, file: file) { (Self.user.name, secret) }
            #expect(asked.status == 200)
            // The password is in the file now, so no prompt and no netrc file is needed.
            #expect(try requestWithStoredPasswords(sha, file: file, netrc: []).status == 200)
        }
    }

    @Test(.enabled(if: Squid.path != nil, "squid is not installed")) func proxyPassword() throws {
        try ScriptedServer.run(Array(repeating: ScriptedServer.response("200 OK"), count: 2)) { origin, _ in
            try Squid.run([.basic], user: Self.user) { squid in
                let url = "http://\(origin.endpoint)/"
                let proxy = "http://\(squid.endpoint)"
                let admitted = try requestThroughProxy(url, proxy: proxy, credential: SessionFixture.credential)
                #expect(admitted.status == 200)
                let wrong = Credential(user: Self.user.name, password: "wrong")
                let refused = try requestThroughProxy(url, proxy: proxy, credential: wrong)
                #expect(refused.status == 407)
            }
        }
    }
}
