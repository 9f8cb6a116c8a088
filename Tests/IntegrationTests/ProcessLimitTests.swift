import Foundation
import TestSupport
import Testing

/// Limits of the process (setrlimit(2)) end a run with an error that names the limit, not with a crash.
@Suite(.blocking, .notWithSanitizer) struct ProcessLimitTests {
    private func pinctl(limits: String, _ arguments: String...) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            ["bash", "-c", "ulimit -c 0 \(limits); exec \"$@\"", "bash", PinctlRun.executable] + arguments,
            environment: TestEnvironment.base)
    }

    @Test func openFileLimitIsReportedAsSuch() throws {
        let run = try pinctl(limits: "-n 10", "fetch", "nosuch.invalid", "--timeout", "1")
        #expect(run.end == .exit(2), "\(run.errors)")
        let error = "pinctl: error: a connection needs up to 16 open files: the limit of this process is 10, and "
        #expect(run.errors.hasPrefix(error), "\(run.errors)")
        #expect(run.errors.hasSuffix("pinctl: hint: raise the limit of open files with ulimit -n\n"), "\(run.errors)")
    }

    /// OpenSSL reports an unknown authority if it cannot open the files of the trust store.
    @Test func openFileLimitMakesNoChainUntrusted() throws {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("descriptors")
        defer { folder.remove() }
        try OpenSSLServer.run { server in
            let target = "127.0.0.1:\(server.port)=localhost"
            try folder.write(String(repeating: target + "\n", count: 24), to: "hosts")
            for arguments in [[target], ["--from", folder.path("hosts"), "--threads", "2"]] {
                var results: Set<Bool> = []
                for limit in Array(8...24) + [100] {
                    let run = try ChildProcess.run(
                        ["bash", "-c", "ulimit -n \(limit); exec \"$@\"", "bash", PinctlRun.executable, "fetch"]
                            + arguments,
                        environment: TestEnvironment.base.merging(["SSL_CERT_FILE": pki.path("root.pem")]) { $1 })
                    let isRefused = run.errors.contains("open files: the limit of this process is \(limit)")
                    #expect(run.end == .exit(isRefused ? 2 : 0), "\(limit): \(run.errors)\(run.text)")
                    results.insert(isRefused)
                }
                #expect(results.count == 2, "\(arguments)")
            }
        }
    }

    /// By default the signal SIGXFSZ ends the process.
    @Test(arguments: [["keygen", "new.key", "--no-encrypt"], ["convert", "--to", "okhttp", "set.json", "-o", "old"]])
    func fileSizeLimitIsReportedAsSuch(arguments: [String]) throws {
        let folder = try TemporaryFolder("sizes")
        defer { folder.remove() }
        try folder.write(
            #"{"version":1,"hosts":{"a.test":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "set.json")
        try folder.write("old", to: "old")
        // The messages go through a pipe, because the limit also applies to the file that receives them.
        let script = "(ulimit -c 0 -f 0; exec \"$@\") 2>&1 | cat; exit ${PIPESTATUS[0]}"
        let run = try ChildProcess.run(
            ["bash", "-c", script, "bash", PinctlRun.executable] + arguments,
            environment: TestEnvironment.base, folder: folder.url)
        #expect(run.end == .exit(2), "\(run)")
        #expect(run.text.contains("file too large"), "\(run)")
        try #expect(folder.text("old") == "old")
        try #expect(folder.names() == ["old", "set.json"])
    }

    #if os(Linux)
        /// Address space in addition to the program's own, in kibibytes: from too little for one host to enough for several.
        static let spaces = [100, 4000, 8000, 16_000, 32_000, 64_000, 128_000]

        /// The address space that `pinctl --version` needs, in kibibytes, without the 8 MiB that each command requires in addition.
        private func ownSpace() throws -> Int {
            let script = """
                ulimit -c 0
                for kib in $(seq 10000 2000 2000000); do
                    if (ulimit -v $kib; "$0" --version >/dev/null 2>&1); then echo $kib; exit; fi
                done
                """
            let run = try ChildProcess.run(["bash", "-c", script, PinctlRun.executable])
            return try #require(Int(run.text.split(separator: "\n").first ?? "")) - (8 << 10)
        }

        /// Documents that need much more memory than their size: a list of wrong values, many elements, and many certificates.
        @Test func aLimitOfMemoryIsAnErrorForLargeFiles() throws {
            let own = try ownSpace()
            let folder = try TemporaryFolder("memory")
            defer { folder.remove() }
            let values = String(repeating: "1,", count: 30_000) + "1"
            try folder.write("{\"version\":1,\"hosts\":{\"a.test\":[\(values)]}}", to: "values.json")
            try folder.write("<a>" + String(repeating: "<b/>", count: 50_000) + "</a>", to: "elements.xml")
            try folder.write([UInt8](repeating: 0x30, count: 8 << 20), to: "bytes.der")
            let certificate = try TestPKI.shared().text("leaf.pem")
            try folder.write(String(repeating: certificate, count: 2_000), to: "certificates.pem")
            let commands = [
                ["lint", "values.json"], ["convert", "--to", "pins", "elements.xml"], ["hash", "bytes.der"],
                ["hash", "certificates.pem"], ["verify", "localhost", "--pins", "values.json"],
            ]
            for command in commands {
                var refusals = 0
                for space in Self.spaces {
                    let run = try ChildProcess.run(
                        ["bash", "-c", "ulimit -c 0 -v \(own + space); exec \"$@\"", "bash", PinctlRun.executable]
                            + command,
                        environment: TestEnvironment.base, folder: folder.url)
                    guard case .exit(let status) = run.end else {
                        Issue.record("\(command): \(run.end) with \(space) KiB: \(run.errors)")
                        continue
                    }
                    guard run.errors.contains("MiB of memory: the limit") else { continue }
                    #expect(status == 2, "\(run.errors)")
                    refusals += 1
                }
                #expect((1..<Self.spaces.count).contains(refusals), "\(command)")
            }
        }

        @Test func aLimitOfMemoryIsAnError() throws {
            let own = try ownSpace()
            try Nginx.run {
                Nginx.host($0, "leaf")
            } _: { server in
                var statuses: Set<Int32> = []
                for space in Self.spaces {
                    for more in [
                        ["--format", "ndjson"], ["--format", "json"], ["--threads", "2"], ["--jobs", "64"],
                    ] {
                        let run = try ChildProcess.run(
                            ["bash", "-c", "ulimit -c 0 -v \(own + space); exec \"$@\"", "bash", PinctlRun.executable]
                                + ["fetch", "10.0.0.0/25:\(server.port)", "--connect-to", "127.0.0.1", "-k"] + more,
                            environment: TestEnvironment.base)
                        guard case .exit(let status) = run.end else {
                            Issue.record("\(run.end) with \(space) KiB: \(run.errors)")
                            continue
                        }
                        statuses.insert(status)
                        #expect(status == 0 || status == 2, "\(space) KiB: \(run.errors)")
                        if status == 2 { #expect(run.errors.contains("MiB of memory: the limit"), "\(run.errors)") }
                    }
                }
                #expect(statuses == [0, 2])
            }
        }
    #endif
}
