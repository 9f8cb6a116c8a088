import Foundation
import TestSupport
import Testing

/// Jobs, threads, rate and retries.
@Suite(.blocking) struct LoadTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// Every host has one result for any number of threads, in order if the format requires it.
    @Test(arguments: [1, 2, 3, 8]) func everyHostHasOneResultForAnyThreads(threads: Int) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let pin = try pki.pin("leaf")
            let run = try fetch(
                "10.0.0.0/23:\(server.port)", "--connect-to", "127.0.0.1", "--anchors", pki.path("root.pem"), "-f",
                "json",
                "--threads", "\(threads)", "-j", "64", "--timeout", "30", "--servername", "localhost")
            #expect(run.status == 0, "\(run.errors)")
            let report = try JSONDecoder().decode(FetchReport.self, from: Data(run.output))
            let expected = (0..<512).map { "10.0.\($0 / 256).\($0 % 256):\(server.port)" }
            #expect(report.hosts.map(\.target) == expected)
            #expect(report.hosts.allSatisfy { $0.pins.first == pin && $0.trust?.trusted == true })
        }
    }

    /// Starts are evenly spaced, and no host starts early.
    @Test func rate() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try fetch(
                "10.0.0.0/27:\(server.port)", "--connect-to", "127.0.0.1", "-k", "-f", "pin", "-s", "leaf", "--rate",
                "20")
            #expect(run.status == 0, "\(run)")
            #expect(run.lines.count == 32)
            // 31 pauses of 50 ms.
            #expect(run.duration >= .milliseconds(1500))
        }
    }

    /// A server that closes its first connections. pinctl retries until a handshake succeeds.
    @Test func retriesTransientErrors() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let count = Counter()
            let port = server.port
            try RawPeer.run { connection in
                guard count.next() > 2 else { return connection.resetOnClose() }
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                let arguments = ["fetch", peer.endpoint, "-k", "-f", "pin", "-s", "leaf"]
                let once = try PinctlRun.spawn(arguments + ["--retries", "1"])
                #expect(once.status == 3, "\(once)")
                #expect(count.value == 2)
                let often = try PinctlRun.spawn(arguments + ["--retries", "1"])
                #expect(often.status == 0, "\(often)")
                #expect(often.lines == [try pki.pin("leaf")])
                #expect(count.value == 3)
            }
        }
    }

    /// Each attempt has the complete time limit: three attempts for a silent host.
    @Test func retriesTimeouts() throws {
        let count = Counter()
        try RawPeer.run {
            _ = count.next()
            $0.drain()
        } _: { peer in
            let run = try fetch(peer.endpoint, "--retries", "2", "--timeout", "0.2")
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("within 0.2 s"))
            #expect(run.duration >= .milliseconds(600))
            #expect(count.value == 3)
        }
    }

    /// pinctl does not retry after an answer: an alert, another protocol, an untrusted chain.
    @Test func doesNotRetryAnswers() throws {
        let count = Counter()
        try RawPeer.run {
            _ = count.next()
            _ = $0.read()
            $0.write([21, 3, 3, 0, 2, 2, 40])
            $0.drain()
        } _: { peer in
            let run = try fetch(peer.endpoint, "--retries", "5")
            #expect(run.status == 3, "\(run)")
            #expect(count.value == 1)
        }
        let greeted = Counter()
        try RawPeer.run {
            _ = greeted.next()
            $0.write("SSH-2.0-OpenSSH_9.2\r\n")
            $0.drain()
        } _: { peer in
            try #expect(fetch(peer.endpoint, "--retries", "5").status == 3)
            #expect(greeted.value == 1)
        }
    }

    /// A slow reader slows the run down, but no host exceeds its time limit.
    @Test func slowReaderCausesNoTimeout() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            // More output than a pipe can buffer, which is 64 KiB.
            let script = """
                '\(PinctlRun.executable)' fetch 10.0.0.0/23:\(server.port) --connect-to 127.0.0.1 -k -f ndjson -j 32 --threads "$0" \
                --timeout 1 | { sleep 3; cat; }
                """
            for threads in ["1", "2"] {
                let run = try ChildProcess.run(["sh", "-c", script, threads])
                let lines = run.text.split(separator: "\n")
                #expect(lines.count == 512)
                let failed = lines.filter { !$0.hasSuffix(#""error":null}"#) }
                #expect(failed.isEmpty, "\(failed.count) of them: \(failed.first?.suffix(150) ?? "")")
            }
        }
    }

    @Test func moreJobsThanOpenFiles() throws {
        let script = "ulimit -n 100; exec '\(PinctlRun.executable)' fetch 127.0.0.0/24:1 -f ndjson \"$@\""
        // The default number of jobs is reduced to fit.
        let fitting = try ChildProcess.run(["sh", "-c", script, "sh"])
        #expect(fitting.end == .exit(3))
        #expect(fitting.text.split(separator: "\n").count { $0.contains(#""code":"refused""#) } == 256)
        let asked = try ChildProcess.run(["sh", "-c", script, "sh", "--jobs", "200"])
        #expect(asked.end == .exit(2))
        #expect(
            asked.errors.hasPrefix(
                "pinctl: error: \"--jobs 200\" needs 264 open files: the limit of this process is 100\n"))
    }
}
