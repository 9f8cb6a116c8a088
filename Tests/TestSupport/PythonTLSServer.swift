/// A TLS server in Python with the certificate "leaf" of ``TestPKI``, for answers and ends of connections that other servers do not have.
package enum PythonTLSServer {
    /// Starts the server, and stops it after `body`.
    ///
    /// - Parameters:
    ///   - arguments: the list `arguments` of the script.
    ///   - setup: the start of the script, which also has the modules `os` and `re`.
    ///   - connection: what the script does with each connection, the TLS socket `session`.
    package static func run<Value>(
        _ arguments: [String] = [], setup: String = "", connection: String, _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let lines = connection.split(separator: "\n", omittingEmptySubsequences: false)
        let script = """
            import os, re, socket, ssl, sys
            arguments = sys.argv[2:]
            \(setup)
            settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            settings.load_cert_chain("leaf.chain.pem", "leaf.key")
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                connection, _ = listener.accept()
                try:
                    session = settings.wrap_socket(connection, server_side=True)
            \(lines.map { "        " + $0 }.joined(separator: "\n"))
                except OSError: pass
            """
        return try ServerProcess.run(folder: try TestPKI.shared().folder) { port in
            ["python3", "-c", script, String(port)] + arguments
        } _: {
            try body($0)
        }
    }
}
