/// `openssl s_server`, for behaviour that a correct server does not have.
package enum OpenSSLServer {
    /// - Parameters:
    ///   - certificate: a name of `Scripts/pki`.
    ///   - chain: a file with the certificates that are sent after the leaf; nil for none.
    ///   - options: more options of s_server.
    package static func run<Value>(
        _ certificate: String = "leaf", chain: String? = "intermediate.pem", on loopback: Loopback = .ipv4,
        options: [String] = [], _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let pki = try TestPKI.shared()
        return try ServerProcess.run(on: loopback, folder: pki.folder) { port in
            var command = ["openssl", "s_server", "-accept", loopback.endpoint(port)]
            command += ["-cert", "\(certificate).pem", "-key", "\(certificate).key", "-www"]
            if let chain { command += ["-cert_chain", chain] }
            return command + options
        } _: {
            try body($0)
        }
    }
}
