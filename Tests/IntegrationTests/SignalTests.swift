import Foundation
import Synchronization
import TestSupport
import Testing

/// The reaction of a run with many hosts to SIGINT, SIGTERM and SIGUSR1.
@Suite(.blocking) struct SignalTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("signals")
    }

    /// A server, and a run with more hosts than it can finish at this rate.
    private func withRun(
        _ arguments: [String], rate: Int = 40, _ body: (ChildProcess) throws -> Void
    ) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let command =
                [PinctlRun.executable, "fetch", "10.0.0.0/16:\(server.port)", "-k", "--connect-to", "127.0.0.1"]
                + ["--rate", "\(rate)"] + arguments
            let process = try ChildProcess(command, environment: TestEnvironment.base, folder: folder.url)
            defer { process.stop() }
            try body(process)
        }
    }

    private func wait(_ condition: () throws -> Bool) rethrows {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !condition(), ContinuousClock.now < deadline { usleep(2000) }
    }

    private func lines(_ process: ChildProcess) -> [Substring] {
        String(decoding: process.outputSoFar, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func finishesHostsInFlight(signal: Int32) throws {
        try withRun(["-f", "ndjson"]) { process in
            wait { lines(process).count > 5 }
            process.send(signal)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
            let written = lines(process)
            // The output contains complete lines, one for each host, as many as the summary counts.
            #expect(written.last == "")
            for line in written.dropLast() {
                try #expect(JSONDecoder().decode(FetchReport.Host.self, from: Data(line.utf8)).error == nil)
            }
            let errors = String(decoding: process.errorsSoFar, as: UTF8.self)
            let count = written.count - 1
            #expect(errors == "pinctl: interrupted: \(count) hosts: \(count) not trusted\n")
        }
    }

    /// The page of an interrupted run is not that of a run in which all hosts pass.
    @Test func interruptedPageIsNotThatOfASuccess() throws {
        try withRun(["-f", "json", "--html", "page.html"]) { process in
            wait { String(decoding: process.outputSoFar, as: UTF8.self).contains("10.0.0.1:") }
            process.send(SIGTERM)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
            let page = try folder.text("page.html")
            #expect(page.contains(", not complete</title>") && !page.contains(" pass</title>"))
            #expect(page.contains("Not complete: the run was interrupted, so hosts are missing."))
        }
    }

    /// The document of an interrupted run is complete.
    @Test func interruptedDocumentIsComplete() throws {
        try withRun(["-f", "json"]) { process in
            wait { String(decoding: process.outputSoFar, as: UTF8.self).contains("10.0.0.1:") }
            process.send(SIGINT)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
            let report = try JSONDecoder().decode(FetchReport.self, from: Data(process.outputSoFar))
            #expect(report.hosts.count > 1)
            #expect(report.hosts.map(\.target).prefix(2).map { $0.prefix { $0 != ":" } } == ["10.0.0.0", "10.0.0.1"])
        }
    }

    /// The report of --html is written after the last host, and has the hosts that were finished.
    @Test func interruptedHTMLReportIsWhole() throws {
        try withRun(["-f", "ndjson", "--html", "report.html"]) { process in
            wait { lines(process).count > 5 }
            try #expect(folder.names() == [])
            process.send(SIGINT)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
            let count = lines(process).count - 1
            let page = try folder.text("report.html")
            #expect(page.hasSuffix("</body>\n</html>\n"))
            #expect(page.contains("! Not complete: the run was interrupted"))
            #expect(page.contains("\(count) hosts: \(count) not trusted"))
            #expect(page.components(separatedBy: "<details").count - 1 == min(count, 100))
        }
    }

    @Test func killedRunLeavesNoHTMLReport() throws {
        try withRun(["-f", "ndjson", "--html", "report.html"]) { process in
            wait { lines(process).count > 5 }
            process.send(SIGKILL)
            _ = process.wait(atMost: .seconds(20))
            try #expect(folder.names() == [])
        }
    }

    /// Starts pinctl with a host that accepts connections and sends nothing, and waits until pinctl has connected.
    private func withSilentHost(
        _ arguments: (RawPeer) -> [String], _ body: (ChildProcess) throws -> Void
    ) throws {
        let isConnected = Mutex(false)
        try RawPeer.run {
            isConnected.withLock { $0 = true }
            $0.drain()
        } _: { silent in
            let process = try ChildProcess(
                [PinctlRun.executable, "fetch"] + arguments(silent), environment: TestEnvironment.base)
            defer { process.stop() }
            wait { isConnected.withLock { $0 } }
            try body(process)
        }
    }

    private func manySilentHosts(timeout: String, _ body: (ChildProcess) throws -> Void) throws {
        try withSilentHost {
            ["10.0.0.0/16", "-f", "ndjson", "--timeout", timeout, "--rate", "100", "--connect-to", $0.endpoint]
        } _: { process in
            #expect(process.isRunning)
            process.send(SIGINT)
            try body(process)
        }
    }

    /// Silent hosts keep their time limit.
    @Test func hostsInFlightKeepTheirTimeLimit() throws {
        defer { folder.remove() }
        try manySilentHosts(timeout: "1.5") { process in
            #expect(process.wait(atMost: .seconds(60)) == .exit(130))
            let text = String(decoding: process.outputSoFar, as: UTF8.self)
            #expect(text.contains(#""code":"timeout""#))
            #expect(text.hasSuffix("\n"))
        }
    }

    @Test func secondSignalStopsAtOnce() throws {
        defer { folder.remove() }
        try manySilentHosts(timeout: "600") { process in
            // Signals that arrive before the first one was handled count as one.
            wait {
                process.send(SIGINT)
                return !process.isRunning
            }
            #expect(process.wait(atMost: .seconds(60)) == .exit(130))
            let errors = String(decoding: process.errorsSoFar, as: UTF8.self)
            #expect(errors.hasPrefix("pinctl: interrupted: 0 hosts"), "\(errors)")
        }
    }

    @Test func reportsProgress() throws {
        try withRun(["-f", "ndjson"]) { process in
            wait { lines(process).count > 3 }
            process.send(SIGUSR1)
            wait { !process.errorsSoFar.isEmpty }
            let report = String(decoding: process.errorsSoFar, as: UTF8.self)
            let line = /^pinctl: (\d+)( of \d+)? done( \(\d+ %\))?, (\d+) not trusted, 0 failed, \d+\/s/
            let match = try #require(report.firstMatch(of: line), "\(report)")
            // The chain of every finished host is untrusted.
            #expect(match.output.1 == match.output.4)
            #expect(process.isRunning)
            process.send(SIGINT)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
        }
    }

    /// A signal stops a run with one host at once.
    @Test func interruptsOneHostAtOnce() throws {
        defer { folder.remove() }
        try withSilentHost {
            [$0.endpoint, "--timeout", "600"]
        } _: { process in
            process.send(SIGINT)
            #expect(process.wait(atMost: .seconds(60)) == .signal(SIGINT))
        }
    }

    /// --resume continues after Ctrl-C as it does after a kill.
    @Test func resumesAfterAnInterruption() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let arguments = [
                PinctlRun.executable, "fetch", "10.0.0.0/24:\(server.port)", "-k", "--connect-to", "127.0.0.1",
                "--resume",
                folder.path("r.ndjson"), "-j", "32",
            ]
            let process = try ChildProcess(arguments + ["--rate", "100"], environment: TestEnvironment.base)
            try wait { try folder.names() == ["r.ndjson"] && folder.bytes("r.ndjson").count > 1000 }
            process.send(SIGINT)
            #expect(process.wait(atMost: .seconds(20)) == .exit(130))
            let first = try folder.text("r.ndjson").split(separator: "\n").count
            #expect(first < 256)
            let rest = try ChildProcess.run(arguments)
            #expect(rest.end == .exit(0))
            #expect(
                rest.errors
                    == "pinctl: \(256 - first) hosts: \(256 - first) not trusted, \(first) skipped (already in the file)\n"
            )
            let lines = try folder.text("r.ndjson").split(separator: "\n")
            #expect(Set(lines.map { $0.prefix { $0 != "," } }).count == 256)
            #expect(lines.count == 256)
        }
    }

    // MARK: On a terminal

    /// Runs a command on a separate terminal, and returns the bytes that the terminal received.
    private func onTerminal(_ command: [String]) throws -> String {
        let script = """
            import os, pty, sys
            pid, terminal = pty.fork()
            if pid == 0:
                os.execvp(sys.argv[1], sys.argv[1:])
            while True:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    break
                if not data: break
                os.write(1, data)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let run = try ChildProcess.run(["python3", "-c", script] + command)
        return run.text
    }

    @Test func drawsAndErasesTheProgressLine() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let arguments = [
                PinctlRun.executable, "fetch", "10.0.0.0/26:\(server.port)", "-k", "--connect-to", "127.0.0.1",
                "--rate",
                "32",
                "-f", "ndjson", "--resume", folder.path("r.ndjson"),
            ]
            let text = try onTerminal(arguments)
            let line = /\d+( of 64)? done( \(\d+ %\))?(, \d+ not trusted)?, 0 failed, \d+\/s/
            let drawn = text.matches(of: line).count
            #expect(drawn >= 3, "\(text)")
            #expect(text.contains(" left"), "\(text)")
            // Each progress line is erased before other output, and only the summary stays.
            let erased = text.components(separatedBy: "\r\u{1B}[K").count - 1
            #expect(erased == drawn, "\(text)")
            #expect(text.hasSuffix("\r\u{1B}[Kpinctl: 64 hosts: 64 not trusted\r\n"), "\(text)")
            // No progress line stays on the terminal.
            #expect(!text.contains("left\r\n"))
        }
    }

    /// A run with one host shows no progress, nor does a run whose standard error is not a terminal.
    @Test func drawsNothingWithoutATerminal() throws {
        try withRun(["-f", "ndjson"]) { process in
            // A progress line is drawn every 250 ms, which is 10 hosts at this rate.
            wait { lines(process).count > 40 }
            #expect(process.errorsSoFar.isEmpty)
            process.send(SIGINT)
            _ = process.wait(atMost: .seconds(20))
        }
    }
}
