import Foundation
import TestSupport
import Testing

/// Hosts that send another chain to other clients than pinctl, or that pinctl cannot compare completely.
@Suite(.blocking) struct ExplainOtherClientTests {
    let servers: RefreshOtherClientTests

    private var pki: RotationPKI { servers.pki }

    init() throws { servers = try RefreshOtherClientTests() }

    /// A message of OkHttp for a program that saw these keys and has these pins.
    private func log(seen: [String], pinned: [String]) throws -> String {
        try "Certificate pinning failure!\n  Peer certificate chain:\n"
            + seen.map { "    sha256/\(try pki.pin($0)): CN=leaf\n" }.joined()
            + "  Pinned certificates for \(RotationPKI.host):\n"
            + pinned.map { "    sha256/\(try pki.pin($0))\n" }.joined()
    }

    private func run(
        _ log: String, _ endpoint: String, _ options: [String], format: String, status: Int32
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            [
                "explain", "-", "--format", format, "--anchors", pki.path("root.pem"), "--connect-to", endpoint,
            ] + options, input: Array(log.utf8), folder: servers.folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    private func explain(
        _ log: String, _ endpoint: String, _ options: [String] = [], status: Int32 = 3
    ) throws -> ExplainReport.Failure {
        let run = try run(log, endpoint, options, format: "json", status: status)
        return try #require(JSONDecoder().decode(ExplainReport.self, from: Data(run.output)).failures.first)
    }

    /// The log has only the name of the host, and the pin is of a key that other clients see.
    @Test(arguments: RefreshOtherClientTests.Selection.allCases)
    func aPinInAChainForOtherClients(selection: RefreshOtherClientTests.Selection) throws {
        let key = "leaf-\(selection.curve)"
        try servers.serving(oldKey: key, selection) { endpoint in
            let android = "java.security.cert.CertificateException: Pin verification failed\n"
            try servers.folder.write(
                #"{"version":1,"hosts":{"\#(RotationPKI.host)":["\#(pki.pin(key))"]}}"#, to: "pins.json")
            let options = ["--pins", "pins.json", "--host", RotationPKI.host] + selection.options
            let failure = try explain(android, endpoint, options)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            let clause = try " has the pinned key \(pki.pin(key))"
            #expect(failure.conclusion.sentence.contains("; but the chain of the host for clients that "), "\(failure)")
            #expect(failure.conclusion.sentence.contains(clause), "\(failure)")
            let live = try #require(failure.live)
            let holder = try #require(live.otherChains.first { $0.chain.contains(where: \.pinned) }, "\(failure)")
            let clients = try #require(holder.clients, "\(failure)")
            #expect(live.clients == nil && failure.conclusion.sentence.contains(clients), "\(failure)")
            // The text names the same chain and the same clients.
            let text = try run(android, endpoint, options, format: "text", status: 3).text
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("also for \(clients): trusted"), "\(text)")
            try #expect(
                text.contains("\(pki.pin(key)) pinned") && text.contains(failure.conclusion.sentence), "\(text)")
            // The next command shows this chain, unless only curves select it, for which fetch has no option.
            guard !clients.contains("curve") else { return }
            let words = failure.conclusion.command.split(separator: " ").dropFirst().map(String.init)
            let fetched = try PinctlRun.spawn(words, folder: servers.folder.url)
            try #expect(fetched.text.contains(pki.pin(key)), "\(fetched)")
        }
    }

    /// The program saw the chain that only clients without TLS 1.3 receive.
    @Test func theChainThatTheProgramSaw() throws {
        try servers.serving(oldKey: "leaf", .version) { endpoint in
            let seen = ["leaf", "intermediate", "root"]
            let gone = try explain(log(seen: seen, pinned: ["spare"]), endpoint, status: 0)
            #expect(gone.conclusion.verdict == "rotation", "\(gone)")
            #expect(
                gone.conclusion.sentence.contains("; this is the chain of the host for clients that offer no TLS 1.3"),
                "\(gone)")
            try #expect(
                gone.live?.clients == "clients that offer no TLS 1.3" && gone.live?.chain.first?.pin == pki.pin("leaf"))
            // The pinned key is in the chain of other programs.
            let kept = try explain(log(seen: seen, pinned: ["leaf2"]), endpoint, status: 0)
            try #expect(
                kept.conclusion.sentence.contains(
                    "; but the first chain of the host has the pinned key \(pki.pin("leaf2"))"),
                "\(kept)")
            #expect(!kept.conclusion.sentence.contains("the keys changed"), "\(kept)")
        }
    }

    /// A program that saw the first chain has only the pin of the other one.
    @Test func thePinnedKeyOfOtherPrograms() throws {
        try servers.serving(oldKey: "leaf", .version) { endpoint in
            let failure = try explain(
                log(seen: ["leaf2", "intermediate", "root"], pinned: ["leaf"]), endpoint, status: 0)
            #expect(failure.conclusion.verdict == "rotation", "\(failure)")
            let clause =
                try
                "; but the chain of the host for clients that offer no TLS 1.3 has the pinned key \(pki.pin("leaf"))"
            #expect(failure.conclusion.sentence.contains(clause), "\(failure)")
            #expect(!failure.conclusion.sentence.contains("the keys changed"), "\(failure)")
        }
    }

    /// The server answers clients with TLS 1.3 only, so it may have another chain for the others.
    @Test func aSearchThatFails() throws {
        try servers.answering {
            $0.offersTLS13
        } _: { endpoint in
            let failure = try explain(
                log(seen: ["leaf2", "intermediate", "root"], pinned: ["spare"]), endpoint)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            let reason = "; the host may have another chain for clients that offer no TLS 1.3: "
            #expect(failure.conclusion.sentence.contains(reason), "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl explain LOG "), "\(failure)")
        }
    }

    @Test func anUntrustedChainForOtherClients() throws {
        try pki.root("unknown")
        try servers.serving(oldKey: "leaf", issuer: "unknown", .version) { endpoint in
            let failure = try explain(
                log(seen: ["leaf2", "intermediate", "root"], pinned: ["spare"]), endpoint)
            let reason = "; the chain of the host for clients that offer no TLS 1.3 is not trusted: "
            #expect(failure.conclusion.sentence.contains(reason), "\(failure)")
        }
    }

    /// An interceptor between this machine and the host can pass clients without TLS 1.3 on.
    @Test(arguments: ["leaf2", "spare2"]) func anUntrustedFirstChain(leaf: String) throws {
        try pki.root("unknown")
        func check(_ endpoint: String) throws {
            let failure = try explain(
                log(seen: [leaf, "intermediate", "root"], pinned: ["spare"]), endpoint)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.live?.otherChains.contains { $0.chain.count > 2 } == true, "\(failure)")
        }
        try servers.serving(
            oldKey: "leaf", issuer: "unknown", isNew: { !$0.offersTLS13 }, body: check)
    }

    /// Up to TLS 1.2, nothing authenticates what the client of such a handshake offered.
    @Test(arguments: [("-tls1_2", Int32(3)), ("-tls1_3", 0)])
    func aServerThatRequiresAClientCertificate(version: String, status: Int32) throws {
        let options = [
            version, "-Verify", "1", "-CAfile", pki.path("root.pem"), "-cert", pki.path("new.leaf.pem"), "-key",
            pki.path("leaf2.key"),
        ]
        try OpenSSLServer.run(chain: pki.path("intermediate.pem"), options: options) { server in
            let failure = try explain(
                log(seen: ["leaf2", "intermediate", "root"], pinned: ["spare"]), server.endpoint, status: status)
            #expect(failure.conclusion.verdict == (status == 0 ? "rotation" : "undecided"), "\(failure)")
            #expect(
                failure.conclusion.sentence.contains(
                    "got no client certificate that it accepts and ended the handshake")
                    == (status != 0), "\(failure)")
        }
    }

    /// Only the certificate for clients without TLS 1.3 has expired.
    @Test func anExpiredCertificateForOtherClients() throws {
        try pki.chain("new", key: "leaf2", by: "intermediate", days: 400)
        let time = Date(timeIntervalSinceNow: 200 * 86_400).formatted(.iso8601)
        let options = ["--host", RotationPKI.host, "--at", time]
        let curl = "curl: (60) SSL certificate problem: certificate has expired\n"
        try servers.serving(oldKey: "leaf", .version) { endpoint in
            let failure = try explain(curl, endpoint, options, status: 0)
            #expect(failure.conclusion.verdict == "expired-certificate", "\(failure)")
            let sentence = failure.conclusion.sentence
            #expect(sentence.hasPrefix("the host's chain is not valid here either: "), "\(failure)")
            #expect(
                sentence.hasSuffix("; this is the chain of the host for clients that offer no TLS 1.3"), "\(failure)")
            #expect(failure.conclusion.command.contains(" --tls-max 1.2 "), "\(failure)")
            // The expired chain does not explain a message about the CA.
            let other = "curl: (60) SSL certificate problem: self-signed certificate in certificate chain\n"
            #expect(try explain(other, endpoint, options).conclusion.verdict == "undecided")
            let limited = try explain(curl, endpoint, options + ["--tls-min", "1.3"], status: 0)
            let clause =
                "; --tls-min 1.3 leaves out the chain of the host for other versions of TLS, which can contain the expired"
            #expect(limited.conclusion.sentence.contains(clause), "\(limited)")
        }
        try servers.answering {
            $0.offersTLS13
        } _: { endpoint in
            let failure = try explain(curl, endpoint, options)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
        }
    }

    /// The proxy resolves the name, so only it knows the addresses.
    @Test(.enabled(if: Microsocks.path != nil)) func aProxyThatSelectsTheAddress() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            try Microsocks.run { proxy in
                let log = try log(seen: ["leaf2", "intermediate", "root"], pinned: ["spare"])
                    .replacing(RotationPKI.host, with: "localhost")
                let run = try PinctlRun.spawn(
                    [
                        "explain", "-", "--anchors", pki.path("root.pem"), "--host", "localhost:\(server.port)",
                        "--proxy", "socks5h://\(proxy.endpoint)", "--format", "json",
                    ], input: Array(log.utf8))
                #expect(run.status == 0, "\(run)")
                #expect(run.text.contains("selects the address of the host, and another one can serve"), "\(run)")
            }
        }
    }

    /// Each option leaves out a chain.
    @Test(arguments: [
        ["--tls-max", "1.2"], ["--tls-min", "1.3"], ["--key-type", "any"], ["--key-type", "ecdsa"],
    ]) func optionsThatHideChains(option: [String]) throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let seen = ["leaf2", "intermediate", "root"]
            let failure = try explain(log(seen: seen, pinned: ["spare"]), server.endpoint, option, status: 0)
            #expect(failure.conclusion.verdict == "rotation", "\(failure)")
            #expect(
                failure.conclusion.sentence.contains("; \(option.joined(separator: " ")) leaves out "), "\(failure)")
        }
    }
}
