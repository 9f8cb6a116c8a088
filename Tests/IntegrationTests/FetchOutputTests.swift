import Foundation
import TestSupport
import Testing

/// Pins and certificates on standard output and in files, compared with openssl or with the original certificates.
@Suite(.blocking) struct FetchOutputTests {
    let pki: TestPKI
    let folder: TemporaryFolder
    var anchors: String { pki.path("root.pem") }

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("output")
    }

    /// Runs `fetch` with these arguments for a local server.
    private func fetching(_ body: (ServerProcess, (String...) throws -> PinctlRun) throws -> Void) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try body(server) { (arguments: String...) in
                try PinctlRun.spawn(
                    ["fetch", server.localhost, "--anchors", anchors] + arguments, folder: folder.url)
            }
        }
    }

    @Test func derIsByteForByteTheCertificate() throws {
        try fetching { server, fetch in
            for (selection, name) in [("leaf", "leaf"), ("1", "intermediate"), ("root", "root")] {
                let run = try fetch("-s", selection, "-f", "der")
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output == (try pki.bytes("\(name).der")))
                #expect(run.errors.isEmpty)
            }
        }
    }

    @Test func pemIsWhatOpenSSLReads() throws {
        try fetching { server, fetch in
            let run = try fetch("-f", "pem")
            let names = ["leaf", "intermediate", "root"]
            #expect(run.output == (try names.flatMap { try pki.bytes("\($0).pem") }))
            let leaf = try ChildProcess.output(of: ["openssl", "x509", "-outform", "DER"], input: run.output)
            #expect(leaf == (try pki.bytes("leaf.der")))
            // The file contains all certificates: openssl uses it as the untrusted certificates for the leaf.
            let file = try folder.write(run.output, to: "chain.pem")
            let verdict = try ChildProcess.output(
                of: ["openssl", "verify", "-CAfile", anchors, "-untrusted", file, pki.path("leaf.pem")])
            #expect(String(decoding: verdict, as: UTF8.self).hasSuffix(": OK\n"))
        }
    }

    /// A failure is also on standard error, because the log of a CI job does not show the file.
    @Test func aFailureInAFileIsNotSilent() throws {
        try fetching { server, fetch in
            for name in ["chain.json", "chain.txt", "chain.csv", "chain.md", "chain.svg", "chain.prom"] {
                let trusted = try fetch("--output", name)
                #expect(trusted.status == 0 && trusted.errors.isEmpty, "\(trusted)")
                let expired = try fetch("--output", name, "--at", "2190-01-01")
                #expect(
                    expired.status == 1 && expired.errors.hasSuffix("pinctl: 1 host: 1 not trusted\n"), "\(expired)")
            }
            let dead = try fetch("--output", "dead.json", "--connect-to", "127.0.0.1:\(try LoopbackSocket.freePort())")
            #expect(dead.status == 3 && dead.errors == "pinctl: 1 host: 1 refused\n", "\(dead)")
        }
    }

    /// A file in the folder of --output that is also the file of --html, or a certificate of --anchors.
    @Test func aFileInTheFolderIsNoOtherFile() throws {
        try fetching { server, fetch in
            let name = "certs/localhost-\(server.port).leaf.der"
            _ = try folder.write("", to: "certs/other")
            let twice = try fetch("-o", "certs/", "-s", "leaf", "--html", name)
            #expect(twice.status == 3 && twice.errors.contains("are the same file, for two outputs"), "\(twice)")
            try #expect(folder.text(name).hasSuffix("</html>\n"))
            let root = "certs/localhost-\(server.port).root.pem"
            _ = try folder.write(pki.bytes("root.pem"), to: root)
            let input = try fetch("-o", "certs/", "-s", "root", "-f", "pem", "--anchors", root)
            #expect(input.status == 3, "\(input)")
            #expect(input.errors.contains("is an input of this command and was not replaced"), "\(input)")
            try #expect(folder.bytes(root) == pki.bytes("root.pem"))
        }
    }

    /// A symbolic link in the folder of --output gives two certificates the same file.
    @Test(arguments: [true, false]) func twoCertificatesAreTwoFiles(exists: Bool) throws {
        try fetching { server, fetch in
            let (leaf, root) = ("localhost-\(server.port).leaf.der", "localhost-\(server.port).root.der")
            for (base, link, target) in [("a", leaf, root), ("b", root, leaf)] {
                _ = try folder.write("", to: "\(base)/other")
                if exists { _ = try folder.write("old", to: "\(base)/\(target)") }
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("\(base)/\(link)"), withDestinationPath: target)
                let run = try fetch("-o", "\(base)/")
                #expect(run.status == 3 && run.errors.contains("are the same file, for two outputs"), "\(run)")
                #expect(run.errors.contains(leaf) && run.errors.contains(root), "\(run)")
                // None of the files is written.
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(base)).sorted()
                #expect(names == (["other", link] + (exists ? [target] : [])).sorted())
                if exists { try #expect(folder.text("\(base)/\(target)") == "old") }
            }
        }
    }

    /// A symbolic link stays a link. pinctl writes into a pipe or device and does not replace it.
    @Test func writesThroughLinksAndIntoPipes() throws {
        try fetching { server, fetch in
            try folder.write("old", to: "target")
            try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
            try #expect(fetch("-s", "leaf", "-f", "pin", "-o", "link").status == 0)
            let pin = try pki.pin("leaf") + "\n"
            try #expect(folder.text("target") == pin)
            try #expect(FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
            let piped = try ChildProcess.run(
                [
                    "sh", "-c",
                    "mkfifo pipe && { \"$0\" fetch \"$1\" --anchors \"$2\" -s leaf -f pin -o pipe & cat pipe; wait; test -p pipe; }",
                    PinctlRun.executable, server.localhost, anchors,
                ], environment: TestEnvironment.base, folder: folder.url)
            #expect(piped.end == .exit(0) && piped.text == pin, "\(piped)")
            try #expect(folder.names() == ["link", "pipe", "target"])
        }
    }

    /// If a standard stream is closed, no opened file gets its descriptor.
    @Test(arguments: [1, 2]) func writesNoOutputIntoFilesIfAStreamIsClosed(number: Int) throws {
        try fetching { server, _ in
            let run = try ChildProcess.run(
                [
                    "sh", "-c", "exec \"$0\" fetch \"$1\" 127.0.0.1:1 --anchors \"$2\" --resume r.ndjson \(number)>&-",
                    PinctlRun.executable, server.localhost, anchors,
                ], environment: TestEnvironment.base, folder: folder.url)
            #expect(run.end == .exit(3), "\(run)")
            let lines = try folder.text("r.ndjson").split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{\"target\":") }, "\(lines)")
        }
    }

    @Test func base64IsTheDER() throws {
        try fetching { server, fetch in
            let run = try fetch("-f", "base64")
            #expect(
                run.lines.map { Data(base64Encoded: $0) }
                    == (try ["leaf", "intermediate", "root"].map { Data(try pki.bytes("\($0).der")) }))
        }
    }

    /// The extension of the file selects the format.
    @Test(arguments: [
        "chain.pem", "leaf.der", "leaf.cer", "leaf.crt", "all.json", "all.ndjson", "report.txt", "no-suffix",
    ])
    func fileOfAKnownKind(name: String) throws {
        try fetching { server, fetch in
            let run = try fetch("-o", name, "-s", "leaf")
            #expect(run.status == 0, "\(run)")
            #expect(run.output.isEmpty)
            #expect(run.errors.isEmpty)
            let contents = try folder.bytes(name)
            try #expect(folder.names() == [name])
            switch name.split(separator: ".").last {
            case "pem": #expect(contents == (try pki.bytes("leaf.pem")))
            case "der", "cer", "crt": #expect(contents == (try pki.bytes("leaf.der")))
            case "json": try #expect(JSONDecoder().decode(FetchReport.self, from: Data(contents)).hosts.count == 1)
            case "ndjson":
                try #expect(
                    JSONDecoder().decode(FetchReport.Host.self, from: Data(contents)).pins == [try pki.pin("leaf")])
            default: #expect(try folder.text(name).hasPrefix("\(server.localhost)  trusted"))
            }
        }
    }

    @Test func folderOfCertificates() throws {
        try fetching { server, fetch in
            let run = try fetch("-o", "certs/")
            #expect(run.status == 0, "\(run)")
            #expect(run.output.isEmpty)
            let base = "localhost-\(server.port)"
            let files = FileManager.default
            let certs = folder.url.appending(path: "certs")
            let names = ["leaf": "leaf", "intermediate1": "intermediate", "root": "root"]
            #expect(
                Set(try files.contentsOfDirectory(atPath: certs.path())) == Set(names.keys.map { "\(base).\($0).der" }))
            for (role, name) in names {
                try #expect(folder.bytes("certs/\(base).\(role).der") == pki.bytes("\(name).der"))
            }
            // An existing folder needs no slash, and a second run adds files.
            try #expect(fetch("-o", "certs", "-f", "pem", "-s", "root").status == 0)
            try #expect(folder.bytes("certs/\(base).root.pem") == pki.bytes("root.pem"))
            try #expect(fetch("-o", "certs", "-f", "pin", "-s", "leaf").status == 0)
            try #expect(folder.text("certs/\(base).leaf.pin") == pki.pin("leaf") + "\n")
            try #expect(fetch("-o", "certs", "-f", "base64", "-s", "leaf").status == 0)
            try #expect(
                Data(base64Encoded: folder.text("certs/\(base).leaf.base64").dropLast().description)
                    == Data(pki.bytes("leaf.der")))
        }
    }

    /// Parts of two targets can be equal when they are joined.
    @Test func twoTargetsHaveTwoFiles() throws {
        try fetching { server, fetch in
            let port = server.port
            try folder.write("127.0.0.1:\(port)=localhost-\(port)\n127.0.0.1-\(port)-localhost:\(port)\n", to: "list")
            let run = try fetch("--from", "list", "--connect-to", server.endpoint, "-k", "-s", "leaf", "-o", "certs/")
            #expect(run.status == 0, "\(run)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("certs"))
            // Also that of localhost.
            #expect(names.count == 3, "\(names)")
        }
    }

    /// A colon is no part of a file name, so an address and a name can have the same one.
    @Test func targetsWithTheSameFileName() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-p384", names: "__1")
        } _: { server in
            let targets = ["\(server.endpoint)=::1", "\(server.endpoint)=__1"]
            let run = try PinctlRun.spawn(
                ["fetch", "-k", "-s", "leaf", "-o", "certs/"] + targets, folder: folder.url)
            #expect(run.status == 1, "\(run)")
            #expect(run.errors.contains("already contains a certificate of \(targets[0])"), "\(run)")
            let name = "127.0.0.1-\(server.port)=__1.leaf.der"
            try #expect(folder.bytes("certs/\(name)") == pki.bytes("leaf.der"))
            // The same certificate is no conflict.
            let same = try PinctlRun.spawn(
                ["fetch", "-k", "-s", "intermediate", "-o", "certs/"] + targets, folder: folder.url)
            #expect(same.status == 0, "\(same)")
        }
    }

    @Test(.enabled(if: Loopback.hasIPv6, FetchAddressTests.needsIPv6)) func fileNamesOfAddresses() throws {
        defer { folder.remove() }
        try Nginx.run(on: .ipv6) {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try fetch(
                "[::1]:\(server.port)", "--anchors", anchors, "-s", "leaf", "-o", folder.path)
            #expect(run.status == 0, "\(run)")
            try #expect(folder.names() == ["__1-\(server.port).leaf.der"])
        }
    }

    @Test func fileIsReplacedWhole() throws {
        try fetching { server, fetch in
            try folder.write(String(repeating: "old ", count: 100_000), to: "leaf.der")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("leaf.der"))
            try #expect(fetch("-o", "leaf.der", "-s", "leaf").status == 0)
            try #expect(folder.bytes("leaf.der") == pki.bytes("leaf.der"))
            try #expect(folder.names() == ["leaf.der"])
        }
    }

    /// A failed run keeps the existing file and leaves no temporary file.
    @Test func fileStaysIfNoChainIsTrusted() throws {
        try fetching { server, fetch in
            try folder.write("old", to: "leaf.der")
            let run = try PinctlRun.spawn(
                ["fetch", server.localhost, "--anchors", pki.path("other-root.pem"), "-s", "leaf", "-o", "leaf.der"],
                folder: folder.url)
            #expect(run.status == 1, "\(run)")
            try #expect(folder.text("leaf.der") == "old")
            try #expect(folder.names() == ["leaf.der"])
        }
    }

    @Test(arguments: ["/dev/null/leaf.der", "missing/leaf.der", "taken/leaf.der/", "taken/"])
    func unwritablePaths(path: String) throws {
        try fetching { server, fetch in
            try folder.write("old", to: "taken")
            let run = try fetch("-s", "leaf", "-o", path)
            #expect(run.status == 2, "\(run)")
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("pinctl: error: cannot "), "\(run)")
            #expect(run.errors.contains("\"\(path)"), "\(run)")
            try #expect(folder.names() == ["taken"])
            try #expect(folder.text("taken") == "old")
        }
    }

    /// A reader that closes the pipe early causes no message, but a run whose output was cut off has no success status.
    @Test func readerThatStopsEarly() throws {
        try fetching { server, fetch in
            let targets = Array(repeating: server.localhost, count: 300).joined(separator: " ")
            for format in ["text", "json", "ndjson", "pem"] {
                let script = """
                    { '\(PinctlRun.executable)' fetch -j 64 -f \(format) --anchors '\(anchors)' \(targets); echo $? >status; } | head -c 10
                    """
                let run = try ChildProcess.run(["sh", "-c", script], folder: folder.url)
                #expect(run.output.count == 10)
                #expect(run.errors.isEmpty, "\(format): \(run.errors)")
                let status = try folder.text("status")
                #expect(status == "3\n", "\(format)")
            }
        }
    }

    /// These commands print data and not the result of a check.
    @Test(arguments: ["hash certificates.pem", "convert --to okhttp set.json", "completion bash", "--help"])
    func readerThatStopsEarlyIsNoErrorForData(command: String) throws {
        let certificate = try pki.text("leaf.pem")
        try folder.write(String(repeating: certificate, count: 3000), to: "certificates.pem")
        let hosts = try (0..<3000).map { "\"h\($0).example.test\":[\"\(try pki.pin("leaf"))\"]" }.joined(separator: ",")
        try folder.write("{\"version\":1,\"hosts\":{\(hosts)}}", to: "set.json")
        let run = try ChildProcess.run(
            ["bash", "-c", "'\(PinctlRun.executable)' \(command) | true; exit ${PIPESTATUS[0]}"],
            environment: TestEnvironment.base, folder: folder.url)
        #expect(run.end == .exit(0) && !run.errors.contains("error"), "\(run)")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))) func deviceThatIsFull() throws {
        try fetching { server, fetch in
            let command = "'\(PinctlRun.executable)' fetch \(server.localhost) --anchors '\(anchors)' >/dev/full"
            let run = try ChildProcess.run(["sh", "-c", command])
            #expect(run.end == .exit(3))
            #expect(run.errors.hasPrefix("pinctl: error: cannot write to standard output: "), "\(run.errors)")
            // The status of a chain that is not valid is more important.
            let expired = try ChildProcess.run(["sh", "-c", command + " --at 2190-01-01"])
            #expect(expired.end == .exit(1), "\(expired)")
        }
    }

    @Test func colour() throws {
        try fetching { server, fetch in
            try #expect(!fetch().text.contains("\u{1B}"))
            try #expect(!fetch("--color", "never").text.contains("\u{1B}"))
            try #expect(fetch("--color", "always").text.contains("\u{1B}[32mtrusted\u{1B}[0m"))
            // Formats for programs have no colours.
            try #expect(!fetch("--color", "always", "-f", "json").text.contains("\u{1B}"))
            try #expect(!fetch("--color", "always", "-f", "pin").text.contains("\u{1B}"))
        }
    }
}
