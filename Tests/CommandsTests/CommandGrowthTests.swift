import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// Eight times as many hosts need about 8 times the work if the work is linear, and 64 times if it is quadratic.
///
/// The measure is the processor time of pinctl as a process, without that of its start.
@Suite(.blocking, .notWithSanitizer) struct CommandGrowthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("growth") }

    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    private func writeSet(_ count: Int, host: (Int) -> String) throws -> String {
        let hosts = (0..<count).map { "\"\(host($0))\":[\"\(Self.pin)\"]" }
        return try folder.write("{\"version\":1,\"hosts\":{\(hosts.joined(separator: ",\n"))}}", to: "\(count).json")
    }

    /// Hosts that refuse the connection: the report has one result for each.
    @Test(arguments: ["ndjson", "json", "text", "junit", "sarif", "github", "prometheus"])
    func verifyOfAWholeSet(format: String) throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        try expectProportion(status: 3) { count in
            let set = try writeSet(count) { "127.\($0 / 62_500).\($0 / 250 % 250).\($0 % 250 + 1)" }
            let arguments = ["--connect-to", "127.0.0.1:\(closed.port)", "--threads", "1", "--format", format]
            return { try PinctlRun.spawn(["verify", "--pins", set] + arguments) }
        }
    }

    /// Hosts that answer, each judged by the rules of all platforms.
    @Test(arguments: ["ndjson", "text"]) func verifyAsEveryPlatform(format: String) throws {
        let pki = try TestPKI.shared()
        try Nginx.run {
            Nginx.host($0, "leaf", more: "ssl_session_tickets off;")
        } _: { server in
            try expectProportion(size: 60, status: 1) { count in
                let hosts = try (0..<count).map {
                    "\"h\($0).example.test\":[\"\(try pki.pin("root"))\",\"\(Self.pin)\"]"
                }
                let set = try folder.write(
                    "{\"version\":1,\"hosts\":{\(hosts.joined(separator: ",\n"))}}", to: "\(count).as.json")
                let arguments = [
                    "verify", "--pins", set, "--as", "all", "--connect-to", server.endpoint, "--anchors",
                    pki.path("root.pem"), "--threads", "1", "--format", format,
                ]
                return {
                    let run = try PinctlRun.spawn(arguments)
                    #expect(run.text.contains("h\(count - 1).example.test"))
                    return run
                }
            }
        }
    }

    /// A host with many pins, and the forecast of each platform for it.
    @Test(arguments: ["leaf", "root", "any"]) func forecastsForManyPins(role: String) throws {
        let pki = try TestPKI.shared()
        let root = try pki.pin("root")
        try Nginx.run {
            Nginx.host($0, "leaf", more: "ssl_session_tickets off;")
        } _: { server in
            for command in [["verify", "--as", "all"], ["refresh"]] {
                try expectProportion(size: 80, status: 0, 1) { count in
                    let spares = (0..<count).map { number in
                        // A report shortens a pin to its first characters.
                        let digits = String(100_000 + number)
                        let pin = digits + String(repeating: "A", count: 37) + "="
                        return #"{"sha256":"\#(pin)","role":"\#(role)","state":"backup"}"#
                    }
                    let pins = [#"{"sha256":"\#(root)","role":"root"}"#] + spares
                    let set = try folder.write(
                        #"{"version":1,"hosts":{"www.example.test":{"pins":[\#(pins.joined(separator: ",\n"))]}}}"#,
                        to: "\(count).pins.json")
                    let arguments = [
                        "--pins", set, "--html", folder.path("\(count).html"), "--connect-to", server.endpoint,
                        "--anchors", pki.path("root.pem"), "--threads", "1",
                    ]
                    return {
                        let run = try PinctlRun.spawn(command + arguments)
                        #expect(run.text.contains("www.example.test"))
                        return run
                    }
                }
            }
        }
    }

    /// Hosts that the set does not cover: each gets a hint from the set.
    @Test(arguments: ["text", "github"]) func verifyOfHostsWithoutAnEntry(format: String) throws {
        try expectProportion(status: 1) { count in
            let set = try writeSet(count) { "host\($0).example.com" }
            let list = try folder.write(
                (0..<count).map { "other\($0).example.org\n" }.joined(), to: "\(count).txt")
            return { try PinctlRun.spawn(["verify", "--pins", set, "--from", list, "--format", format]) }
        }
    }

    @Test func lintOfAWholeSet() throws {
        try expectProportion(status: 0) { count in
            let set = try writeSet(count) { "host\($0).example.com" }
            return { try PinctlRun.spawn(["lint", set, "--format", "sarif"]) }
        }
    }

    /// Hosts below one with as many pins.
    @Test func lintOfHostsBelowOne() throws {
        try expectProportion(size: 500, status: 1) { count in
            let pins = (0..<count).map { "\"\(100_000 + $0)\(String(repeating: "A", count: 37))=\"" }
            let hosts = (0..<count).map { "\"h\($0).example.com\":[\"\(Self.pin)\"]" }
            let set = try folder.write(
                "{\"version\":1,\"hosts\":{\"example.com\":{\"subdomains\":\"all\",\"pins\":[\(pins.joined(separator: ","))]},"
                    + "\(hosts.joined(separator: ","))}}", to: "below\(count).json")
            return { try PinctlRun.spawn(["lint", set]) }
        }
    }

    /// Endpoints of one host that all refuse the connection.
    @Test(arguments: ["text", "github", "prometheus", "sarif"]) func refreshOfManyEndpoints(format: String) throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        try expectProportion(size: 300, status: 3) { count in
            let endpoints = (1...count).map { "\"h.example.com:\($0)\"" }.joined(separator: ",")
            let set = try folder.write(
                "{\"version\":1,\"hosts\":{\"h.example.com\":{\"endpoints\":[\(endpoints)],\"pins\":[\"\(Self.pin)\"]}}}",
                to: "endpoints\(count).json")
            let arguments = ["--pins", set, "--check", "--format", format, "--threads", "1"]
            return { try PinctlRun.spawn(["refresh", "--connect-to", "127.0.0.1:\(closed.port)"] + arguments) }
        }
    }

    /// Files of one long line.
    @Test(arguments: ["plist", "swift"]) func lintOfOtherFormats(kind: String) throws {
        try expectProportion(size: 100, status: 0, 1) { count in
            let text =
                kind == "swift"
                ? "let c=[kTSKPinnedDomains:["
                    + (0..<count).map { "\"h\($0).example\":[kTSKPublicKeyHashes:[\"\(Self.pin)\"]]" }.joined(
                        separator: ",") + "]]"
                : "<plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
                    + (0..<count).map {
                        "<key>h\($0).example</key><dict><key>NSPinnedCAIdentities</key><array><dict>"
                            + "<key>SPKI-SHA256-BASE64</key><string>\(Self.pin)</string></dict></array></dict>"
                    }.joined() + "</dict></dict></dict></plist>"
            let file = try folder.write(text, to: "\(count).\(kind)")
            return { try PinctlRun.spawn(["lint", file]) }
        }
    }

    /// A host of one letter with many marks, which Swift compares and hashes in quadratic time.
    @Test func lintOfAHostWithManyMarks() throws {
        try expectProportion(size: 2_000, status: 1) { count in
            let host = "a" + String(repeating: "\u{301}\u{323}", count: count)
            let file = try folder.write(
                "{\"version\":1,\"hosts\":{\"\(host)\":[\"\(Self.pin)\"]}}", to: "marks\(count).json")
            return { try PinctlRun.spawn(["lint", file]) }
        }
    }

    /// Hosts that refuse the connection.
    @Test(arguments: [["refresh", "--format", "json", "--pins"], ["refresh", "--pins"], ["lint", "--live"]])
    func liveCommandsOverAWholeSet(command: [String]) throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        try expectProportion(status: 3) { count in
            let set = try writeSet(count) { "host\($0).example.com" }
            let arguments = command + [set, "--connect-to", "127.0.0.1:\(closed.port)", "--threads", "1"]
            return { try PinctlRun.spawn(arguments) }
        }
    }

    @Test func initForManyHosts() throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        try expectProportion(status: 3) { count in
            let hosts = (0..<count).map { "host\($0).example.com" }
            let arguments =
                ["init", "--no-backup", "--connect-to", "127.0.0.1:\(closed.port)", "--threads", "1"] + hosts
            return { try PinctlRun.spawn(arguments) }
        }
    }

    @Test func addToEveryHost() throws {
        try expectProportion(size: 400, status: 0) { count in
            let hosts = (0..<count).map { "host\($0).example.com" }
            return {
                let set = try writeSet(count) { hosts[$0] }
                return try PinctlRun.spawn(["add", "--pins", set, "--subdomains", "all"] + hosts)
            }
        }
    }

    @Test func addManyHosts() throws {
        try expectProportion(status: 0) { count in
            let hosts = (0..<count).map { "other\($0).example.com" }
            return {
                let set = try writeSet(count) { "host\($0).example.com" }
                return try PinctlRun.spawn(["add", "--pins", set, "--pin", Self.pin] + hosts)
            }
        }
    }

    @Test func retireAtEveryHost() throws {
        try expectProportion(status: 0) { count in
            let other = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
            let hosts = (0..<count).map { "\"host\($0).example.com\":[\"\(Self.pin)\",\"\(other)\"]" }
            return {
                let set = try folder.write(
                    "{\"version\":1,\"hosts\":{\(hosts.joined(separator: ",\n"))}}", to: "\(count).json")
                return try PinctlRun.spawn(["retire", "--pins", set, "--pin", other])
            }
        }
    }

    @Test func syncOfAWholeSet() throws {
        try expectProportion(status: 0, 1) { count in
            _ = try writeSet(count) { "host\($0).example.com" }
            let copy = (0..<count).map { "\"host\($0).example.com\":[\"sha256/\(Self.pin)\"]" }
            try folder.write("{\"sha256Keys\":{\(copy.joined(separator: ","))}}", to: "\(count).copy.json")
            let manifest = try folder.write(
                """
                {"version":1,"set":"\(count).json","copies":[{"file":"\(count).copy.json","format":"react-native-ssl-manager"}]}
                """, to: "\(count).sync.json")
            return { try PinctlRun.spawn(["sync", "--check", manifest]) }
        }
    }

    /// A file without a certificate: each of its keys is an error.
    @Test func inspectOfManyKeys() throws {
        let pki = try TestPKI.shared()
        let key = PEM.publicKey(try Certificate(der: pki.bytes("root.der")).subjectPublicKeyInfo)
        try expectProportion(size: 500, status: 2) { count in
            let file = try folder.write(String(repeating: key, count: count), to: "keys\(count).pem")
            return { try PinctlRun.spawn(["inspect", file]) }
        }
    }

    /// Copies of an anchor count once. Without the limit on different anchors, the time of OpenSSL would grow with the square of their
    /// number.
    @Test func anchorsWithOneSubject() throws {
        let pki = try TestPKI.shared()
        let (root, chain) = (try pki.bytes("root.der"), pki.path("leaf.chain.pem"))
        let set = try folder.write(
            "{\"version\":1,\"hosts\":{\"www.example.test\":[\"\(Self.pin)\"]}}", to: "anchors.json")
        func run(copies: Int, others: Int) throws -> PinctlRun {
            var text = String(repeating: PEM.certificate(root), count: copies)
            for number in 0..<others {
                // The last bytes belong to the signature of the root, which nothing checks.
                let number = [UInt8(number >> 8), UInt8(number & 0xff)]
                text += PEM.certificate(root.dropLast(2) + number)
            }
            let file = try folder.write(text, to: "anchors.pem")
            return try PinctlRun.spawn([
                "verify", "--pins", set, "--chain", chain, "--anchors", file, "www.example.test",
            ])
        }
        let one = try run(copies: 1, others: 0)
        #expect(one.status == 1)
        let copies = try run(copies: 3000, others: 0)
        #expect(copies.status == 1 && copies.text == one.text)
        #expect(try run(copies: 2, others: 999).status == 1)
        let tooMany = try run(copies: 1, others: 1000)
        #expect(tooMany.status == 2)
        #expect(tooMany.errors.contains("contains more than 1000 trust anchors with one subject"))
    }

    /// - Parameters:
    ///   - size: the number of hosts or pins of the small input.
    ///   - statuses: the exit statuses that the command may have.
    ///   - prepare: makes the input, and returns the command.
    private func expectProportion(
        size: Int = 200, status statuses: Int32..., of prepare: (Int) throws -> () throws -> PinctlRun
    ) throws {
        let start = try (0..<3).map { _ in try PinctlRun.spawn(["--version"]).processorTime }.min() ?? 0
        func work(_ command: () throws -> PinctlRun) throws -> Int64 {
            let run = try command()
            #expect(statuses.contains(run.status ?? -1), "\(run.errors)")
            return run.processorTime - start
        }
        let (few, many) = (try prepare(size), try prepare(8 * size))
        let growth = try Work.growth(few: { try work(few) }, many: { try work(many) })
        #expect(growth < Work.maximumGrowth, "\(size) and \(8 * size) hosts")
    }

    /// Only the logins of the host of the URL can have been sent, so a large `.netrc` file makes the masking of an answer no slower.
    @Test(.notWithSanitizer) func challengeMasksOnlyTheLoginsOfTheHost() throws {
        let folder = try TemporaryFolder("netrc")
        defer { folder.remove() }
        let realm = String(repeating: "%25%41+b", count: 1500)
        let answer =
            "HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm=\"\(realm)\", nonce=\"x\"\r\nContent-Length: 0\r\n\r\n"
        func work(_ count: Int) throws -> Int64 {
            let lines = (0..<count).map { "machine h\($0).test login user\($0) password Secr3t-password-\($0)\n" }
            let file = try folder.write(lines.joined(), to: "netrc")
            return try RawPeer.run { connection in
                _ = connection.read()
                connection.write(answer)
                connection.drain()
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "--netrc-file", file, "http://\(peer.endpoint)/"])
                #expect(run.status == 1, "\(run)")
                return run.processorTime
            }
        }
        let growth = try Work.growth(few: { try work(20) }, many: { try work(800) })
        #expect(growth < 4)
    }
}
