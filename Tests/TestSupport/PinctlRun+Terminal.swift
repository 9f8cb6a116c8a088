package import Foundation

extension PinctlRun {
    /// What pinctl prints on a terminal of a width, on standard output and standard error.
    package static func textOnTerminal(_ arguments: [String], columns: Int, folder: URL? = nil) throws -> String {
        let script = """
            import os, pty, sys
            pid, fd = pty.fork()
            if pid == 0:
                os.environ.update(COLUMNS=sys.argv[1], NO_COLOR="1")
                os.execv(sys.argv[2], sys.argv[2:])
            text = b""
            while True:
                try:
                    part = os.read(fd, 4096)
                except OSError:
                    break
                if not part:
                    break
                text += part
            sys.stdout.buffer.write(text)
            """
        let output = try ChildProcess.output(
            of: ["python3", "-c", script, String(columns), executable] + arguments, folder: folder)
        return String(decoding: output, as: UTF8.self)
    }
}
