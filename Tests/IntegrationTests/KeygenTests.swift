import Foundation
import TestSupport
import Testing

/// `pinctl keygen`: openssl and certtool read its key and its request.
@Suite(.blocking) struct KeygenTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("keygen")
        try folder.write("correct horse\nsecond line\n", to: "password")
    }

    private func keygen(_ arguments: String...) throws -> PinctlRun {
        try PinctlRun.spawn(["keygen"] + arguments, folder: folder.url)
    }

    /// Both streams of a command; nil if it fails.
    private func output(_ command: String...) throws -> String? {
        let run = try ChildProcess.run(command, folder: folder.url)
        return run.end == .exit(0) ? run.text + run.errors : nil
    }

    private func pin(ofKey file: String, password: String? = nil) throws -> String {
        let pass = password.map { "-passin 'pass:\($0)'" } ?? ""
        let shell =
            "openssl pkey -in \(file) \(pass) -pubout -outform DER | openssl dgst -sha256 -binary | openssl base64 -A"
        return String(decoding: try ChildProcess.output(of: ["sh", "-c", shell], folder: folder.url), as: UTF8.self)
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func names() throws -> [String] { try folder.names().filter { $0 != "password" } }

    @Test(arguments: [
        ("ec", "ASN1 OID: prime256v1", "ecdsa-with-SHA256"), ("ec-p384", "ASN1 OID: secp384r1", "ecdsa-with-SHA384"),
        ("rsa", "(3072 bit", "sha256WithRSAEncryption"), ("rsa-4096", "(4096 bit", "sha256WithRSAEncryption"),
        ("ed25519", "ED25519 Private-Key", "ED25519"),
    ])
    func everyType(type: String, key: String, signature: String) throws {
        defer { folder.remove() }
        let run = try keygen("k.key", "--type", type, "--host", "api.example.com", "--password-file", "password")
        #expect(run.status == 0, "\(run)")
        let text = try #require(
            try output("openssl", "pkey", "-in", "k.key", "-passin", "pass:correct horse", "-noout", "-text", "-check"))
        #expect(text.contains(key) && text.contains("Key is valid"), "\(text)")
        let request = try #require(try output("openssl", "req", "-in", "k.csr", "-verify", "-noout", "-text"))
        #expect(request.contains("self-signature verify OK"), "\(request)")
        #expect(request.contains("Signature Algorithm: \(signature)\n"), "\(request)")
        #expect(request.contains("CN = api.example.com"))
        let seen = try #require(try output("certtool", "--crq-info", "--infile", "k.csr"))
        #expect(seen.contains("Self signature: verified") && seen.contains("DNSname: api.example.com"), "\(seen)")
        // openssl and pinctl compute the same pin for the key and the request.
        let pin = try pin(ofKey: "k.key", password: "correct horse")
        #expect(run.text == pin + "\n")
        let hash = try PinctlRun.spawn(["hash", "k.key", "k.csr", "--password-file", "password"], folder: folder.url)
        #expect(hash.text == "\(pin)  k.key\n\(pin)  k.csr\n", "\(hash)")
    }

    /// PBES2 with 600,000 iterations of PBKDF2 with HMAC-SHA-256, 128 bits of salt, and AES-256.
    @Test func isEncrypted() throws {
        defer { folder.remove() }
        try #expect(keygen("k.key", "--password-file", "password").status == 0)
        try #expect(folder.text("k.key").hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        let structure = try #require(try output("openssl", "asn1parse", "-in", "k.key"))
        for part in [":PBES2", ":PBKDF2", ":0927C0\n", ":hmacWithSHA256", ":aes-256-cbc"] {
            #expect(structure.contains(part), "\(part) in \(structure)")
        }
        #expect(
            structure.contains { $0.isNewline }
                && structure.split(separator: "\n").contains { $0.contains("l=  16 prim: OCTET") })
        try #expect(output("openssl", "pkey", "-in", "k.key", "-passin", "pass:wrong", "-noout") == nil)
        try #expect(output("openssl", "pkey", "-in", "k.key", "-passin", "pass:", "-noout") == nil)
        try folder.write("tr0ubad0ur\n", to: "wrong")
        let hash = try PinctlRun.spawn(["hash", "k.key", "--password-file", "wrong"], folder: folder.url)
        #expect(hash.status == 2 && hash.errors.contains("the password is wrong"), "\(hash)")
        // GnuTLS reads it too.
        let other = try #require(
            try output("certtool", "--key-info", "--pkcs8", "--password", "correct horse", "--infile", "k.key"))
        #expect(other.contains("SECP256R1"), "\(other)")
    }

    @Test func everyKeyIsDifferent() throws {
        defer { folder.remove() }
        let pins = try ["a", "b"].map { try keygen($0, "--no-encrypt").text }
        #expect(pins[0] != pins[1])
    }

    @Test func namesEveryHost() throws {
        defer { folder.remove() }
        let run = try keygen(
            "k.pem", "--no-encrypt", "--host", "API.example.com", "--host", "*.bücher.example", "--host", "192.0.2.1",
            "--host", "2001:db8::1", "--host", "api.example.com")
        #expect(run.status == 0, "\(run)")
        // The hint contains a command that works.
        #expect(
            run.errors.contains("hint: to add the pin to a set, use pinctl add --pins FILE --from-csr k.csr HOST; "),
            "\(run)")
        let request = try #require(try output("openssl", "req", "-in", "k.csr", "-noout", "-text"))
        #expect(
            request.contains(
                "DNS:api.example.com, DNS:*.xn--bcher-kva.example, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1\n"
            ),
            "\(request)")
        #expect(!request.contains("Subject Alternative Name: critical"))
        // A name that is too long for a subject is only in the extension, which is then critical (RFC 5280, section 4.2.1.6).
        let label = String(repeating: "a", count: 60)
        try #expect(keygen("long", "--no-encrypt", "--host", "\(label).\(label).example").status == 0)
        let long = try #require(try output("openssl", "req", "-in", "long.csr", "-noout", "-text"))
        #expect(long.contains("Subject: \n") && long.contains("X509v3 Subject Alternative Name: critical"), "\(long)")
        try #expect(keygen("none", "--no-encrypt").status == 0)
        let none = try #require(try output("openssl", "req", "-in", "none.csr", "-noout", "-text", "-verify"))
        #expect(none.contains("Subject: \n") && !none.contains("Alternative"), "\(none)")
        try #expect(names() == ["k.csr", "k.pem", "long", "long.csr", "none", "none.csr"])
    }

    /// Only the owner can read the key, whatever the umask of the process.
    @Test(arguments: [("0", 0o600, 0o666), ("022", 0o600, 0o644), ("0777", 0o600, 0)])
    func permissions(umask: String, key: Int, request: Int) throws {
        defer { folder.remove() }
        let run = try ChildProcess.run(
            ["sh", "-c", "umask \(umask); exec \"$0\" keygen k.key --no-encrypt", PinctlRun.executable],
            folder: folder.url)
        #expect(run.end == .exit(0), "\(run.errors)")
        try #expect(mode("k.key") == key)
        try #expect(mode("k.csr") == request)
    }

    /// An existing file stays as it is, and no other file is created.
    @Test(arguments: ["k.key", "k.csr"]) func overwritesNothing(name: String) throws {
        defer { folder.remove() }
        try folder.write("precious\n", to: name)
        let run = try keygen("k.key", "--no-encrypt")
        #expect(run.status == 2, "\(run)")
        #expect(run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("pinctl: error: \"\(name)\" exists and is not overwritten\n"), "\(run)")
        try #expect(folder.text(name) == "precious\n")
        try #expect(names() == [name])
    }

    /// Nothing is written through a symbolic link, whether its target exists or not.
    @Test func followsNoLinks() throws {
        defer { folder.remove() }
        try FileManager.default.createSymbolicLink(atPath: folder.path("k.key"), withDestinationPath: "elsewhere")
        try #expect(keygen("k.key", "--no-encrypt").status == 2)
        try #expect(names() == ["k.key"])
    }

    @Test func leavesNothingAfterAFailure() throws {
        defer { folder.remove() }
        let missing = try keygen("nowhere/k.key", "--no-encrypt")
        #expect(missing.status == 2 && missing.errors.contains("there is no folder \"nowhere\""), "\(missing)")
        // The key can be written, the request cannot.
        let half = try keygen("k.key", "--no-encrypt", "--request", "nowhere/k.csr")
        #expect(half.status == 2, "\(half)")
        try #expect(names().isEmpty)
    }

    /// A process killed at any moment leaves both files, neither, or only the key; each of them is complete.
    @Test func aKilledProcessLeavesCompleteFiles() throws {
        defer { folder.remove() }
        var killed = 0
        // timeout(1) treats 0 as no limit.
        for attempt in 1..<40 {
            let name = "k\(attempt)"
            let run = try ChildProcess.run(
                [
                    "timeout", "-s", "KILL", "0.0\(String(format: "%02d", attempt))", PinctlRun.executable, "keygen",
                    name,
                ]
                    + ["--no-encrypt"], environment: TestEnvironment.base, folder: folder.url)
            if run.end != .exit(0) { killed += 1 }
        }
        #expect(killed > 0)
        for name in try names() {
            let isRequest = name.hasSuffix(".csr")
            try #expect(
                output("openssl", isRequest ? "req" : "pkey", "-in", name, "-noout") != nil, "\(name) is not whole")
            if isRequest { try #expect(names().contains(String(name.dropLast(4))), "\(name) has no key") }
            #expect(name.allSatisfy { "k0123456789.csr".contains($0) }, "\(name) was left behind")
        }
    }

    @Test func refusesAnEmptyPassword() throws {
        defer { folder.remove() }
        try folder.write("\n", to: "empty")
        let run = try keygen("k.key", "--password-file", "empty")
        #expect(run.status == 2 && run.errors.contains("expected a password"), "\(run)")
        try #expect(names() == ["empty"])
    }

    /// Types a line at each question, on a terminal of Python's pty module.
    private func typing(_ lines: [String]) throws -> ChildProcess.Outcome {
        let script = """
            import os, pty, sys
            child, terminal = pty.fork()
            if child == 0:
                os.execv(sys.argv[1], [sys.argv[1], "keygen", "k.key"])
            for line in sys.argv[2:]:
                seen = b""
                while not seen.endswith(b": "):
                    seen += os.read(terminal, 1)
                sys.stdout.write(seen.decode())
                os.write(terminal, line.encode() + b"\\n")
            rest = b""
            try:
                while chunk := os.read(terminal, 4096):
                    rest += chunk
            except OSError:
                pass
            sys.stdout.write(rest.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        return try ChildProcess.run(["python3", "-c", script, PinctlRun.executable] + lines, folder: folder.url)
    }

    @Test func asksForThePasswordTwice() throws {
        defer { folder.remove() }
        let run = try typing(["geheim", "geheim"])
        #expect(run.end == .exit(0), "\(run.text)")
        #expect(run.text.hasPrefix("new password for k.key: "), "\(run.text)")
        #expect(run.text.contains("repeat the password: "))
        #expect(!run.text.contains("geheim"))
        let pin = try pin(ofKey: "k.key", password: "geheim")
        #expect(run.text.contains(pin), "\(run.text)")
    }

    @Test(arguments: [
        (["geheim", "gehiem"], "the two passwords differ"), ([""], "no password was typed"),
    ])
    func refusesWrongPasswords(lines: [String], message: String) throws {
        defer { folder.remove() }
        let run = try typing(lines)
        #expect(run.end == .exit(2), "\(run.text)")
        #expect(run.text.contains("pinctl: error: \(message)"), "\(run.text)")
        try #expect(names().isEmpty)
    }

    /// Runs pinctl on a Python terminal, where it asks for a password. `script` uses `child`, `terminal` and `echoes()`. If pinctl
    /// is a shell's job, it also uses `events`: the lines that the shell writes when pinctl stops or ends.
    private func atTerminal(
        _ script: String, _ command: [String] = [], asJobOfAShell: Bool = false
    ) throws -> ChildProcess.Outcome {
        let isJob = asJobOfAShell ? "True" : "False"
        let start = """
            import fcntl, os, pty, signal, sys, termios
            terminal, line = pty.openpty()
            output, input = os.pipe()
            events = os.fdopen(output)
            def run():
                for stream in range(3): os.dup2(line, stream)
                # The crash handler of Swift would catch SIGQUIT and wait for a key.
                os.environ["SWIFT_BACKTRACE"] = "enable=yes"
                os.execv(sys.argv[1], [sys.argv[1], "keygen", "k.key"])
            def runAsJob():
                job = os.fork()
                if job == 0:
                    os.setpgid(0, 0)
                    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                    os.tcsetpgrp(line, os.getpgrp())
                    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                    run()
                tell(str(job))
                while True:
                    status = os.waitpid(job, os.WUNTRACED)[1]
                    if os.WIFSTOPPED(status): tell("stopped " + signal.Signals(os.WSTOPSIG(status)).name)
                    else: break
                tell("ended " + str(os.waitstatus_to_exitcode(status)))
                os._exit(0)
            def tell(text): os.write(input, text.encode() + b"\\n")
            child = os.fork()
            if child == 0:
                # A test may run where some of these are ignored.
                for number in range(1, 32):
                    if number not in (signal.SIGKILL, signal.SIGSTOP): signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                os.setsid()
                fcntl.ioctl(line, termios.TIOCSCTTY, 0)
                runAsJob() if \(isJob) else run()
            if \(isJob): child = int(events.readline())
            def ask():
                seen = b""
                while not seen.endswith(b": "): seen += os.read(terminal, 1)
                return seen.decode()
            def echoes(): return bool(termios.tcgetattr(line)[3] & termios.ECHO)
            def type(text):
                for start in range(0, len(text), 1024):
                    os.write(terminal, text[start:start + 1024])
            """
        return try ChildProcess.run(
            command + [
                command.isEmpty ? "python3" : "/usr/bin/python3", "-c", start + "\n" + script, PinctlRun.executable,
            ], folder: folder.url)
    }

    /// If the password were truncated, it would not decrypt the key.
    @Test func aLongPasswordIsNotCut() throws {
        defer { folder.remove() }
        let run = try atTerminal(
            """
            for _ in range(2):
                ask()
                type(b"y" * 1500 + b"z\\n")
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """)
        #expect(run.text == "0\n", "\(run)")
        for (length, opens) in [(1500, false), (1501, true)] {
            let password = String((String(repeating: "y", count: 1500) + "z").prefix(length))
            try folder.write(password, to: "typed")
            let hash = try PinctlRun.spawn(["hash", "k.key", "--password-file", "typed"], folder: folder.url)
            #expect(hash.status == (opens ? 0 : 2), "\(hash)")
        }
    }

    @Test func aPasswordOverTheLimitIsRefused() throws {
        defer { folder.remove() }
        let run = try atTerminal(
            """
            import threading
            ask()
            threading.Thread(target=type, args=(b"y" * 65537 + b"\\n",)).start()
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """)
        #expect(run.text == "2\n", "\(run)")
        try #expect(names().isEmpty)
    }

    /// Signals that end the process, and Ctrl-C and Ctrl-\ at the terminal.
    @Test(arguments: ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2", "\\x03", "\\x1c"])
    func aSignalAtThePromptRestoresTheTerminal(signal: String) throws {
        defer { folder.remove() }
        let cause =
            signal.hasPrefix("\\") ? "os.write(terminal, b'\(signal)')" : "os.kill(child, signal.\(signal))"
        let run = try atTerminal(
            """
            ask()
            before = echoes()
            \(cause)
            status = os.waitpid(child, 0)[1]
            print(before, echoes(), os.WIFSIGNALED(status), os.WCOREDUMP(status))
            """)
        #expect(run.text == "False True True False\n", "\(run)")
        try #expect(names().isEmpty)
    }

    /// Every other signal that ends the process by default and can be caught (signal(7)); the first and the last real-time signals.
    /// SIGPIPE and SIGXFSZ are ignored. The process still ends by the signal.
    @Test(arguments: [
        "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP", "SIGVTALRM", "SIGPROF", "SIGXCPU",
    ])
    func aFaultAtThePromptRestoresTheTerminal(signal: String) throws {
        defer { folder.remove() }
        try expectEnd(by: "signal.\(signal)")
    }

    #if os(Linux)
        @Test(arguments: ["signal.SIGIO", "signal.SIGPWR", "16", "signal.SIGRTMIN", "signal.SIGRTMAX"])
        func aSignalOfLinuxAtThePromptRestoresTheTerminal(number: String) throws {
            defer { folder.remove() }
            try expectEnd(by: number)
        }
    #endif

    private func expectEnd(by number: String) throws {
        let run = try atTerminal(
            """
            ask()
            before = echoes()
            os.kill(child, \(number))
            status = os.waitpid(child, 0)[1]
            print(before, echoes(), os.WIFSIGNALED(status) and os.WTERMSIG(status) == \(number))
            """)
        #expect(run.text == "False True True\n", "\(run)")
        try #expect(names().isEmpty)
    }

    /// A stopped process does not leave the shell without echo, and asks again when it continues.
    @Test(arguments: ["SIGTSTP", "SIGTTIN", "SIGTTOU"]) func aStopAtThePromptRestoresTheTerminal(signal: String) throws
    {
        defer { folder.remove() }
        let run = try atTerminal(
            """
            ask()
            before = echoes()
            os.kill(child, signal.\(signal))
            print(events.readline().strip(), before, echoes())
            os.kill(child, signal.SIGCONT)
            ask()
            print(echoes())
            os.kill(child, signal.SIGTERM)
            print(events.readline().strip(), echoes())
            """, asJobOfAShell: true)
        #expect(run.text == "stopped \(signal) False True\nFalse\nended -15 True\n", "\(run)")
    }

    /// A prompt in the background stops, as any program that uses the terminal there (termios(3)). SIGSTOP cannot be caught, so the
    /// terminal has no echo then, but the prompt still knows the settings to restore.
    @Test func aPromptInTheBackgroundStops() throws {
        defer { folder.remove() }
        let script = """
            import fcntl, os, pty, signal, sys, termios
            terminal, line = pty.openpty()
            if os.fork() == 0:
                os.setsid()
                fcntl.ioctl(line, termios.TIOCSCTTY, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                job = os.fork()
                if job == 0:
                    os.setpgid(0, 0)
                    os.tcsetpgrp(line, os.getpgrp())
                    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                    for stream in (0, 2): os.dup2(line, stream)
                    os.execv(sys.argv[1], [sys.argv[1], "keygen", "k.key"])
                def ask():
                    seen = b""
                    while not seen.endswith(b": "): seen += os.read(terminal, 1)
                def stop(number):
                    if number: os.kill(job, number)
                    return signal.Signals(os.WSTOPSIG(os.waitpid(job, os.WUNTRACED)[1])).name
                def resume(group):
                    os.tcsetpgrp(line, group)
                    os.kill(job, signal.SIGCONT)
                def echoes(): return bool(termios.tcgetattr(line)[3] & termios.ECHO)
                ask()
                print(stop(signal.SIGTSTP), echoes())
                resume(os.getpgrp())
                print(stop(None), echoes())
                resume(job)
                ask()
                print(stop(signal.SIGSTOP), echoes())
                resume(os.getpgrp())
                os.write(terminal, b"x")
                print(stop(None), echoes())
                resume(job)
                ask()
                os.kill(job, signal.SIGTERM)
                print(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]), echoes())
                sys.stdout.flush()
                os._exit(0)
            os.wait()
            """
        let run = try ChildProcess.run(["python3", "-c", script, PinctlRun.executable], folder: folder.url)
        #expect(
            run.text == "SIGTSTP True\nSIGTTOU True\nSIGSTOP False\nSIGTTIN False\n-15 True\n", "\(run)")
    }

    /// An erase key removes a character, not a byte; Ctrl-U erases the line.
    @Test func aTypedPasswordCanBeCorrected() throws {
        defer { folder.remove() }
        let run = try atTerminal(
            """
            ask()
            type("wrong\\x15gehé\\x7feim\\n".encode())
            ask()
            type(b"geheim\\n")
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """)
        #expect(run.text == "0\n", "\(run)")
        _ = try pin(ofKey: "k.key", password: "geheim")
    }

    #if os(Linux)
        /// The private key that signs a file is a secret too, so no core dump contains it (prctl(2), "PR_SET_DUMPABLE").
        @Test(arguments: [
            ["convert", "--to", "wultra", "set.json", "--sign", "sign.key"], ["sync", "--check", "sync.json"],
        ])
        func aProcessWithASigningKeyWritesNoCoreDump(command: [String]) throws {
            defer { folder.remove() }
            let pin = String(repeating: "A", count: 43) + "="
            try folder.write("{\"version\":1,\"hosts\":{\"a.test\":[\"\(pin)\"]}}", to: "set.json")
            let options = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "sign.key"]
            _ = try ChildProcess.output(of: ["openssl", "genpkey"] + options, folder: folder.url)
            try folder.write(
                """
                {"version":1,"set":"set.json","copies":[{"file":"w.json","format":"wultra","sign":"sign.key"}]}
                """, to: "sync.json")
            let run = try ChildProcess.run(
                ["strace", "-f", "-e", "trace=prctl,openat", PinctlRun.executable] + command, folder: folder.url)
            let lines = run.errors.split(separator: "\n")
            let protection = lines.firstIndex { $0.contains("PR_SET_DUMPABLE, SUID_DUMP_DISABLE") } ?? lines.count
            let reading = lines.firstIndex { $0.contains("sign.key\"") } ?? 0
            #expect(protection < reading, "\(run.errors)")
        }
    #endif

    /// A process with a secret writes no core dump, and its memory cannot be read by other processes of the user.
    @Test(.enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/python3")))
    func aProcessWithASecretCannotBeRead() throws {
        defer { folder.remove() }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let run = try atTerminal(
            """
            ask()
            limit = [line.split()[4] for line in open(f"/proc/{child}/limits") if line.startswith("Max core file size")]
            try:
                open(f"/proc/{child}/mem", "rb")
                print("readable")
            except PermissionError:
                print(limit)
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            """, ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        #expect(run.text == "['0']\n", "\(run)")
        // The files are also written without the privileges of root.
        let written = try ChildProcess.run(
            [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PinctlRun.executable, "keygen", "k.key",
                "--no-encrypt",
            ], folder: folder.url)
        #expect(written.end == .exit(0), "\(written)")
        try #expect(names() == ["k.csr", "k.key"])
    }

    @Test func json() throws {
        defer { folder.remove() }
        let run = try keygen(
            "k.key", "--password-file", "password", "--host", "b.example", "--host", "a.example", "-f", "json",
            "--request", "r.pem")
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(object["schema"] as? String == "pinctl/keygen/1")
        #expect(object["pin"] as? String == (try pin(ofKey: "k.key", password: "correct horse")))
        #expect(object["keyFile"] as? String == "k.key")
        #expect(object["requestFile"] as? String == "r.pem")
        #expect(object["encrypted"] as? Bool == true)
        #expect(object["hosts"] as? [String] == ["b.example", "a.example"])
        #expect((object["key"] as? [String: Any])?["curve"] as? String == "P-256")
        #expect(Set(object.keys) == ["schema", "pin", "key", "keyFile", "encrypted", "requestFile", "hosts"])
    }
}
