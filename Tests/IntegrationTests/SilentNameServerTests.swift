import Foundation
import TestSupport
import Testing

/// A name server that truncates its answers about some names, and accepts connections over TCP but never answers there. About the name
/// `half.test`, it answers the question for IPv4 addresses only.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct SilentNameServerTests {
    /// The name server has an address of the names `good.test` and `half.test` only. The port of both protocols is the same.
    private static let server = """
        import socket, sys
        while True:
            tcp = socket.socket()
            tcp.bind(("127.0.0.1", 0))
            tcp.listen(4096)
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            try:
                udp.bind(tcp.getsockname())
                break
            except OSError:
                pass
        print(tcp.getsockname()[1], flush=True)
        while True:
            query, client = udp.recvfrom(4096)
            end = query.index(b"\\0", 12) + 5
            question, isHalf = query[12:end], query[12:].lower().startswith(b"\\4half")
            if isHalf and question[-4:] == b"\\0\\x1c\\0\\1":
                continue
            isGood = isHalf or query[12:].lower().startswith(b"\\4good")
            records = b""
            if isGood and question[-4:] == b"\\0\\1\\0\\1":
                records = b"\\xc0\\x0c\\0\\1\\0\\1\\0\\0\\0\\5\\0\\4\\x7f\\0\\0\\1"
            flags = b"\\x81\\x80" if isGood else b"\\x83\\x80"
            counts = b"\\0\\1" + bytes([0, 1 if records else 0]) + bytes(4)
            udp.sendto(query[:2] + flags + counts + question + records, client)
        """

    /// Three times as many such names as threads, because a lost question over UDP holds no thread for long. glibc waits for an answer over
    /// TCP without a limit (`send_vc` in resolv/res_send.c). A signal that the parent process ignores is ignored after execve(2), too.
    @Test(arguments: ["", "trap '' RTMAX-3; "]) func itsNamesHoldNoThreadAfterTheirTimeLimit(start: String) throws {
        let folder = try TemporaryFolder("silent")
        let library = try FaultInjection.lookUpLibrary(in: folder)
        let (server, port) = try Self.started()
        defer { server.stop() }
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        let names = (0..<1500).map { "dead\($0).test\n" }.joined() + "good.test\n"
        let variables = [
            "LD_PRELOAD=\(library)", "LOOKUP_HOST=good.test", "LOOKUP_SERVER=\(port)", "LOOKUP_PORT=\(closed.port)",
        ]
        let run = try ChildProcess.run(
            ["bash", "-c", start + #"exec env "$@""#, "bash"] + variables + [
                PinctlRun.executable, "fetch", "--from", "-", "--jobs", "600", "--timeout", "2", "--format", "ndjson",
            ], input: Array(names.utf8))
        let lines = run.text.split(separator: "\n")
        let good = lines.filter { $0.contains(#""target":"good.test:443""#) }
        #expect(
            good.count == 1 && good.allSatisfy { $0.contains(#""code":"refused""#) },
            "\(good) \(run.errors.suffix(2000))")
        #expect(lines.count == 1501)
    }

    /// glibc asks three times for the IPv6 addresses, before it returns the others. An app then connects to these.
    @Test func anAnswerForOneFamilyCountsWithinTheTimeLimit() throws {
        let folder = try TemporaryFolder("half")
        let library = try FaultInjection.lookUpLibrary(in: folder)
        let (server, port) = try Self.started()
        defer { server.stop() }
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        let run = try PinctlRun.spawn(
            ["fetch", "half.test", "--timeout", "7", "--format", "ndjson"],
            environment: [
                "LD_PRELOAD": library, "LOOKUP_HOST": "half.test", "LOOKUP_SERVER": port,
                "LOOKUP_PORT": "\(closed.port)",
            ])
        #expect(run.text.contains(#""code":"refused""#), "\(run)")
    }

    /// The name server, and its port.
    private static func started() throws -> (server: ChildProcess, port: String) {
        let server = try ChildProcess(["python3", "-c", Self.server], environment: TestEnvironment.base)
        let deadline = ContinuousClock.now + .seconds(20)
        var port = ""
        while port.isEmpty, ContinuousClock.now < deadline {
            usleep(10_000)
            let text = String(decoding: server.outputSoFar, as: UTF8.self)
            if text.hasSuffix("\n") { port = String(text.dropLast()) }
        }
        return (server, port)
    }
}
