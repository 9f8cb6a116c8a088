import Foundation
import TestSupport
import Testing

/// A router, or an interceptor beside it, answers that it knows no route to an address. This machine has one, so the address counts.
///
/// Only a network without any route to a family of addresses lacks that family (`RefreshGapTests.aFamilyWithoutARoute`).
@Suite(
    .blocking,
    .enabled(
        if: NameService.exists && RouterNetwork.exists, "nss_wrapper, ip and namespaces are needed"))
struct RouterMessageTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    private static let host = "www.example.test"

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("router-messages")
        let (pin, backup) = (try pki.pin("root"), try pki.pin("other-root"))
        let pins = #"{ "sha256": "\#(pin)" }, { "sha256": "\#(backup)", "state": "backup" }"#
        try folder.write(#"{ "version": 1, "hosts": { "\#(Self.host)": { "pins": [\#(pins)] } } }"#, to: "pins.json")
    }

    /// The two addresses of the host: a server on loopback, and one of another family.
    struct Addresses: CustomTestStringConvertible, Sendable {
        let server: String
        let other: String
        var testDescription: String { "\(server) and \(other)" }
    }

    static let behindRouter = [
        Addresses(server: "127.0.0.1", other: "2001:db8::1"), Addresses(server: "::1", other: "192.0.2.1"),
    ]
    static let withoutRoute = [
        Addresses(server: "127.0.0.1", other: "2001:db9::1"), Addresses(server: "::1", other: "198.51.100.1"),
    ]

    /// Runs pinctl in the network of ``RouterNetwork``, beside a server at port 443.
    private func run(_ command: [String], _ addresses: Addresses) throws -> ChildProcess.Outcome {
        let names = [addresses.server, addresses.other].map { "\($0) \(Self.host)" }.joined(separator: "\n")
        let environment = try NameService.environment(names, in: folder).map { "\($0)=\($1)" }
        let address = addresses.server.contains(":") ? "[\(addresses.server)]" : addresses.server
        let beside = """
            openssl s_server -quiet -accept "$1:443" -cert leaf.pem -key leaf.key -cert_chain intermediate.pem >/dev/null 2>&1 &
            server=$!
            trap 'kill $server; wait $server' EXIT
            until openssl s_client -connect "$1:443" </dev/null >/dev/null 2>&1; do sleep 0.05; done
            shift
            cd "$1"
            shift
            env "$@"
            """
        return try ChildProcess.run(
            RouterNetwork.command + ["sh", "-c", beside, "sh", address, folder.path] + environment + [
                PinctlRun.executable
            ]
                + command + ["--anchors", pki.path("root.pem"), "--timeout", "5"],
            folder: pki.folder.url)
    }

    private static let commands = [
        "verify --pins pins.json \(host)", "refresh --check --pins pins.json \(host)",
        "init --no-backup -o new.json \(host)",
    ]

    @Test(arguments: commands, behindRouter) func theAddressCounts(command: String, addresses: Addresses) throws {
        defer { folder.remove() }
        let run = try run(command.components(separatedBy: " "), addresses)
        let all = run.text + run.errors
        #expect(run.end == .exit(3), "\(all)")
        #expect(all.contains("cannot connect to ") && all.contains(addresses.other), "\(all)")
        #expect(!all.contains("this machine has no route"), "\(all)")
        try #expect(!folder.names().contains("new.json"))
    }

    @Test(arguments: commands, withoutRoute) func aFamilyWithoutARouteIsLeftOut(
        command: String, addresses: Addresses
    ) throws {
        defer { folder.remove() }
        let run = try run(command.components(separatedBy: " "), addresses)
        let all = run.text + run.errors
        #expect(run.end == .exit(0), "\(all)")
        #expect(command.hasPrefix("verify") || all.contains("this machine has no route"), "\(all)")
    }
}

private enum RouterNetwork {
    /// Runs the command that follows in the network of `Tests/Routing/behind-router`.
    static let command = [
        "unshare", "--user", "--map-root-user", "--net", Repository.path("Tests/Routing/behind-router"),
    ]

    static let exists = (try? ChildProcess.run(command + ["true"]).end) == .exit(0)
}
