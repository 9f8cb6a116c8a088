import FileConflicts
import Foundation
import InProcessRuns
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// No output of a command replaces a file that the same command reads.
@Suite(.blocking) struct FileConflictTests {
    private let folder: TemporaryFolder

    private static let conflict = "is also another file of the command line"
    private static let input = "is an input of this command and was not replaced"
    /// A port on which no server runs. No test connects to it, because pinctl finds the conflict before.
    private static let host = "127.0.0.1:1"

    /// A folder with the files of the tests. `ca.pem` is a certificate with its key, and `set.json` names it as an anchor.
    init() throws {
        folder = try TemporaryFolder("conflicts")
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                folder.path("b.key"), "-out", folder.path("ca.pem"), "-subj", "/CN=a", "-days", "30",
            ])
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-new", "-key", folder.path("b.key"), "-subj", "/CN=a", "-out", folder.path("b.csr"),
            ])
        let pin = try PinctlRun.inProcess(["hash", "ca.pem", "-f", "pin"], folder: folder.url).text
            .prefix { !$0.isWhitespace }
        try folder.write(
            #"{"version":1,"hosts":{"127.0.0.1":{"anchors":["ca.pem"],"pins":["\#(pin)"]}}}"#, to: "set.json")
        try folder.write(
            #"{"version":1,"set":"set.json","copies":[{"file":"Pins.kt","format":"okhttp"}]}"#, to: "pinctl-sync.json")
        try folder.write("secret\n", to: "password")
        try folder.write(Self.host + "\n", to: "hosts")
        // The search for secrets in the files that a run wrote must not find the key under its other names.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: folder.path("b.key"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft.key"), withDestinationPath: "b.key")
        try FileManager.default.linkItem(atPath: folder.path("b.key"), toPath: folder.path("hard.key"))
    }

    /// Runs a command that must fail before it connects, and must change no file.
    private func expectRefusal(
        _ arguments: [String], _ message: String, environment: [String: String] = [:]
    ) throws {
        let before = try contents()
        let run = try PinctlRun.inProcess(arguments, environment: environment, folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains(message), "\(run)")
        #expect(!run.errors.contains("refused"), "\(run)")
        try #expect(contents() == before)
    }

    private func contents() throws -> [String: [UInt8]] {
        let names = try folder.names()
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.bytes($0)) })
    }

    /// The options whose values are outputs. An option that is added to this list also belongs into the tests below.
    @Test func theOutputsOfEachCommandAreDeclared() {
        let declared = Pinctl.tool.commands.map { command in
            (command.name, command.options.filter { $0.value?.pathUse == .writes }.map(\.spelling))
        }
        let outputs = Dictionary(uniqueKeysWithValues: declared.filter { !$0.1.isEmpty })
        let expected = [
            "fetch": ["--output", "--html", "--resume"], "verify": ["--html", "--resume"], "init": ["--output"],
            "refresh": ["--markdown", "--html"], "lint": ["--html"], "convert": ["--output"],
        ]
        #expect(outputs == expected)
    }

    static let commands: [[String]] = [
        ["init", host, "--from-key", "b.key", "--overwrite", "-o", "b.key"],
        ["init", host, "--from-csr", "b.csr", "--overwrite", "--output", "b.csr"],
        ["init", host, "--from-key", "b.key", "--password-file", "password", "--overwrite", "-o", "password"],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "-f", "csv", "-o", "b.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "--html", "b.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "-f", "csv", "-o", "./b.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "-f", "csv", "-o", "soft.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "soft.key", "-f", "csv", "-o", "b.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "-f", "csv", "-o", "hard.key", host],
        ["fetch", "--cert", "ca.pem", "--key", "b.key", "--key-password-file", "password", "--html", "password", host],
        ["fetch", "--proxy", "https://\(host)", "--proxy-pins", "set.json", "--html", "set.json", host],
        ["fetch", "--from", "hosts", "-f", "csv", "-o", "hosts"], ["fetch", "--from", "hosts", "--resume", "hosts"],
        ["fetch", "--anchors", "ca.pem", "-fcsv", "-oca.pem", host],
        ["verify", "--pins", "set.json", "--chain", "ca.pem", "--html", "ca.pem"],
        ["verify", "--pins", "set.json", "--cert", "ca.pem", "--key", "b.key", "--html", "b.key"],
        ["refresh", "--pins", "set.json", "--cert", "ca.pem", "--key", "b.key", "--markdown", "b.key"],
        ["refresh", "--pins", "set.json", "--from-csr", "b.csr", "127.0.0.1", "--markdown", "b.csr"],
        ["refresh", "--pins", "set.json", "--markdown", "set.json"], ["lint", "set.json", "--html", "set.json"],
        ["convert", "--to", "okhttp", "set.json", "-o", "set.json"],
        ["convert", "--to", "wultra", "set.json", "--sign", "b.key", "-o", "b.key"],
    ]

    @Test(arguments: commands) func neverReplacesAnotherFileOfTheCommandLine(arguments: [String]) throws {
        defer { folder.remove() }
        try expectRefusal(arguments, Self.conflict)
    }

    /// A file of passwords is not read as a list, a pin set or a certificate, whose errors contain a part of it.
    @Test(arguments: [
        ["challenge", "--user", "a", "--password-file", "password", "--from", "password"],
        ["challenge", "--netrc-file", "password", "--from", "./password"],
        ["challenge", "--netrc-file", "password", "--pins", "password", "https://\(host)/"],
        ["fetch", "--proxy", "http://\(host)", "--proxy-user", "a", "--proxy-password-file", "password"]
            + ["--from", "password"],
        [
            "verify", "--cert", "ca.pem", "--key", "b.key", "--key-password-file", "password", "--pins", "password",
            host,
        ],
        ["add", "--pins", "password", "--from-key", "b.key", "--password-file", "password", "a.test"],
    ])
    func neverReadsAPasswordAsSomethingElse(arguments: [String]) throws {
        defer { folder.remove() }
        let run = try PinctlRun.inProcess(arguments, folder: folder.url)
        #expect(run.status == 2 && run.errors.contains("are the same file, and the passwords in it"), "\(run)")
        #expect(!run.errors.contains("secret") && !run.text.contains("secret"), "\(run)")
    }

    @Test(arguments: [("-", "password"), ("password", "-")])
    func neverReadsAPasswordOnStandardInputAsAList(passwordFile: String, list: String) throws {
        defer { folder.remove() }
        let script = "exec \"$0\" challenge --user a --password-file \(passwordFile) --from \(list) < password"
        let run = try ChildProcess.run(
            ["sh", "-c", "cd \"$1\" && \(script)", PinctlRun.executable, folder.url.path(percentEncoded: false)],
            environment: TestEnvironment.base)
        let errors = run.errors
        #expect(run.end == .exit(2) && errors.contains("are the same file, and the passwords in it"), "\(run)")
        #expect(!errors.contains("secret"), "\(run)")
    }

    /// The anchors are named by the set, and the manifest is found next to it.
    @Test(arguments: [
        ["refresh", "--pins", "set.json", "--html", "ca.pem"],
        ["refresh", "--pins", "set.json", "--markdown", "ca.pem"],
        ["refresh", "--pins", "set.json", "--markdown", "pinctl-sync.json"],
        ["verify", "--pins", "set.json", host, "--html", "ca.pem"],
        ["verify", "--pins", "set.json", host, "--html", "pinctl-sync.json"],
        ["lint", "--live", "set.json", "--html", "ca.pem"],
    ])
    func neverReplacesAFileThatAnInputNames(arguments: [String]) throws {
        defer { folder.remove() }
        try expectRefusal(arguments, Self.input)
    }

    /// `--anchors` replaces the anchors of the set, whose files the command does not read then.
    @Test(arguments: [
        ["verify", "--pins", "set.json", host], ["refresh", "--pins", "set.json", host],
        ["lint", "--live", "set.json"],
    ])
    func neverReplacesUnusedAnchorsOfTheSet(command: [String]) throws {
        defer { folder.remove() }
        try folder.write(folder.text("ca.pem"), to: "other.pem")
        try expectRefusal(command + ["--anchors", "other.pem", "--html", "ca.pem"], Self.input)
    }

    @Test(arguments: [["SSL_CERT_FILE": "ca.pem"], ["SSL_CERT_DIR": "none:."]])
    func neverReplacesTheTrustStore(environment: [String: String]) throws {
        defer { folder.remove() }
        for output in [["--html", "ca.pem"], ["-f", "csv", "-o", "ca.pem"]] {
            try expectRefusal(["fetch", Self.host] + output, Self.input, environment: environment)
        }
        let arguments = ["init", Self.host, "--no-backup", "--overwrite", "-o", "ca.pem"]
        try expectRefusal(arguments, Self.input, environment: environment)
    }

    /// OpenSSL and the C library read these files: openssl-env(7), config(5), hostname(7), host.conf(5).
    @Test(arguments: [
        ["OPENSSL_CONF": "hosts"], ["HOSTALIASES": "./hosts"], ["RESOLV_HOST_CONF": "hosts"],
        ["OPENSSL_CONF_INCLUDE": "."], ["OPENSSL_MODULES": "."], ["OPENSSL_ENGINES": "."],
    ])
    func neverReplacesAFileOfTheEnvironment(environment: [String: String]) throws {
        defer { folder.remove() }
        let commands = [
            ["fetch", Self.host, "-f", "csv", "-o", "hosts"], ["fetch", Self.host, "--html", "hosts"],
            ["verify", "--pins", "set.json", Self.host, "--html", "hosts"],
            ["refresh", "--pins", "set.json", "--markdown", "hosts"],
            ["init", Self.host, "--no-backup", "--overwrite", "-o", "hosts"],
            ["convert", "--to", "okhttp", "set.json", "-o", "hosts"],
        ]
        for command in commands { try expectRefusal(command, Self.input, environment: environment) }
        try folder.write(
            #"{"version":1,"set":"set.json","copies":[{"file":"hosts","format":"okhttp"}]}"#, to: "other-sync.json")
        try expectRefusal(["sync", "--write", "other-sync.json"], "is also an input", environment: environment)
    }

    /// OpenSSL and the C library would wait for the writer of a FIFO, and read an endless device forever.
    @Test(arguments: ["OPENSSL_CONF", "RESOLV_HOST_CONF", "HOSTALIASES"])
    func neverWaitsForConfiguration(variable: String) throws {
        defer { folder.remove() }
        let isMade = unsafe mkfifo(folder.path("fifo"), 0o600) == 0
        try #require(isMade)
        for (path, isRefused) in [("fifo", true), ("/dev/zero", true), ("/dev/null", false), ("none", false)] {
            let run = try PinctlRun.inProcess(
                ["convert", "--to", "okhttp", "set.json"], environment: [variable: path], folder: folder.url)
            #expect(run.status == (isRefused ? 2 : 0), "\(run)")
            #expect(run.errors.contains("\(variable) is") == isRefused, "\(run)")
        }
    }

    @Test func neverReplacesAFileOfAnInputFolder() throws {
        defer { folder.remove() }
        try expectRefusal(["fetch", Self.host, "--anchors", ".", "-f", "csv", "-o", "ca.pem"], Self.input)
        // The folder of --output contains the set under the name of the new file.
        try folder.write(try folder.text("set.json"), to: "sub/pins.json")
        let run = try PinctlRun.inProcess(
            ["convert", "--to", "pins", "sub/pins.json", "-o", "sub/"], folder: folder.url)
        #expect(run.status == 2 && run.errors.contains(Self.input), "\(run)")
        try #expect(folder.text("sub/pins.json") == folder.text("set.json"))
    }

    /// The shell opens the file, so pinctl does not know its path.
    @Test(arguments: [
        "convert --to okhttp - -o set.json < set.json", "convert --to okhttp /dev/stdin -o set.json < set.json",
        "fetch --from - -f csv -o hosts < hosts", "fetch 127.0.0.1:1 --anchors - --html ca.pem < ca.pem",
    ])
    func neverReplacesTheFileOfStandardInput(line: String) throws {
        defer { folder.remove() }
        let before = try contents()
        let run = try ChildProcess.run(
            ["bash", "-c", "'\(PinctlRun.executable)' \(line)"], environment: TestEnvironment.base, folder: folder.url)
        #expect(run.end == .exit(2), "\(run)")
        #expect(run.errors.contains(Self.conflict), "\(run)")
        try #expect(contents() == before)
    }

    /// The file of `--resume` is changed, too.
    @Test(arguments: ["OPENSSL_CONF", "HOSTALIASES"]) func neverResumesAFileOfTheEnvironment(name: String) throws {
        defer { folder.remove() }
        try folder.write("", to: "empty")
        let run = try PinctlRun.spawn(
            ["fetch", Self.host, "--resume", "empty"], environment: [name: "empty"], folder: folder.url)
        #expect(run.status == 2 && run.errors.contains(Self.input), "\(run)")
        try #expect(folder.bytes("empty").isEmpty)
    }

    /// Links to a file that does not exist yet, also in a chain, and links to its folder.
    private static let linksToNew = [
        "link": "new", "chain": "link", "sub/back": "../chain", "way": "sub", "sub/here": ".",
    ]

    private func makeLinks() throws {
        try folder.write("", to: "sub/other")
        for (link, target) in Self.linksToNew {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("far"), withDestinationPath: folder.path("way/../new"))
    }

    @Test func allPathsOfAFileHaveOneEntry() throws {
        defer { folder.remove() }
        try makeLinks()
        let entry = FileEntry(folder.path("new"))
        for path in ["link", "chain", "sub/back", "way/back", "sub/here/back", "far", "sub/../new"] {
            #expect(FileEntry(folder.path(path)) == entry, "\(path)")
        }
        #expect(FileEntry(folder.path("way/here/new")) == FileEntry(folder.path("sub/new")))
        for path in ["sub/new", "other", "none/new"] { #expect(FileEntry(folder.path(path)) != entry, "\(path)") }
        #expect(FileEntry("/new") == FileEntry("//new"))
        #expect(FileEntry("none/new") != FileEntry("other/new"))
        // "é" as one character, and as two.
        #expect(FileEntry("\u{e9}") != FileEntry("e\u{301}"))
    }

    /// Two names of a file that does not exist yet.
    @Test(arguments: [
        ["fetch", host, "-f", "csv", "-o", "new", "--html", "link"],
        ["fetch", host, "-f", "csv", "-o", "chain", "--html", "far"],
        ["fetch", host, "-f", "csv", "-o", "way/new", "--html", "sub/here/new"],
        ["refresh", "--pins", "set.json", "--markdown", "sub/back", "--html", "new"],
        ["keygen", "sub/new", "--request", "way/new", "--no-encrypt", "--host", "a.test"],
    ])
    func twoNamesOfANewFileAreOneOutput(arguments: [String]) throws {
        defer { folder.remove() }
        try makeLinks()
        let run = try PinctlRun.inProcess(arguments, folder: folder.url)
        #expect(run.status == 2 && run.errors.contains("the same file"), "\(run)")
        for path in ["new", "sub/new"] { #expect(!FileManager.default.fileExists(atPath: folder.path(path))) }
    }

    /// A link in the folder of the output gives two of its files the same name.
    @Test(arguments: [true, false]) func twoFilesOfAFolderAreTwoFiles(exists: Bool) throws {
        defer { folder.remove() }
        let names = ["transport_security_state_static.pins", "transport_security_state_static_pins.json"]
        try folder.write(
            "{\"version\":1,\"hosts\":{\"a.test\":[\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\"]}}", to: "pins.json"
        )
        for (link, target) in [(names[0], names[1]), (names[1], names[0])] {
            try folder.write("", to: "\(link).d/other")
            if exists { try folder.write("old", to: "\(link).d/\(target)") }
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("\(link).d/\(link)"), withDestinationPath: target)
            let run = try PinctlRun.inProcess(
                ["convert", "--to", "chromium", "pins.json", "-o", "\(link).d/"], folder: folder.url)
            #expect(run.status == 2 && run.errors.contains("are the same file, for two outputs"), "\(run)")
            for name in names { #expect(run.errors.contains("\(link).d/\(name)"), "\(run)") }
            let contents = try? folder.text("\(link).d/\(target)")
            #expect(contents == (exists ? "old" : nil))
        }
    }

    @Test func twoOutputsAreTwoFiles() throws {
        defer { folder.remove() }
        let message = "would write the same file"
        try expectRefusal(["fetch", Self.host, "-f", "csv", "-o", "new", "--html", "./new"], message)
        try expectRefusal(["refresh", "--pins", "set.json", "--markdown", "new", "--html", "new"], message)
        // No file is replaced, so the command runs and finds no server.
        let devices = ["fetch", Self.host, "-f", "csv", "-o", "/dev/null", "--html", "/dev/null"]
        try #expect(PinctlRun.inProcess(devices, folder: folder.url).status == 3)
    }

    /// The report on standard output and a file of an option would be mixed in one file.
    @Test func standardOutputIsAnOutput() throws {
        defer { folder.remove() }
        let commands = [
            ["fetch", Self.host, "--format", "json", "--html"],
            ["verify", "--pins", "set.json", "--format", "junit", Self.host, "--html"],
            ["refresh", "--pins", "set.json", "--format", "json", "--markdown"],
        ]
        for (command, redirection) in zip(commands + commands, [">", ">", ">", ">>", ">>", ">>"]) {
            try folder.write(redirection == ">" ? "" : "old", to: "report")
            try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "report")
            let script = "\"$0\" \"$@\" \(redirection) report"
            for name in ["report", "./link"] {
                let run = try ChildProcess.run(
                    ["sh", "-c", script, PinctlRun.executable] + command + [name], folder: folder.url)
                #expect(run.end == .exit(2), "\(run)")
                #expect(run.errors.contains("would write the file to which standard output goes"), "\(run)")
                try #expect(folder.text("report") == (redirection == ">" ? "" : "old"))
            }
            try FileManager.default.removeItem(atPath: folder.path("link"))
        }
        try folder.write(folder.text("ca.pem"), to: "anchors/ca.pem")
        let redirections = [
            ("\"$0\" hash b.key 1<> b.key", "b.key"), ("\"$0\" hash b.key >> soft.key", "b.key"),
            ("\"$0\" lint set.json >> set.json", "set.json"), ("\"$0\" hash - < ca.pem >> ca.pem", "ca.pem"),
            ("\"$0\" hash /dev/stdin < ca.pem >> ca.pem", "ca.pem"),
            ("\"$0\" refresh --pins set.json --markdown new 1<> set.json", "set.json"),
            ("\"$0\" fetch 127.0.0.1:1 --anchors anchors 1<> anchors/ca.pem", "anchors/ca.pem"),
        ]
        for (script, file) in redirections {
            let old = try folder.text(file)
            let run = try ChildProcess.run(["sh", "-c", script, PinctlRun.executable], folder: folder.url)
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errors.contains("error: standard output goes to "), "\(run)")
            try #expect(folder.text(file) == old)
        }
        // The name of the descriptor is no mistake.
        let intended = try ChildProcess.run(
            ["sh", "-c", "\"$0\" \"$@\" > page", PinctlRun.executable] + commands[0] + ["/dev/stdout"],
            folder: folder.url)
        #expect(intended.end == .exit(3), "\(intended)")
    }

    /// The control: an output that is not an input replaces a file, and a file may be two inputs.
    @Test func replacesAnotherFile() throws {
        defer { folder.remove() }
        try folder.write("old", to: "Pins.kt")
        let run = try PinctlRun.inProcess(
            ["convert", "--to", "okhttp", "set.json", "-o", "Pins.kt"], folder: folder.url)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("Pins.kt").contains("CertificatePinner"))
        try folder.write("old", to: "page")
        let both = ["verify", "--pins", "set.json", "--chain", "ca.pem", "--anchors", "ca.pem", "127.0.0.1", "--html"]
        let page = try PinctlRun.inProcess(both + ["page"], folder: folder.url)
        #expect(page.status != 2, "\(page)")
        try #expect(folder.text("page").hasPrefix("<!DOCTYPE html>"))
    }
}
