import Foundation
import TestSupport
import Testing

/// The prompt of `pinctl keygen` for a password, on a terminal.
@Suite(.blocking) struct PasswordPromptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("prompt") }

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
        let pin = try folder.pin(ofKey: "k.key", password: "geheim")
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
        try #expect(folder.names().isEmpty)
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
                os.environ["SWIFT_BACKTRACE"] = "enable=yes,warnings=suppressed"
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
        try #expect(folder.names().isEmpty)
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
        try #expect(folder.names().isEmpty)
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
        try #expect(folder.names().isEmpty)
    }

    /// A stopped process does not leave the shell without echo, and asks again when it continues. SIGSTOP cannot be caught, so only the
    /// settings that a shell makes after it have an echo.
    @Test(arguments: ["SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGSTOP"])
    func aStopAtThePromptRestoresTheTerminal(signal: String) throws {
        defer { folder.remove() }
        let run = try atTerminal(
            """
            ask()
            before = echoes()
            os.kill(child, signal.\(signal))
            print(events.readline().strip(), before, echoes())
            settings = termios.tcgetattr(line)
            settings[3] |= termios.ECHO | termios.ICANON
            termios.tcsetattr(line, termios.TCSANOW, settings)
            os.kill(child, signal.SIGCONT)
            ask()
            print(echoes())
            os.kill(child, signal.SIGTERM)
            print(events.readline().strip(), echoes())
            """, asJobOfAShell: true)
        let echo = signal == "SIGSTOP" ? "False" : "True"
        #expect(run.text == "stopped \(signal) False \(echo)\nFalse\nended -15 True\n", "\(run)")
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
            run.text == "SIGTSTP True\nSIGTTOU True\nSIGSTOP False\nSIGTTOU False\n-15 True\n", "\(run)")
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
        _ = try folder.pin(ofKey: "k.key", password: "geheim")
    }

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
        try #expect(folder.names() == ["k.csr", "k.key"])
    }
}
