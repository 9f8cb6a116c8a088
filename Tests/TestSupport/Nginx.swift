internal import Foundation

/// nginx as one process in the foreground.
package enum Nginx {
    /// - Parameter servers: returns the `server` blocks of the configuration for a listening address. `PKI/` in them is the folder
    ///   of the certificates.
    package static func run<Value>(
        on loopback: Loopback = .ipv4, servers: (String) throws -> String, _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("nginx")
        defer { folder.remove() }
        return try ServerProcess.run(on: loopback, folder: folder) { port in
            let text = try configuration(servers(loopback.endpoint(port))).replacing(
                "PKI/", with: pki.folder.path + "/")
            return ["nginx", "-p", folder.path + "/", "-c", try folder.write(text, to: "nginx.conf")]
        } _: {
            try body($0)
        }
    }

    /// One `server` block. `certificates` are names of `Scripts/pki`; there can be one for each key type.
    package static func host(
        _ endpoint: String, _ certificates: String..., names: String = "_", more: String = ""
    ) -> String {
        let lines = certificates.map { "ssl_certificate PKI/\($0).chain.pem; ssl_certificate_key PKI/\($0).key;" }
        return "server { listen \(endpoint) ssl; server_name \(names); \(lines.joined(separator: " ")) \(more) }\n"
    }

    private static func configuration(_ servers: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temporary;" }
        return """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr info;
            events { worker_connections 1024; }
            http {
            access_log off;
            ssl_protocols TLSv1.2 TLSv1.3;
            server_names_hash_bucket_size 128;
            \(temporary.joined(separator: "\n"))
            \(servers)
            }

            """
    }
}
