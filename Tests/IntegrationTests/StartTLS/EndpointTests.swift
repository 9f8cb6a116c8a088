import Foundation
import TestSupport
import Testing

/// The endpoints of a pin set: `init` records them, and the other commands connect there.
@Suite(.blocking) struct EndpointTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("endpoints")
    }

    private func run(_ arguments: [String], status: Int32) throws -> PinctlRun {
        let run = try PinctlRun.spawn(arguments, folder: folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    private func targets(of run: PinctlRun) -> [String] {
        run.lines.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).target }
    }

    private func endpoints(in json: [UInt8]) throws -> [String]? {
        let set = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
        return ((set?["hosts"] as? [String: Any])?["localhost"] as? [String: Any])?["endpoints"] as? [String]
    }

    /// A mail server and a web server of one host.
    @Test(.enabled(if: StartTLSServer.slapd.canRun, "slapd is not installed"))
    func everyCommandConnectsThere() throws {
        defer { folder.remove() }
        try StartTLSServer.slapd.run { ports, _ in
            let directory = "ldap://localhost:\(try #require(ports["ldap"]))"
            try Nginx.run {
                Nginx.host($0, "leaf")
            } _: { web in
                let anchors = ["--anchors", pki.path("root.pem"), "-4"]
                let initialized = try run(
                    ["init", directory, web.localhost, "--no-backup", "-o", "pins.json"] + anchors, status: 0)
                let bytes = try folder.bytes("pins.json")
                #expect(try endpoints(in: bytes) == [directory, web.localhost], "\(initialized)")

                let verified = try run(["verify", "--pins", "pins.json", "--format", "ndjson", "-4"], status: 0)
                #expect(Set(targets(of: verified)) == [directory, web.localhost])
                _ = try run(["refresh", "--pins", "pins.json", "--check", "--assume-complete", "-4"], status: 0)
                _ = try run(["lint", "--live", "pins.json", "-4"], status: 0)

                // A host without a port stands for its endpoints, and a port for itself.
                let host = try run(
                    ["verify", "--pins", "pins.json", "localhost", "--format", "ndjson", "-4"], status: 0)
                #expect(Set(targets(of: host)) == [directory, web.localhost])
                let one = try run(
                    ["verify", "--pins", "pins.json", web.localhost, "--format", "ndjson", "-4"], status: 0)
                #expect(targets(of: one) == [web.localhost])
                _ = try run(
                    ["refresh", "--pins", "pins.json", "localhost", "--check", "--assume-complete", "-4"], status: 0)

                // An edit keeps the endpoints and every other byte.
                _ = try run(
                    ["add", "--pins", "pins.json", "localhost", "--from-key", pki.path("leaf-www.key")], status: 0)
                let changed = try folder.bytes("pins.json")
                #expect(try endpoints(in: changed) == [directory, web.localhost])
                #expect(changed.count > bytes.count)

                let zone = try run(["convert", "--to", "tlsa", "pins.json"], status: 0)
                let names = Set(zone.lines.map { String($0.prefix { $0 != " " }) })
                #expect(names == ["_\(ports["ldap"] ?? 0)._tcp.localhost.", "_\(web.port)._tcp.localhost."])
                let okhttp = try run(["convert", "--to", "okhttp", "pins.json"], status: 0)
                let warnings = okhttp.errorLines.filter { $0.contains("no field for \"endpoints\"") }
                #expect(warnings.count == 1, "\(okhttp)")
            }
        }
    }

    /// An endpoint of an entry can be the host of another one, or be listed in two spellings.
    @Test func contactsEachEndpointOnce() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { web in
            let pin = #""pins":[{"sha256":"\#(try pki.pin("root"))","role":"root"}]"#
            let endpoint = #"["\#(web.localhost)","https://\#(web.localhost)"]"#
            try folder.write(
                #"{"version":1,"hosts":{"localhost":{"endpoints":\#(endpoint),\#(pin)}}}"#, to: "pins.json")
            let anchors = ["--pins", "pins.json", "--anchors", pki.path("root.pem"), "-4"]
            let verified = try run(["verify", "--format", "ndjson"] + anchors, status: 0)
            #expect(targets(of: verified) == [web.localhost])
            let refreshed = try run(["refresh", "--assume-complete"] + anchors, status: 0)
            #expect(!refreshed.text.contains("2 addresses"), "\(refreshed)")
        }
    }

    private struct Line: Decodable {
        let target: String
    }
}
