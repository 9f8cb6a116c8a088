import Foundation
import TestSupport
import Testing

/// mitmproxy in front of a server whose root is installed and pinned.
@Suite(.blocking, .enabled(if: Mitmproxy.isExpected, Comment(rawValue: Mitmproxy.absence)))
struct InterceptionTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("interception")
    }

    /// The server, mitmproxy in front of it, and a set with the root's pin.
    private func intercepted(_ body: (_ server: ServerProcess, _ proxy: Mitmproxy) throws -> Void) throws {
        defer { folder.remove() }
        let key = "{ \"sha256\": \"\(try pki.pin("root"))\", \"label\": \"Test Root\" }"
        try folder.write("{ \"version\": 1, \"hosts\": { \"localhost\": { \"pins\": [\(key)] } } }\n", to: "pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try Mitmproxy.run(inFrontOf: server) { try body(server, $0) }
        }
    }

    /// The trust store of a machine that has these authorities and no others.
    private func store(_ files: String...) throws -> [String: String] {
        let bundle = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        return [
            "SSL_CERT_FILE": try folder.write(bundle, to: "store.pem"), "SSL_CERT_DIR": folder.path("none"),
        ]
    }

    private func verify(_ host: String, _ more: String..., in store: [String: String]) throws -> PinctlRun {
        try PinctlRun.spawn(
            ["verify", "--pins", "pins.json", host] + more, environment: store, folder: folder.url)
    }

    /// The parts of a JSON report that these tests use.
    private struct Report: Decodable {
        struct Result: Decodable {
            let verdict: String
            let matched: [Pin]
            let chain: [Pin]
        }
        struct Pin: Decodable {
            let pin: String
        }
        let results: [Result]
    }

    private func result(_ run: PinctlRun) throws -> Report.Result {
        try #require(JSONDecoder().decode(Report.self, from: Data(run.output)).results.first)
    }

    /// The report if the CA of the interceptor is unknown to this machine.
    @Test func untrustedIfTheCAIsUnknown() throws {
        try intercepted { server, proxy in
            let store = try store(pki.path("root.pem"))
            let direct = try verify(server.localhost, in: store)
            #expect(direct.status == 0, "\(direct)")
            let run = try verify(proxy.localhost, in: store)
            #expect(run.status == 1, "\(run)\n\(proxy.log)")
            #expect(run.lines.first?.hasPrefix("\(proxy.localhost)  untrusted  TLSv1.3") == true, "\(run)")
            #expect(run.text.contains("\"mitmproxy\""), "\(run)")
            #expect(run.text.contains("no pin was compared, because this chain is not trusted"), "\(run)")
            #expect(run.errors.contains("the connection may be intercepted"), "\(run)")
            // The system's store contains neither CA.
            let system = try verify(proxy.localhost, in: [:])
            #expect(system.status == 1, "\(system)")
            #expect(system.lines.first?.hasPrefix("\(proxy.localhost)  untrusted") == true, "\(system)")
            try #expect(result(verify(proxy.localhost, "-f", "json", in: store)).verdict == "untrusted")
            // pinctl prints no pins or certificates either.
            let fetch = try PinctlRun.spawn(["fetch", proxy.localhost, "--format", "pin"], environment: store)
            #expect(fetch.status == 1, "\(fetch)")
            #expect(fetch.output.isEmpty, "\(fetch)")
        }
    }

    /// fetch and init name a trust anchor that is not a public CA, before a person pins it.
    @Test func unlistedAuthorityIsNamed() throws {
        try intercepted { server, proxy in
            let store = try store(pki.path("root.pem"), proxy.authority)
            let finding = "the trust anchor \"mitmproxy\" is not in pinctl's list of public CAs"
            let step = "if this CA is not yours, the connection may be intercepted"
            let fetch = try PinctlRun.spawn(["fetch", proxy.localhost], environment: store)
            #expect(fetch.status == 0 && fetch.text.contains(finding) && fetch.text.contains(step), "\(fetch)")
            let json = try PinctlRun.spawn(["fetch", "-f", "json", proxy.localhost], environment: store)
            #expect(json.status == 0 && json.text.contains("\"anchorIsPublic\": false"), "\(json)")
            let pins = try PinctlRun.spawn(["fetch", "-s", "root", "-f", "pin", proxy.localhost], environment: store)
            #expect(pins.status == 0 && pins.errors.contains(finding) && pins.errors.contains(step), "\(pins)")
            let first = try PinctlRun.spawn(
                ["init", "-4", "--no-backup", proxy.localhost], environment: store, folder: folder.url)
            #expect(first.status == 0 && first.errors.contains(finding) && first.errors.contains(step), "\(first)")
            // If a person names a CA, that person knows it.
            let named = try PinctlRun.spawn(
                ["init", "-4", "--no-backup", "--anchors", pki.path("root.pem"), server.localhost], folder: folder.url)
            #expect(named.status == 0 && named.errors.isEmpty, "\(named)")
            let refresh = try PinctlRun.spawn(
                ["refresh", "-4", "--pins", "pins.json", proxy.localhost], environment: store, folder: folder.url)
            #expect(refresh.status == 1, "\(refresh)")
            #expect(refresh.text.contains("\"mitmproxy\", which is not in pinctl's list of public CAs,"), "\(refresh)")
            #expect(refresh.text.contains("use --accept-new localhost --write"), "\(refresh)")
        }
    }

    /// If the CA of the interceptor is installed on the machine, only the pins detect it.
    @Test func mismatchIfTheInterceptorIsTrusted() throws {
        try intercepted { _, proxy in
            let store = try store(pki.path("root.pem"), proxy.authority)
            let run = try verify(proxy.localhost, in: store)
            #expect(run.status == 1, "\(run)\n\(proxy.log)")
            #expect(run.lines.first?.hasPrefix("\(proxy.localhost)  mismatch  TLSv1.3") == true, "\(run)")
            #expect(
                run.text.contains(
                    "the chain is valid under \"mitmproxy\" of the system's trust store, which is not in pinctl's list of public CAs, but no pin matches"
                ),
                "\(run)")
            #expect(run.text.contains(try pki.pin("root")), "\(run)")
            let openssl =
                "openssl x509 -in '\(proxy.authority)' -noout -pubkey | openssl pkey -pubin -outform DER"
                + " | openssl dgst -sha256 -binary | openssl base64 -A"
            let pin = String(decoding: try ChildProcess.output(of: ["sh", "-c", openssl]), as: UTF8.self)
            #expect(run.text.contains(pin), "\(run)")
            #expect(
                run.errors.contains(
                    "the connection may be intercepted: compare with a run from another network; only if this CA is yours and the"
                        + " keys were changed on purpose, run pinctl refresh --pins pins.json --accept-new localhost --write"
                        + " \(proxy.localhost)\n"), "\(run)")
            let report = try result(verify(proxy.localhost, "-f", "json", in: store))
            #expect(report.verdict == "mismatch")
            #expect(report.matched.isEmpty)
            #expect(report.chain.last?.pin == pin)
        }
    }
}
