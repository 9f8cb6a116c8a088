import Foundation
import TestSupport
import Testing

/// Hosts of which one address serves the chain that explains the failure, in both orders of the addresses.
@Suite(.blocking, .enabled(if: NameService.exists, FetchAddressTests.needsNames))
struct ExplainAddressTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    private static let name = "www.example.test"
    private static let orders = [["127.0.0.1", "127.0.0.2"], ["127.0.0.2", "127.0.0.1"]]

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    /// Explains a log with two addresses of the host.
    ///
    /// - Parameter second: The chain of the second address; the first one serves `leaf.chain.pem`.
    private func explain(
        _ log: String, second: (_ endpoint: String) -> String, _ addresses: [String], _ options: [String]
    ) throws -> ExplainReport.Failure {
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf") + second(endpoint.replacing("127.0.0.1", with: "127.0.0.2"))
        } _: { server in
            let names = addresses.map { "\($0) \(Self.name)" }.joined(separator: "\n")
            return try explain(
                log, ["--host", "\(Self.name):\(server.port)"] + options,
                environment: NameService.environment(names, in: folder), status: 3)
        }
    }

    /// The message is that of OpenSSL. The first address serves a chain that is trusted here.
    @Test(arguments: orders) func anAddressWithoutItsIntermediate(addresses: [String]) throws {
        let log = "curl: (60) SSL certificate problem: unable to get local issuer certificate\n"
        let failure = try explain(
            log, second: { Nginx.host($0, "leaf").replacing("leaf.chain.pem", with: "leaf.pem") }, addresses, [])
        let sentence = failure.conclusion.sentence
        #expect(sentence.contains("the server did not send the certificate of "), "\(failure)")
        #expect(sentence.hasSuffix("; other addresses of the host serve another chain"), "\(failure)")
        #expect(!sentence.contains("the host's chain is trusted here"), "\(failure)")
        #expect(failure.live?.chain.count == 1, "\(failure)")
        #expect(failure.conclusion.command.contains(" --all-addresses "), "\(failure)")
    }

    /// The log shows no keys, and the pin is of the first address only.
    @Test(arguments: orders) func anAddressWithoutAPinnedKey(addresses: [String]) throws {
        let pin = try pki.pin("leaf")
        try folder.write(#"{"version":1,"hosts":{"\#(Self.name)":["\#(pin)"]}}"#, to: "pins.json")
        let options = ["--pins", folder.path("pins.json"), "--anchors", pki.path("root-rsa.pem")]
        let log = "java.security.cert.CertificateException: Pin verification failed\n"
        let failure = try explain(log, second: { Nginx.host($0, "leaf-rsa") }, addresses, options)
        let start =
            "the host serves a trusted chain without a pinned key; but other addresses of the host have the pinned key \(pin)"
        #expect(failure.conclusion.sentence.hasPrefix(start), "\(failure)")
        #expect(try failure.live?.chain.first?.pin == pki.pin("leaf-rsa"), "\(failure)")
        #expect(failure.live?.otherChains.first?.chain.first?.pinned == true, "\(failure)")
        #expect(failure.conclusion.command.contains(" --all-addresses "), "\(failure)")
    }

    /// The program saw the keys of another CA, and the pin is of the first address only.
    @Test(arguments: orders) func aPinnedKeyOfAnotherAddress(addresses: [String]) throws {
        let pin = try pki.pin("leaf")
        let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [pin]).replacing(
            "localhost", with: Self.name)
        let failure = try explain(
            log, second: { Nginx.host($0, "leaf-rsa") }, addresses, ["--anchors", pki.path("root-rsa.pem")])
        let sentence = failure.conclusion.sentence
        #expect(
            sentence.hasPrefix("the program saw keys that the host does not serve here: another server "), "\(failure)")
        #expect(sentence.hasSuffix("; but another address of the host has the pinned key \(pin)"), "\(failure)")
        #expect(!sentence.contains("pinned either"), "\(failure)")
    }
}
