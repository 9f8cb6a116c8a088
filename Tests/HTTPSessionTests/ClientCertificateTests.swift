import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// The challenge for a client certificate, with nginx and `openssl s_server`. curl says who is admitted.
@Suite(.blocking) struct ClientCertificateTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func identity(_ name: String = "client") throws -> ClientIdentity {
        try ClientIdentity(certificateFile: try pki.bytes("\(name).chain.pem"), keyFile: try pki.bytes("\(name).key"))
    }

    private func withNginx(_ settings: String, _ body: (String) throws -> Void) throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "\(settings) location / { return 200 $ssl_client_verify; }")
        } _: {
            try body("https://\($0.localhost)/")
        }
    }

    private func curl(_ url: String, _ name: String) throws -> Int? {
        try SessionFixture.curl(
            url, ["--cert", pki.path("\(name).chain.pem"), "--key", pki.path("\(name).key")])
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"]) func required(version: String) throws {
        let settings =
            "ssl_protocols \(version); ssl_verify_client on; ssl_client_certificate PKI/root.pem; ssl_verify_depth 3;"
        try withNginx(settings) { url in
            // nginx completes TLS, and refuses the request with status 400.
            let without = try SessionFixture.run(url)
            #expect(without.status == (try SessionFixture.curl(url, [])))
            #expect(without.admission == .refused)
            #expect(without.summary == ["server-trust accepted", "client-certificate unanswered"])
            let space = try #require(without.challenges.last).protectionSpace
            let names = try #require(space.distinguishedNames)
            #expect(names.map { DistinguishedName(der: $0)?.displayName } == ["Example Test Root"])

            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.status == (try curl(url, "client")))
            #expect(result.body == "SUCCESS")
            #expect(result.admission == .admitted)
            #expect(result.challenges.contains { $0.protectionSpace == space && $0.result == .accepted })

            // A certificate of a CA that nginx does not trust.
            let other = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity("other-leaf")))
            #expect(other.status == (try curl(url, "other-leaf")))
            #expect(other.admission == .refused)
        }
    }

    @Test func optional() throws {
        try withNginx("ssl_verify_client optional_no_ca; ssl_client_certificate PKI/root.pem;") { url in
            let without = try SessionFixture.run(url)
            #expect(without.status == 200 && without.body == "NONE")
            #expect(without.admission == .admitted)
            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.status == 200 && result.body != "NONE")
        }
    }

    /// The answer holds for later connections of the session.
    @Test func theAnswerHoldsForTheSession() throws {
        let settings =
            "keepalive_timeout 0; ssl_verify_client on; ssl_client_certificate PKI/root.pem; ssl_verify_depth 3;"
        try withNginx(settings) { url in
            let session = try Session(
                try SessionFixture.configuration(), handler: IdentityHandler(identity: try identity()))
            #expect(session.run(Session.Request(url: url)).body == "SUCCESS")
            let second = session.run(Session.Request(url: url))
            #expect(second.body == "SUCCESS")
            #expect(second.challenges.map(\.answer) == [.remembered, .remembered])
        }
    }

    /// A server that ends the handshake without a certificate.
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func demandedByTLS(version: String) throws {
        let options = [version, "-Verify", "3", "-verify_return_error", "-CAfile", pki.path("root.pem"), "-www"]
        try OpenSSLServer.run("leaf", options: options) { server in
            let url = "https://\(server.localhost)/"
            let without = try SessionFixture.run(url)
            #expect(without.error?.code == .clientCertificate)
            #expect(without.admission == .refused)
            #expect(without.challenges.last?.isRequired == true)
            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.status == 200, "\(result.summary) \(result.error?.message ?? "")")
            let other = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity("other-leaf")))
            #expect(other.error?.code == .clientCertificate)
            #expect(other.challenges.last?.result == .refused)
        }
    }

    /// A server that presents the certificates of a list in turn, one in each connection, requests a client certificate, and prints whether it
    /// received one.
    private static let changingServer = """
        import socket, ssl, sys
        port, version, names = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
        version, _, suites = version.partition(":")
        def context(name):
            settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            settings.load_cert_chain(name + ".chain.pem", name + ".key")
            settings.load_verify_locations("root.pem")
            settings.verify_mode = ssl.CERT_OPTIONAL
            settings.minimum_version = settings.maximum_version = getattr(ssl.TLSVersion, version)
            if suites: settings.set_ciphers(suites)
            return settings
        listener = socket.create_server(("127.0.0.1", port))
        while True:
            connection, _ = listener.accept()
            try:
                session = context(names[0]).wrap_socket(connection, server_side=True)
                print(names[0], "received" if session.getpeercert(True) else "none", flush=True)
                names = names[1:] + names[:1]
                session.recv(65536)
                session.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
                session.close()
            except OSError:
                connection.close()
        """

    /// - Parameter log: what the server prints.
    private func withChangingServer(
        _ version: String, _ names: [String], log: String, _ body: (String) throws -> Void
    ) throws {
        try ServerProcess.run(folder: pki.folder) { port in
            ["python3", "-c", Self.changingServer, String(port), version] + names
        } _: { server in
            try body("https://\(server.localhost)/")
            _ = server.logs(log)
            #expect(server.log == log)
        }
    }

    private static let versions = ["TLSv1_2", "TLSv1_3"]

    /// An interceptor that lets the first connection pass, and answers the second one itself.
    @Test(arguments: versions) func anInterceptorReceivesNoCertificate(version: String) throws {
        let log = "leaf none\nleaf-self-signed none\n"
        try withChangingServer(version, ["leaf", "leaf-self-signed"], log: log) { url in
            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.error?.code == .untrusted)
        }
    }

    /// With a static RSA key exchange, an interceptor can present the chain of the server, and it proves its key only after the client
    /// certificate (RFC 5246, section 7.4.7.1).
    @Test func aServerWithoutAProofOfItsKeyReceivesNoCertificate() throws {
        let log = "leaf-rsa none\nleaf-rsa none\n"
        try withChangingServer("TLSv1_2:AES128-GCM-SHA256", ["leaf-rsa"], log: log) { url in
            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.error?.code == .clientCertificate)
            #expect(result.error?.message.contains("TLS_RSA_WITH_AES_128_GCM_SHA256") == true)
            #expect(result.error?.lacksProofOfKey == true)
            #expect(result.challenges.allSatisfy { $0.certificate == nil })
        }
    }

    /// A server that presents two certificates in turn receives the client certificate in the first connection with a known one.
    @Test(arguments: versions) func aServerWithTwoCertificatesReceivesIt(version: String) throws {
        let log = "leaf none\nleaf-rsa none\nleaf received\n"
        try withChangingServer(version, ["leaf", "leaf-rsa"], log: log) { url in
            let result = try SessionFixture.run(url, handler: IdentityHandler(identity: try identity()))
            #expect(result.status == 200, "\(result.summary) \(result.error?.message ?? "")")
            #expect(result.challenges.contains { $0.certificate != nil && $0.result != .refused })
        }
    }

    struct Cancel: ChallengeHandler {
        func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
            challenge.protectionSpace.authenticationMethod == .clientCertificate ? .cancelAuthenticationChallenge : nil
        }
    }

    @Test func aHandlerCancels() throws {
        try withNginx("ssl_verify_client optional; ssl_client_certificate PKI/root.pem;") { url in
            let error = try SessionFixture.run(url, handler: Cancel()).error
            #expect(error?.code == .cancelled)
            #expect(error?.protectionSpace?.authenticationMethod == .clientCertificate)
        }
    }
}
