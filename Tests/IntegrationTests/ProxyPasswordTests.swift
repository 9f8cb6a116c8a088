import Foundation
import TestSupport
import Testing

/// The user and the password of a proxy: where they are visible, and who gets them.
@Suite(.blocking) struct ProxyPasswordTests: ProxySuite {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// The proxy answers only after the test has read the command line of pinctl, from which the password is gone by then.
    @Test func aPasswordInTheURLIsErasedAndNotShown() throws {
        let secret = "hunter2secret"
        for form in [["--proxy", "URL"], ["--proxy=URL"]] {
            let asked = Counter()
            try RawPeer.run { connection in
                _ = connection.read()
                _ = asked.next()
                connection.drain()
            } _: { peer in
                let url = "http://\(Self.user.name):\(secret)@\(peer.endpoint)"
                let process = try ChildProcess(
                    [PinctlRun.executable, "fetch", "localhost:443", "--timeout", "5"]
                        + form.map { $0.replacing("URL", with: url) },
                    environment: TestEnvironment.base)
                defer { process.stop() }
                while asked.value == 0, process.isRunning { usleep(1000) }
                let line = try #require(process.commandLine, "there is no /proc")
                #expect(line.contains(peer.endpoint), "\(line)")
                #expect(!line.contains(secret) && !line.contains(Self.user.name), "\(line)")
                process.stop()
                let errors = String(decoding: process.errorsSoFar, as: UTF8.self)
                #expect(errors.contains("warning: the password in the URL of --proxy was visible"), "\(errors)")
                #expect(!errors.contains(secret) && !errors.contains(Self.user.name))
            }
        }
    }

    #if os(Linux)
        /// A command can wait for its inputs for any time. The input is a FIFO, which pinctl opens after it has protected the password.
        @Test(arguments: [
            ["verify", "--pins", "pipe", "x.test"], ["refresh", "--pins", "pipe"], ["fetch", "--from", "pipe"],
            ["fetch", "--anchors", "pipe", "x.test"], ["explain", "pipe"], ["challenge", "--from", "pipe"],
            ["challenge", "--pins", "pipe", "x.test"], ["lint", "--live", "pipe"], ["diff", "pipe", "x.test"],
            ["init", "x.test", "--from-csr", "pipe"], ["inspect", "pipe", "x.test"],
        ])
        func thePasswordIsProtectedBeforeTheFirstInput(arguments: [String]) throws {
            let url = "http://\(Self.user.name):\(Self.secret)@127.0.0.1:9"
            try expectProtection(in: arguments + ["--proxy", url])
            try expectProtection(in: arguments, ["https_proxy": url])
        }

        /// These URLs are errors. The word after the encoded `@` can be a part of the password.
        @Test(arguments: [
            "http://*%3A+%40127.0.0.1:9", "http://*:+%40127.0.0.1:9", "http://*:+%2540h", "*%3A+%40h",
            "http%3A%2F%2F*:+%40h",
            "http://*:+\u{FF20}h", "http://*:+\u{FE6B}h", "http://*:x@+%40h",
        ])
        func soIsThatOfAnInvalidURL(form: String) throws {
            let url = form.replacing("*", with: Self.user.name).replacing("+", with: Self.secret)
            for option in [["--proxy", url], ["--proxy=\(url)"]] {
                try expectProtection(in: ["verify", "--pins", "pipe", "x.test"] + option)
            }
        }

        private static let secret = "hunter2secret"

        /// Runs a command that waits for `pipe`, and expects that other processes can read no password.
        private func expectProtection(in arguments: [String], _ variables: [String: String] = [:]) throws {
            let folder = try TemporaryFolder("pipe")
            defer { folder.remove() }
            try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
            let process = try ChildProcess(
                ["sh", "-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", PinctlRun.executable] + arguments,
                environment: TestEnvironment.base.merging(variables) { $1 }, folder: folder.url)
            defer { process.stop() }
            // Without a reader, open(2) fails with ENXIO.
            var pipe = unsafe open(folder.path("pipe"), O_WRONLY | O_NONBLOCK)
            while pipe < 0, process.isRunning {
                usleep(1000)
                pipe = unsafe open(folder.path("pipe"), O_WRONLY | O_NONBLOCK)
            }
            defer { close(pipe) }
            let line = try #require(process.commandLine)
            #expect(line.contains("pipe") && !line.contains(Self.secret) && !line.contains(Self.user.name), "\(line)")
            let limits = try String(contentsOfFile: "/proc/\(process.identifier)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").dropFirst(4).first == "0", "\(arguments): \(core)")
        }
    #endif

    /// The credential is for the proxy: neither the server nor a proxy that asks for nothing gets it.
    @Test func theCredentialGoesToTheProxyOnly() throws {
        let requests = Requests()
        try RawPeer.run { connection in
            if let bytes = connection.read() { requests.add(bytes) }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            if let bytes = connection.read() { requests.add(bytes) }
        } _: { peer in
            let run = try pinctl(
                "fetch", "localhost:443",
                environment: ["https_proxy": "http://\(Self.user.name):hunter2@\(peer.endpoint)"])
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("localhost:443 (through http://\(peer.endpoint))"), "\(run)")
        }
        let all = requests.bytes
        #expect(!all.isEmpty && all.firstRange(of: Array("hunter2".utf8)) == nil)
        #expect(all.firstRange(of: Array("Authorization".utf8)) == nil)
        #expect(all.firstRange(of: Array(Data("\(Self.user.name):hunter2".utf8).base64EncodedString().utf8)) == nil)
    }
}
