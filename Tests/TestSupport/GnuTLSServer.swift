/// `gnutls-serv`: a TLS implementation that is independent of OpenSSL.
package enum GnuTLSServer {
    /// - Parameter priority: a priority string of GnuTLS.
    package static func run<Value>(
        _ certificate: String = "leaf", priority: String = "NORMAL", options: [String] = [],
        _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let pki = try TestPKI.shared()
        return try ServerProcess.run(folder: pki.folder) { port in
            [
                "gnutls-serv", "--port", String(port), "--x509certfile", "\(certificate).chain.pem", "--x509keyfile",
                "\(certificate).key", "--priority", priority, "--http",
            ] + options
        } _: {
            try body($0)
        }
    }
}
