import Foundation
import TestSupport
import Testing

/// Another process changes an output, or an input to which the output refers, while pinctl waits for the server or for its input.
@Suite(.blocking) struct ChangeDuringTheRunTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("change")
    }

    /// Starts a server for localhost, and a peer that runs a shell command for each connection before it forwards the connection.
    ///
    /// - Parameter body: Receives a function that runs pinctl for localhost with the server, or with the peer.
    private func changing(
        _ command: [String], anchors: String? = nil,
        _ body: ((_ arguments: [String], _ isChanging: Bool) throws -> PinctlRun) throws -> Void
    ) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let (port, folder) = (server.port, folder)
            try RawPeer.run { connection in
                _ = try? ChildProcess.run(["sh", "-c"] + command, folder: folder.url)
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try body { arguments, isChanging in
                    try PinctlRun.spawn(
                        arguments + [
                            "--anchors", anchors ?? pki.path("root.pem"),
                            "--connect-to", isChanging ? peer.endpoint : server.endpoint,
                        ], folder: folder.url)
                }
            }
        }
    }

    /// The file that contains an output which was not written.
    private func kept(_ name: String, in place: String = ".") throws -> String {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(place))
        return "\(place)/\(try #require(files.first { $0.hasPrefix(name + ".") }))"
    }

    // MARK: The folder of fetch

    /// What another process does with a file of the folder.
    enum FolderChange: CaseIterable {
        case created, changed, restoredTime, renamed, linked

        /// The command of a shell; `$1` is the file, and `$2` another one that this run does not write.
        var command: String {
            switch self {
            case .created, .changed: #"printf edit >"$1""#
            case .restoredTime:
                #"touch -r "$1" time; tr "\000" e <"$1" >new; cat new >"$1"; touch -r time "$1""#
            case .renamed: #"mv "$2" "$1""#
            case .linked: #"mv "$1" moved; ln -s "$PWD/moved" "$1""#
            }
        }
    }

    @Test(arguments: FolderChange.allCases, ["certs", "certs/"])
    func aFileOfTheFolder(change: FolderChange, output: String) throws {
        let names = ["certs/localhost-443.root.der", "certs/localhost-443.leaf.der"]
        try FileManager.default.createDirectory(atPath: folder.path("certs"), withIntermediateDirectories: false)
        try changing([change.command + #"; cp "$1" copy"#, "sh"] + names) { pinctl in
            let fetch = ["fetch", "localhost", "-o", output]
            if change != .created { try #expect(pinctl(fetch, false).status == 0) }
            let run = try pinctl(fetch + ["-s", "root"], true)
            #expect(run.status == 3 && run.errors.contains("has changed it during this run"), "\(run)")
            try #expect(folder.bytes(names[0]) == folder.bytes("copy"))
            // The output is kept in another file, beside the one to which a link refers.
            let kept = try change == .linked ? kept("moved") : kept("localhost-443.root.der", in: "certs")
            try #expect(folder.bytes(kept) == pki.bytes("root.der"))
            // No process changes it during the next run.
            try #expect(pinctl(fetch, false).status == 0)
            try #expect(folder.bytes(names[0]) == pki.bytes("root.der"))
        }
    }

    /// The other files of the run have nothing to do with the edit.
    @Test func theOtherFilesOfTheFolder() throws {
        try changing(["mkdir -p certs; printf edit >certs/localhost-443.leaf.der"]) { pinctl in
            let run = try pinctl(["fetch", "localhost", "-o", "certs/", "--html", "report.html"], true)
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.components(separatedBy: "has changed it during this run").count == 2, "\(run)")
            try #expect(folder.text("certs/localhost-443.leaf.der") == "edit")
            try #expect(folder.bytes("certs/localhost-443.intermediate1.der") == pki.bytes("intermediate.der"))
            try #expect(folder.bytes("certs/localhost-443.root.der") == pki.bytes("root.der"))
            try #expect(folder.bytes(kept("localhost-443.leaf.der", in: "certs")) == pki.bytes("leaf.der"))
            try #expect(folder.text("report.html").hasSuffix("</html>\n"))
        }
    }

    // MARK: Two outputs

    @Test func aFileBesideTheReport() throws {
        try folder.write("old", to: "chain.json")
        try changing(["printf edit >chain.json"]) { pinctl in
            let run = try pinctl(["fetch", "localhost", "-o", "chain.json", "--html", "report.html"], true)
            #expect(run.status == 3 && run.errors.contains("cannot write \"chain.json\""), "\(run)")
            try #expect(folder.text("chain.json") == "edit")
            try #expect(folder.text(kept("chain.json")).contains("\"target\""))
            try #expect(folder.text("report.html").hasSuffix("</html>\n"))
        }
    }

    /// Each report that cannot be written has an error, and standard output has the text in any case.
    @Test func bothReportsOfRefresh() throws {
        try folder.write(#"{"version": 1, "hosts": {"localhost": ["\#(pki.pin("root"))"]}}"#, to: "pins.json")
        let reports = ["report.md", "report.html"]
        for name in reports { try folder.write("old", to: name) }
        try changing(["printf edit >report.md; printf edit >report.html"]) { pinctl in
            let arguments = ["refresh", "--pins", "pins.json", "--markdown", reports[0], "--html", reports[1]]
            let run = try pinctl(arguments, true)
            #expect(run.status == 3 && run.text.contains("localhost"), "\(run)")
            for name in reports {
                #expect(run.errors.contains("cannot write \"\(name)\": another process has changed it"), "\(run)")
                try #expect(folder.text(name) == "edit")
                try #expect(folder.text(kept(name)).contains("localhost"))
            }
        }
    }

    // MARK: The file of --resume

    /// Emptied, and with a line that does not end.
    @Test(arguments: [": >r.ndjson", #"printf %s '{"target":' >>r.ndjson"#]) func theResultsOfARun(command: String)
        throws
    {
        let line =
            #"{"target":"a.example.test","addressNumber":null,"addressCount":null"# + #","chainNumber":null"#
            + #","chainCount":null,"proven":true,"error":null}"# + "\n"
        try folder.write(line, to: "r.ndjson")
        try changing([command]) { pinctl in
            let run = try pinctl(["fetch", "localhost", "--resume", "r.ndjson"], true)
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("another process removed, replaced or changed \"r.ndjson\""), "\(run)")
            // The next run continues with what is left.
            let next = try pinctl(["fetch", "localhost", "--resume", "r.ndjson"], false)
            #expect(next.status == 0, "\(next)")
            for line in try folder.text("r.ndjson").split(separator: "\n") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    // MARK: Inputs

    /// The writer of a pipe can begin long after pinctl.
    @Test(arguments: ["out.kt", "out/"]) func theOutputOfConvert(output: String) throws {
        defer { folder.remove() }
        try folder.write(#"{"version": 1, "hosts": {"localhost": ["\#(pki.pin("root"))"]}}"#, to: "pins.json")
        let file = output.hasSuffix("/") ? "out/CertificatePins.kt" : output
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
        try folder.write("old", to: file)
        _ = try ChildProcess.output(of: ["mkfifo", folder.path("pipe")])
        // The shell opens the pipe when pinctl has opened it.
        let writer = try ChildProcess(
            ["sh", "-c", "{ printf edit >\(file); cat pins.json; } >pipe"], environment: TestEnvironment.base,
            folder: folder.url)
        defer { writer.stop() }
        let run = try PinctlRun.spawn(["convert", "--to", "okhttp", "-o", output, "pipe"], folder: folder.url)
        #expect(run.status == 3 && run.errors.contains("has changed it during this run"), "\(run)")
        try #expect(folder.text(file) == "edit")
    }

    /// The set would name a file with another CA than that of its pins.
    @Test func theAnchorsOfInit() throws {
        let other = try pki.bytes("other-root.pem")
        try folder.write(pki.bytes("root.pem"), to: "ca.pem")
        try folder.write(other, to: "other.pem")
        try changing(["cp other.pem ca.pem"], anchors: "ca.pem") { pinctl in
            let run = try pinctl(["init", "localhost", "--no-backup", "-o", "new.json"], true)
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the files of \"--anchors\" changed during the run"), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("new.json")))
        }
    }
}
