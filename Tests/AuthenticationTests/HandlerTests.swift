import Pinning
import TestSupport
import Testing

@testable import Authentication

@Suite struct HandlerTests {
    let pki: TestPKI
    let task = AuthenticationTask(number: 1, url: "https://localhost/", method: "GET")

    init() throws { pki = try TestPKI.shared() }

    private func challenge(_ name: String, host: String = "localhost", port: UInt16 = 443) throws -> Challenge {
        let files = name == "leaf" ? ["leaf.der", "intermediate.der"] : ["\(name).der"]
        let certificates = try files.map { try Certificate(der: try pki.bytes($0)) }
        let system = TrustAnchors([try Certificate(der: try pki.bytes("other-root.der"))])
        let now = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
        return Challenge(
            protectionSpace: ProtectionSpace(
                host: host, port: port, protocol: .https, authenticationMethod: .serverTrust,
                serverTrust: ServerTrust(certificates: certificates, anchors: system, at: now)))
    }

    private func answer(_ handler: any ChallengeHandler, _ challenge: Challenge) async -> String {
        switch await handler.disposition(of: challenge, for: task) {
        case .useCredential(let credential): credential.user ?? (credential.certificates.isEmpty ? "trust" : "identity")
        case .performDefaultHandling: "default"
        case .cancelAuthenticationChallenge: "cancel"
        case .rejectProtectionSpace: "reject"
        }
    }

    @Test func pinnedCertificate() async throws {
        let handler = try TrustHandler.pinnedCertificate(der: try pki.bytes("leaf-self-signed.der"))
        #expect(await answer(handler, try challenge("leaf-self-signed")) == "trust")
        #expect(await answer(handler, try challenge("leaf")) == "cancel")
        #expect(await answer(handler, try challenge("leaf-self-signed", host: "other.test")) == "cancel")
        let limited = try TrustHandler.pinnedCertificate(
            der: try pki.bytes("leaf-self-signed.der"), hosts: ["api.example.test"])
        #expect(await answer(limited, try challenge("leaf")) == "default")
        #expect(throws: CertificateError.self) { try TrustHandler.pinnedCertificate(der: [1, 2, 3]) }
    }

    @Test func authoritiesInAFolder() async throws {
        let handler = try TrustHandler.authorities(inFolder: pki.path("anchors"))
        #expect(await answer(handler, try challenge("leaf")) == "trust")
        #expect(await answer(handler, try challenge("other-leaf")) == "cancel")
        let folder = try TemporaryFolder("authorities")
        defer { folder.remove() }
        #expect(throws: AuthorityFolder.Failure.empty(path: folder.path)) {
            try AuthorityFolder.anchors(in: folder.path)
        }
        try folder.write("no certificate", to: "a.pem")
        #expect(throws: AuthorityFolder.Failure.self) { try AuthorityFolder.anchors(in: folder.path) }
    }

    @Test func pinnedKeys() async throws {
        let pin = try Pin(spelling: try pki.pin("leaf"))
        // The keys are compared after the validation, and the default anchors do not trust this chain.
        #expect(await answer(TrustHandler.pinnedKeys([pin]), try challenge("leaf")) == "cancel")
    }

    @Test func developmentServer() async throws {
        let pin = try Pin(spelling: try pki.pin("leaf-self-signed"))
        let handler = DevelopmentServerHandler(host: "LOCALHOST", port: 8443, pin: pin)
        #expect(await answer(handler, try challenge("leaf-self-signed", port: 8443)) == "trust")
        #expect(await answer(handler, try challenge("leaf-self-signed", port: 443)) == "default")
        #expect(await answer(handler, try challenge("leaf", port: 8443)) == "cancel")
        #expect(await answer(handler, try challenge("leaf-self-signed", host: "other.test", port: 8443)) == "default")
    }

    @Test func passwordPrompt() async {
        func challenge(_ method: AuthenticationMethod, host: String = "h", failures: Int = 0) -> Challenge {
            Challenge(
                protectionSpace: ProtectionSpace(
                    host: host, port: 443, protocol: .https, authenticationMethod: method),
                previousFailureCount: failures)
        }
        let handler = PasswordHandler(hosts: ["h"], maximumAttempts: 2) { challenge in
            Credential(user: "typed\(challenge.previousFailureCount)", password: "p")
        }
        #expect(await answer(handler, challenge(.httpDigest)) == "typed0")
        #expect(await answer(handler, challenge(.httpBasic, failures: 1)) == "typed1")
        #expect(await answer(handler, challenge(.httpBasic, failures: 2)) == "default")
        #expect(await answer(handler, challenge(.httpBasic, host: "other")) == "default")
        #expect(await answer(handler, challenge(.clientCertificate)) == "default")
        #expect(await answer(PasswordHandler { _ in nil }, challenge(.default)) == "cancel")
        let combined = CombinedHandler([DefaultChallengeHandler(), handler])
        #expect(await answer(combined, challenge(.httpDigest)) == "typed0")
        #expect(await answer(combined, challenge(.serverTrust)) == "default")
    }
}
