import Foundation
import TestSupport
import Testing

/// Names of files that Swift's strings do not keep apart, or cannot contain, and new files in a folder with an access control list.
@Suite(.blocking) struct FileNameTests {
    private static let set =
        #"{"version":1,"hosts":{"api.example.com":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("names")
        try folder.write(Self.set, to: "pins.json")
    }

    /// Runs a shell script, in which `$P` is pinctl.
    private func shell(_ script: String) throws -> ChildProcess.Outcome {
        try ChildProcess.run(["sh", "-c", "P=$0; \(script)", PinctlRun.executable], folder: folder.url)
    }

    /// With U+FFFD in place of the byte, each of these commands would write another file, which exists.
    @Test func argumentsAreUTF8() throws {
        try folder.write("precious", to: "a\u{FFFD}.kt")
        let output = try shell(#"$P convert --to okhttp -o "$(printf 'a\377.kt')" pins.json"#)
        #expect(output.end == .exit(2))
        #expect(output.errors.contains(#"the argument "a\xff.kt" is not UTF-8"#), "\(output.errors)")
        #expect(try folder.text("a\u{FFFD}.kt") == "precious")
        let secret = try shell(
            #"$P fetch --proxy="http://u:$(printf 'pass\377')@h" x; $P fetch "u:$(printf 'pass\377')"; "#
                + #"$P keygen k --password-file "$(printf 'pass\377')"; $P fetch --proxy-password-file "$(printf 'pass\377')" x"#
        )
        let shown = secret.errors.replacing("-password-file", with: "")
        #expect(!shown.contains("pass") && shown.components(separatedBy: "is not UTF-8").count == 5, "\(secret.errors)")
        let variable = try shell(#"SSL_CERT_FILE="$(printf '\351')" $P lint pins.json"#)
        #expect(variable.end == .exit(2) && variable.errors.contains("SSL_CERT_FILE is not UTF-8"))
    }

    @Test func linksToOtherNamesAreErrors() throws {
        try folder.write(Self.set, to: "set\u{FFFD}.json")
        let run = try shell(
            #"cp pins.json "$(printf 'set\351.json')"; ln -s "$(printf 'set\351.json')" l.json; "#
                + #"$P retire --pins l.json --pin C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M= api.example.com; "#
                + #"$P convert --to okhttp -o l.json pins.json"#)
        #expect(run.end == .exit(2))
        #expect(run.errors.contains("a symbolic link to a name that is not UTF-8"), "\(run.errors)")
        #expect(try folder.text("set\u{FFFD}.json") == Self.set)
    }

    /// The name of the current folder does not matter.
    @Test func theCurrentFolderMayHaveAnyName() throws {
        let run = try shell(
            #"d=$(printf 'd\351'); r=$(printf 'd\357\277\275'); mkdir "$d" "$r"; cp pins.json "$d"; cp pins.json "$r"; cd "$d"; "#
                + #"$P add --pins pins.json --pin oVg/1At1VMrZ5NqxUkoH7ozcKiG1bZxhcE4sUwXx2w8= api.example.com; "#
                + #"grep -c oVg pins.json; cmp ../pins.json "../$r/pins.json" && echo same"#)
        #expect(run.text.hasSuffix("1\nsame\n"), "\(run.text) \(run.errors)")
    }

    @Test func equivalentNamesAreTwoFiles() throws {
        let copies = ["\u{E9}.kt", "e\u{301}.kt"].map { #"{"file":"\#($0)","format":"okhttp"}"# }.joined(separator: ",")
        try folder.write(#"{"version":1,"set":"pins.json","copies":[\#(copies)]}"#, to: "m.json")
        let run = try shell("$P sync --write m.json; ls -1 | grep -c 'kt$'")
        #expect(run.text.hasSuffix("2\n"), "\(run.text) \(run.errors)")
    }

    @Test func aMarkAfterASlashIsPartOfTheName() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "sub"), withIntermediateDirectories: false)
        try folder.write(Self.set, to: "sub/pins.json")
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"c.kt","format":"okhttp"}]}"#, to: "sub/\u{301}m.json")
        let run = try shell(#"$P sync --write "$(printf 'sub/\314\201m.json')"; ls sub/c.kt c.kt"#)
        #expect(run.text.hasSuffix("sub/c.kt\n"), "\(run.text) \(run.errors)")
    }

    /// A next command with such a file name works.
    @Test(arguments: ["-m.json", "##[x]m.json", "##vso[x]m.json"]) func nextCommandsNameTheFile(name: String) throws {
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"c.kt","format":"okhttp"}]}"#, to: name)
        let run = try ChildProcess.run([PinctlRun.executable, "sync", "--check", "--", name], folder: folder.url)
        let command = try #require(run.errors.split(separator: "commit the changes: pinctl ").last)
        let next = try shell("$P \(command)")
        #expect(next.end == .exit(0), "\(command) \(next.errors)")
    }

    /// U+0600 is one character with the slash after it.
    @Test func aFolderMayEndWithALetterThatJoinsTheSlash() throws {
        let run = try shell(#"d=$(printf 'd\330\200'); $P convert --to okhttp -o "$d/" pins.json; ls "$d"; ls -d d"#)
        #expect(run.text == "CertificatePins.kt\n", "\(run.text) \(run.errors)")
    }

    /// The error is that of the system, and not that a file exists.
    @Test func namesThatNoFileCanHave() throws {
        let run = try shell(
            #"ln -s loop loop; n=$(printf 'a%0300d' 0); $P keygen --no-encrypt "$n"; $P keygen --no-encrypt loop/x; "#
                + "$P init --no-backup -o loop/x 127.0.0.1:1; $P convert --to okhttp -o loop pins.json")
        #expect(run.errors.contains("file name too long"), "\(run.errors)")
        #expect(run.errors.components(separatedBy: "too many levels of symbolic links").count == 3, "\(run.errors)")
        let loop = #"cannot write "loop": its symbolic links form a loop, or are too many"#
        #expect(run.errors.contains(loop), "\(run.errors)")
        #expect(!run.errors.contains("exists"), "\(run.errors)")
    }

    /// The file of a standard stream is written to as the stream is. The wait for another process would take 30 seconds.
    @Test func standardOutputCanBeTheOutput() throws {
        let script = "$P convert --to okhttp -o /dev/stdout pins.json"
        let run = try shell("\(script) >a.kt && $P convert --to okhttp pins.json | cmp - a.kt && echo same")
        #expect(run.text == "same\n", "\(run.errors)")
        let append = try shell(
            "echo '// before' >b.kt; \(script) >>b.kt; head -n 1 b.kt; tail -n +2 b.kt | cmp - a.kt && echo same")
        #expect(append.text == "// before\nsame\n", "\(append.errors)")
        let input = try shell(
            "cp pins.json c.json; $P convert --to okhttp -o c.json c.json >>c.json; cmp c.json pins.json")
        #expect(input.end == .exit(0), "\(input.errors)")
    }

    /// Other inherited descriptors are used, or refused at once.
    @Test func aDescriptorOfTheShellCanBeTheOutput() throws {
        let script = "$P convert --to okhttp -o /dev/fd/3 pins.json"
        let run = try shell("\(script) 3>a.kt && $P convert --to okhttp pins.json | cmp - a.kt && echo same")
        #expect(run.text == "same\n", "\(run.errors)")
        let named = try shell("echo old >b.kt; $P convert --to okhttp -o b.kt pins.json 3>>b.kt; cat b.kt")
        #expect(named.text == "old\n" && named.errors.contains("the descriptor 3 goes to it"), "\(named)")
        let folder = try shell(
            "mkdir c; echo old >c/CertificatePins.kt; $P convert --to okhttp -o c/ pins.json >>c/CertificatePins.kt; cat c/*"
        )
        #expect(folder.text == "old\n" && folder.errors.contains("standard output goes to it"), "\(folder)")
    }

    /// Opening the name of a socket fails.
    @Test func aSocketCanBeTheOutput() throws {
        let script =
            "import os,socket,subprocess;a,b=socket.socketpair();"
            + "subprocess.run([os.environ['P'],'convert','--to','okhttp','-o','/dev/stdout','pins.json'],stdout=b);b.close();"
            + "print(a.recv(1<<16).decode(),end='')"
        let run = try shell(
            "P=$P python3 -c \"\(script)\" >a.kt; $P convert --to okhttp pins.json | cmp - a.kt && echo same")
        #expect(run.text == "same\n", "\(run)")
        let input = try shell(
            "$P add --pins pins.json --expires 2030-01-01 api.example.com 0<>pins.json; echo \"status $?\"")
        #expect(input.text.hasPrefix("status 2") && input.errors.contains("standard input goes to it"), "\(input)")
    }

    #if os(Linux)
        /// flock(1) keeps its lock in the program that it starts.
        @Test(arguments: [("", 0), ("-s", 2)] as [(String, Int32)])
        func usesTheLockOfTheCaller(option: String, status: Int32) throws {
            let run = try shell(
                "flock \(option) pins.json $P add --pins pins.json --expires 2030-01-01 api.example.com; echo \"status $?\"; cat pins.json"
            )
            #expect(run.text.hasPrefix("status \(status)\n"), "\(run)")
            #expect(run.text.contains("2030-01-01") == (status == 0), "\(run)")
            #expect(run.errors.contains("has a shared lock of it") == (status == 2), "\(run)")
            // No server has this port, so the status is 3 if pinctl can write the file.
            let resumed = try shell(
                "flock \(option) r.ndjson $P fetch 127.0.0.1:1 -f ndjson --resume r.ndjson; echo \"status $?\"")
            #expect(resumed.text.contains("status \(status == 0 ? 3 : 2)"), "\(resumed)")
            let refreshed = try shell(
                "flock \(option) pins.json $P refresh --write --pins pins.json 127.0.0.1:1=api.example.com; echo \"status $?\""
            )
            #expect(refreshed.text.contains("status \(status == 0 ? 3 : 2)"), "\(refreshed)")
        }
    #endif

    /// `refresh` contacts no host if it cannot write the result.
    @Test func refreshWithAStreamToItsFile() throws {
        let run = try shell(
            "$P refresh --write --pins pins.json 127.0.0.1:1=api.example.com 3>>pins.json; echo \"status $?\"")
        #expect(run.text == "status 2\n" && run.errors.contains("the descriptor 3 goes to it"), "\(run)")
    }

    @Test(arguments: [
        (">>", #"standard output goes to "--pins pins.json", or to a file in it, and would change it"#),
        ("2>>", #"cannot change "pins.json": standard error goes to it"#),
    ])
    func noFileIsChangedToWhichAStandardStreamGoes(redirection: String, message: String) throws {
        let run = try shell(
            "$P add --pins pins.json --expires 2030-01-01 api.example.com \(redirection)pins.json; echo \"status $?\"; tail -n 2 pins.json"
        )
        #expect((run.text + run.errors).contains(message), "\(run)")
        #expect(run.text.contains("status 2\n"), "\(run)")
    }

    /// Only the manifest names the copy, so the conflict is found when the copy is opened.
    @Test func noCopyIsChangedToWhichStandardOutputGoes() throws {
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"c.kt","format":"okhttp","overwrite":true}]}"#,
            to: "m.json")
        let run = try shell(
            "echo '// old' >c.kt; $P sync --write m.json >>c.kt; echo \"status $?\"; grep -c CertificatePinner c.kt; head -n 1 c.kt"
        )
        #expect((run.text + run.errors).contains(#"cannot change "c.kt": standard output goes to it"#), "\(run)")
        #expect(run.text.hasSuffix("\n0\n// old\n"), "\(run)")
    }

    @Test(.enabled(if: ExternalCommand.path(of: "setfacl") != nil)) func newFilesHaveTheListOfTheFolder() throws {
        let run = try shell(
            """
            umask 022; mkdir d; setfacl -d -m u:daemon:rwx,g::r-x,o::--- d 2>/dev/null || exit 77; touch d/ref
            $P convert --to okhttp -o d/new pins.json; cp pins.json d/old; setfacl -b d/old; chmod 644 d/old
            $P add --pins d/old --pin oVg/1At1VMrZ5NqxUkoH7ozcKiG1bZxhcE4sUwXx2w8= api.example.com
            getfacl -cp d/ref >ref; getfacl -cp d/new | cmp - ref && echo new; stat -c %A d/old; getfacl -cp d/old | grep -c daemon
            """)
        guard run.end != .exit(77) else { return }
        #expect(run.text.hasSuffix("new\n-rw-r--r--\n0\n"), "\(run.text) \(run.errors)")
    }
}
