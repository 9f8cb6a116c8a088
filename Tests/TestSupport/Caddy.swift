/// Caddy: the TLS implementation of Go, which sends its only certificate also to clients that do not accept its key.
package enum Caddy {
    /// - Parameters:
    ///   - certificate: the path of the chain.
    ///   - key: the path of its key.
    ///   - protocols: the lowest and the highest version of TLS.
    package static func run<Value>(
        _ certificate: String, key: String, protocols: String = "tls1.2 tls1.3", _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("caddy")
        defer { folder.remove() }
        return try ServerProcess.run(folder: folder) { port in
            let file = try folder.write(configuration(port, certificate, key, protocols), to: "Caddyfile")
            // Caddy saves its configuration and its state in these folders.
            let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map { "\($0)=\(folder.path)" }
            return ["env"] + folders + ["caddy", "run", "--config", file, "--adapter", "caddyfile"]
        } _: {
            try body($0)
        }
    }

    private static func configuration(
        _ port: UInt16, _ certificate: String, _ key: String, _ protocols: String
    ) -> String {
        """
        {
            admin off
            auto_https off
        }
        https://:\(port) {
            bind 127.0.0.1
            tls \(certificate) \(key) {
                protocols \(protocols)
            }
            respond ok
        }

        """
    }
}
