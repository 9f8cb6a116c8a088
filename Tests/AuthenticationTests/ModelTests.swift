import Pinning
import TestSupport
import Testing

@testable import Authentication

@Suite struct ModelTests {
    static func space(
        _ method: AuthenticationMethod, _ proto: ProtectionSpace.ServerProtocol = .https,
        proxy: ProtectionSpace.ProxyType? = nil, realm: String? = nil, host: String = "www.example.test",
        port: UInt16 = 443
    ) -> ProtectionSpace {
        ProtectionSpace(
            host: host, port: port, protocol: proto, proxyType: proxy, realm: realm, authenticationMethod: method)
    }

    /// The classification of Apple's "Handling an authentication challenge" (Foundation, URL loading system).
    @Test func sessionWideMethods() {
        let sessionWide: Set<AuthenticationMethod> = [.serverTrust, .clientCertificate, .negotiate, .ntlm]
        for method in AuthenticationMethod.allCases { #expect(method.isSessionWide == sessionWide.contains(method)) }
    }

    @Test func whichSpacesReceiveCredentialsSecurely() {
        #expect(Self.space(.httpBasic).receivesCredentialSecurely)
        #expect(!Self.space(.httpBasic, .http).receivesCredentialSecurely)
        // The response of Digest contains no password.
        #expect(Self.space(.httpDigest, .http).receivesCredentialSecurely)
        // The password of a proxy crosses only the connection to the proxy.
        #expect(!Self.space(.httpBasic, .https, proxy: .http).receivesCredentialSecurely)
        #expect(Self.space(.httpBasic, .http, proxy: .https).receivesCredentialSecurely)
        #expect(!Self.space(.default, .ftp).receivesCredentialSecurely)
        let ftp = ProtectionSpace(
            host: "h", port: 21, protocol: .ftp, authenticationMethod: .default, isEncrypted: true)
        #expect(ftp.receivesCredentialSecurely)
    }

    @Test func spacesCompareLocationAndMethod() {
        #expect(Self.space(.httpBasic, host: "WWW.example.test") == Self.space(.httpBasic))
        #expect(Self.space(.httpBasic) != Self.space(.httpDigest))
        #expect(Self.space(.httpBasic, realm: "a") != Self.space(.httpBasic, realm: "b"))
        #expect(Self.space(.httpBasic, proxy: .http) != Self.space(.httpBasic))
        let names = ProtectionSpace(
            host: "h", port: 1, protocol: .https, authenticationMethod: .clientCertificate, distinguishedNames: [[0x30]]
        )
        #expect(names == Self.space(.clientCertificate, host: "h", port: 1))
        #expect(Self.space(.clientCertificate).distinguishedNames == [])
        #expect(Self.space(.httpBasic).distinguishedNames == nil)
    }

    @Test func noDescriptionShowsASecret() throws {
        let credential = Credential(user: "user", password: "hunter2", persistence: .permanent)
        let challenge = Challenge(
            protectionSpace: Self.space(.httpBasic, realm: "r"), proposedCredential: credential,
            previousFailureCount: 1)
        let netrc = try Netrc(parsing: Array("machine h login user password hunter2".utf8))
        let disposition = Disposition.useCredential(credential)
        var dumped = ""
        for value in [credential, challenge, netrc, disposition, [credential]] as [Any] {
            dump(value, to: &dumped)
            dumped += "\(value)" + String(reflecting: value)
        }
        #expect(dumped.contains("user"))
        #expect(!dumped.contains("hunter2"))
    }

    @Test func credentialsOfEachKind() throws {
        let password = Credential(user: "user", password: "secret")
        #expect(password.hasPassword && password.withPassword { $0 } == Array("secret".utf8))
        let name = Credential(user: "user")
        #expect(!name.hasPassword && name.user == "user" && name.withPassword { $0 } == nil)
        let pki = try TestPKI.shared()
        let identity = try ClientIdentity(
            certificateFile: try pki.bytes("client.chain.pem"), keyFile: try pki.bytes("client.key"))
        let certificate = Credential(identity: identity, persistence: .permanent)
        #expect(certificate.persistence == .forSession)
        #expect(certificate.certificates.map(\.der).first == (try pki.bytes("client.der")))
        #expect(certificate.user == nil)
        #expect(throws: ClientIdentity.Failure.noKey) {
            try ClientIdentity(certificateFile: try pki.bytes("client.der"))
        }
        #expect(throws: ClientIdentity.Failure.keyOfAnother) {
            try ClientIdentity(certificateFile: try pki.bytes("client.der"), keyFile: try pki.bytes("leaf.key"))
        }
    }

    // MARK: Default handling

    enum Action: Equatable {
        case validate, without, next
        case use(String)

        init(_ handling: DefaultHandling) {
            switch handling {
            case .validateServer: self = .validate
            case .continueWithoutCredential: self = .without
            case .nextChallenge: self = .next
            case .use(let credential): self = .use(credential.user ?? "")
            }
        }
    }

    /// The table of Docs/challenges.md, "Default handling".
    @Test(
        arguments: [
            (.serverTrust, .validate, .validate), (.clientCertificate, .without, .without),
            (.negotiate, .next, .next), (.ntlm, .next, .next), (.httpBasic, .without, .use("stored")),
            (.httpDigest, .without, .use("stored")), (.default, .use("anonymous"), .use("stored")),
            (.htmlForm, .without, .without),
        ] as [(AuthenticationMethod, Action, Action)])
    func defaultHandling(method: AuthenticationMethod, withoutStored: Action, withStored: Action) {
        let challenge = Challenge(protectionSpace: Self.space(method))
        #expect(Action(DefaultHandling(for: challenge, stored: nil)) == withoutStored)
        let stored = Credential(user: "stored", password: "p")
        #expect(Action(DefaultHandling(for: challenge, stored: stored)) == withStored)
    }

    @Test func aRefusedCredentialIsNotSentAgain() {
        let stored = Credential(user: "stored", password: "p")
        for method in [AuthenticationMethod.httpBasic, .httpDigest, .default] {
            let challenge = Challenge(
                protectionSpace: Self.space(method), proposedCredential: stored, previousFailureCount: 1)
            #expect(Action(DefaultHandling(for: challenge, stored: stored)) == .without)
            #expect(Action(DefaultHandling(for: challenge, stored: nil)) == .without)
        }
    }

    // MARK: Handlers

    struct Handler: ChallengeHandler {
        let answersSession: Bool

        func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
            answersSession ? .rejectProtectionSpace : nil
        }

        func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
            .cancelAuthenticationChallenge
        }
    }

    @Test(arguments: AuthenticationMethod.allCases) func whichMethodIsCalled(method: AuthenticationMethod) async {
        let task = AuthenticationTask(number: 1, url: "https://h/", method: "GET")
        let challenge = Challenge(protectionSpace: Self.space(method))
        let answer = await Handler(answersSession: true).disposition(of: challenge, for: task)
        let isSession = if case .rejectProtectionSpace = answer { true } else { false }
        #expect(isSession == method.isSessionWide)
        // Without a session-level answer, the task-level method decides about all.
        let other = await Handler(answersSession: false).disposition(of: challenge, for: task)
        guard case .cancelAuthenticationChallenge = other else {
            Issue.record("\(other)")
            return
        }
        guard case .performDefaultHandling = await DefaultChallengeHandler().disposition(of: challenge, for: task)
        else {
            Issue.record("the default implementation does not perform the default handling")
            return
        }
    }
}
