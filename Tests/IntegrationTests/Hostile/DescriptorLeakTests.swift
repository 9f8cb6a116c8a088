import Foundation
import TestSupport
import Testing

/// Good and bad hosts in one run: each has the correct result, and none leaves a descriptor open.
@Suite(.blocking) struct DescriptorLeakTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// The behaviours of bad hosts, in turn.
    private static func misbehave(_ connection: RawPeer.Connection, _ number: Int) {
        switch number % 7 {
        case 0: break
        case 1: connection.resetOnClose()
        case 2: connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        case 3: connection.write([UInt8](repeating: 0xFF, count: 5000))
        case 4:
            // A handshake record with a length greater than its contents.
            _ = connection.read()
            connection.write([22, 3, 3, 0x40, 0, 2, 0, 0, 90])
        case 5:
            _ = connection.read()
            connection.write([21, 3, 3, 0, 2, 2, 80])
        default:
            _ = connection.read()
            connection.write([22, 3, 3, 0, 4, 2, 0, 0])
            connection.pause(5)
            connection.resetOnClose()
        }
    }

    /// The limit of open files is low, so the run fails soon if each host leaves one open.
    @Test(arguments: ["1", "2"]) func leavesNoDescriptorOpen(threads: String) throws {
        let count = Counter()
        try RawPeer.run {
            Self.misbehave($0, count.next())
        } _: { bad in
            try Nginx.run {
                Nginx.host($0, "leaf")
            } _: { good in
                let dead = try LoopbackSocket()
                defer { withExtendedLifetime(dead) {} }
                let lines = (0..<1200).map { number in
                    switch number % 3 {
                    case 0: "127.0.0.1:\(good.port)"
                    case 1: "127.0.0.1:\(bad.port)"
                    default: "127.0.0.1:\(dead.port)"
                    }
                }
                let folder = try TemporaryFolder("hostile")
                defer { folder.remove() }
                let list = try folder.write(lines.joined(separator: "\n") + "\n", to: "hosts.txt")
                let script = """
                    ulimit -n 100; exec '\(PinctlRun.executable)' fetch --from '\(list)' -k -f ndjson --threads \(threads) --timeout 30
                    """
                let run = try ChildProcess.run(["sh", "-c", script])
                let hosts = try run.text.split(separator: "\n").map {
                    try JSONDecoder().decode(FetchReport.Host.self, from: Data($0.utf8))
                }
                #expect(hosts.count == 1200)
                var codes: [String: Int] = [:]
                for host in hosts {
                    codes[
                        "\(host.target.hasSuffix(":\(bad.port)") ? "bad " : "")\(host.error?.code ?? "none")",
                        default: 0] += 1
                }
                #expect(codes["none"] == 400, "\(codes)")
                #expect(codes["refused"] == 400, "\(codes)")
                // A connection can be reset before pinctl knows that it was established.
                let expected = ["bad closed", "bad tls", "bad unreachable"]
                #expect(codes.keys.filter { $0.hasPrefix("bad ") }.allSatisfy { expected.contains($0) }, "\(codes)")
                #expect(!run.text.contains("too many open files"))
                #expect(run.end == .exit(3))
            }
        }
    }
}
