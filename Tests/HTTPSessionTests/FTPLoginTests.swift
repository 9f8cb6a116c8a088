import Authentication
import HTTPSession
import Pinning
import TestSupport
import Testing

/// The login of FTP after AUTH TLS, with vsftpd. curl says who is admitted.
@Suite(.blocking, .enabled(if: Vsftpd.path != nil, "vsftpd is not installed")) struct FTPLoginTests {
    private func curlSucceeds(_ url: String, _ password: String) throws -> Bool {
        let pki = try TestPKI.shared()
        let outcome = try ChildProcess.run(
            [
                "curl", "-s", "-v", "-o", "/dev/null", "-m", "10", "--ssl-reqd", "--cacert", pki.path("root-rsa.pem"),
                "-u",
                "anonymous:\(password)", url,
            ])
        // The reply to PASS. The transfer after it needs further settings of vsftpd.
        return outcome.errors.contains("< 230 ")
    }

    @Test(arguments: [SessionFixture.user.password, "wrong"]) func password(password: String) throws {
        try Vsftpd.run(password: SessionFixture.user.password) { server in
            let url = "ftp://\(server.localhost)/"
            let handler = PasswordHandler(maximumAttempts: 1) { _ in Credential(user: "anonymous", password: password) }
            let result = try SessionFixture.run(url, handler: handler)
            let expected = try curlSucceeds(url, password)
            #expect((result.status == 230) == expected, "\(String(describing: result.error))")
            #expect(result.admission == (expected ? .admitted : .refused))
            let record = try #require(result.challenges.first { $0.protectionSpace.protocol == .ftp && $0.user != nil })
            #expect(record.protectionSpace.authenticationMethod == .default)
            #expect(record.protectionSpace.isEncrypted)
            #expect(record.result == (expected ? .accepted : .refused))
            // The password is sent only after the server's chain was validated.
            #expect(result.challenges.contains { $0.protectionSpace.authenticationMethod == .serverTrust })
        }
    }

    /// The greeting of the server can arrive together with the answer of the proxy.
    @Test(arguments: ["http", "socks5"]) func greetingWithTheAnswerOfAProxy(scheme: String) throws {
        try Vsftpd.run(password: nil) { server in
            try CoalescingProxy.run(scheme, to: server.port) { proxy in
                let result = try SessionFixture.run("ftp://\(server.localhost)/") { try $0.useProxy(proxy) }
                #expect(result.status == 230, "\(String(describing: result.error))")
            }
        }
    }

    /// The default handling is the anonymous login.
    @Test func anonymous() throws {
        try Vsftpd.run(password: nil) { server in
            let result = try SessionFixture.run("ftp://\(server.localhost)/")
            #expect(result.status == 230)
            #expect(result.summary.first == "server-trust accepted" && result.summary.last == "default accepted")
            #expect(result.challenges.last?.user == "anonymous")
            #expect(result.challenges.last?.answer == .performDefaultHandling)
            let untrusted = try SessionFixture.run("ftp://\(server.localhost)/") {
                $0.anchors = try SessionFixture.otherAnchors()
            }
            #expect(untrusted.error?.code == .untrusted)
        }
    }
}
