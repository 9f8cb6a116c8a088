internal import Foundation

/// Files that a server with logins serves: `NAME/file.txt` for each of its areas.
private func makeAreas(_ names: [String], in folder: TemporaryFolder) throws {
    for name in names { try folder.write("\(name) area\n", to: "areas/\(name)/file.txt") }
}

/// The hash of a text in hexadecimal, by openssl.
private func openssl(_ algorithm: String, _ text: String) throws -> String {
    let output = try ChildProcess.output(of: ["openssl", "dgst", "-r", "-\(algorithm)"], input: Array(text.utf8))
    return String(decoding: output.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
}

/// lighttpd as one process in the foreground. Its areas are `md5`, `sha256`, `sha512`, `both`, `userhash` and `basic`, each with a
/// file `file.txt` and a realm of the same name.
package enum Lighttpd {
    package static let path = ProxyProgram.path("lighttpd")
    package static let missing = "lighttpd is not installed"

    /// - Parameters:
    ///   - certificate: a name of `Scripts/pki` for TLS; nil for plain HTTP.
    ///   - user: the user and the password that lighttpd admits. The password must not contain a colon.
    package static func run<Value>(
        certificate: String? = nil, user: (name: String, password: String), _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("lighttpd")
        defer { folder.remove() }
        try makeAreas(["md5", "sha256", "sha512", "both", "userhash", "basic", "open"], in: folder)
        func line(_ realm: String, _ algorithm: String) throws -> String {
            "\(user.name):\(realm):\(try openssl(algorithm, "\(user.name):\(realm):\(user.password)"))"
        }
        let users = [
            try line("md5", "md5"), try line("sha256", "sha256"), try line("sha512", "sha512-256"),
            try line("both", "md5"), try line("both", "sha256"), try line("basic", "md5"),
            try line("userhash", "sha256") + ":" + openssl("sha256", "\(user.name):userhash"),
        ]
        let userFile = try folder.write(users.joined(separator: "\n") + "\n", to: "users")
        func rule(_ area: String, _ method: String, _ more: String) -> String {
            #""/\#(area)" => ( "method" => "\#(method)", \#(more) "realm" => "\#(area)", "require" => "valid-user" )"#
        }
        let rules = [
            rule("md5", "digest", #""algorithm" => "MD5","#), rule("sha256", "digest", #""algorithm" => "SHA-256","#),
            rule("sha512", "digest", #""algorithm" => "SHA-512-256","#),
            rule("both", "digest", #""algorithm" => "MD5|SHA-256","#),
            rule("userhash", "digest", #""algorithm" => "SHA-256", "userhash" => "enable","#),
            rule("basic", "basic", ""),
        ]
        var tls = ""
        if let certificate {
            let pki = try TestPKI.shared()
            tls = """
                ssl.engine = "enable"
                ssl.pemfile = "\(pki.path("\(certificate).chain.pem"))"
                ssl.privkey = "\(pki.path("\(certificate).key"))"
                """
        }
        return try ServerProcess.run(folder: folder) { port in
            let text = """
                server.modules = ( "mod_auth", "mod_authn_file"\(certificate == nil ? "" : #", "mod_openssl""#) )
                server.document-root = "\(folder.path("areas"))"
                server.bind = "127.0.0.1"
                server.port = \(port)
                server.errorlog = "\(folder.path("log"))"
                auth.backend = "htdigest"
                auth.backend.htdigest.userfile = "\(userFile)"
                auth.require = ( \(rules.joined(separator: ",\n")) )
                \(tls)

                """
            return [path ?? "lighttpd", "-D", "-f", try folder.write(text, to: "lighttpd.conf")]
        } _: {
            try body($0)
        }
    }
}

/// Apache httpd as one process in the foreground. Its areas are `digest` and `other` with Digest, `basic` and `open`, each with a file
/// `file.txt`. It sends the header field `Authentication-Info`.
package enum Apache {
    package static let path = ProxyProgram.path("apache2") ?? ProxyProgram.path("httpd")
    package static let missing = "Apache httpd is not installed"

    package static func run<Value>(
        user: (name: String, password: String), _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("apache")
        defer { folder.remove() }
        try makeAreas(["digest", "other", "basic", "open"], in: folder)
        let realms = ["digest", "other"]
        let digests = try realms.map {
            "\(user.name):\($0) realm:\(try openssl("md5", "\(user.name):\($0) realm:\(user.password)"))"
        }
        let digestFile = try folder.write(digests.joined(separator: "\n") + "\n", to: "digests")
        let hash = try ChildProcess.output(
            of: ["openssl", "passwd", "-apr1", "-stdin"], input: Array("\(user.password)\n".utf8))
        let basicFile = try folder.write(Array("\(user.name):".utf8) + hash, to: "basics")
        let modules =
            ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/opt/homebrew/lib/httpd/modules"]
            .first { FileManager.default.fileExists(atPath: $0) } ?? "/usr/lib/apache2/modules"
        let loaded = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest",
        ].map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
        let areas = realms.map {
            """
            <Location /\($0)>
            AuthType Digest
            AuthName "\($0) realm"
            AuthDigestDomain /\($0)/
            AuthUserFile \(digestFile)
            Require valid-user
            </Location>
            """
        }
        return try ServerProcess.run(folder: folder) { port in
            let text = """
                ServerRoot "\(folder.path)"
                ServerName localhost
                PidFile pid
                DefaultRuntimeDir "\(folder.path)"
                Listen 127.0.0.1:\(port)
                Mutex pthread
                ErrorLog log
                DocumentRoot "\(folder.path("areas"))"
                \(loaded.joined(separator: "\n"))
                \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
                \(areas.joined(separator: "\n"))
                <Location /basic>
                AuthType Basic
                AuthName "basic realm"
                AuthUserFile \(basicFile)
                Require valid-user
                </Location>

                """
            return [path ?? "apache2", "-X", "-f", try folder.write(text, to: "apache.conf")]
        } _: {
            try body($0)
        }
    }
}

/// vsftpd with TLS, which admits the user `anonymous` with one password only.
package enum Vsftpd {
    package static let path = ProxyProgram.path("vsftpd")
    package static let missing = "vsftpd is not installed"

    /// - Parameter password: the only password; nil to admit every password.
    package static func run<Value>(
        certificate: String = "leaf-rsa", password: String?, _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("vsftpd")
        defer { folder.remove() }
        for name in ["empty", "root"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path(name))
        }
        let passwords = try folder.write((password ?? "") + "\n", to: "passwords")
        return try ServerProcess.run(folder: folder) { port in
            let text = """
                listen=YES
                listen_address=127.0.0.1
                listen_port=\(port)
                background=NO
                run_as_launching_user=\(getuid() == 0 ? "NO" : "YES")
                anonymous_enable=YES
                local_enable=NO
                anon_root=\(folder.path("root"))
                secure_chroot_dir=\(folder.path("empty"))
                secure_email_list_enable=\(password == nil ? "NO" : "YES")
                email_password_file=\(passwords)
                ssl_enable=YES
                allow_anon_ssl=YES
                force_anon_logins_ssl=YES
                rsa_cert_file=\(pki.path("\(certificate).chain.pem"))
                rsa_private_key_file=\(pki.path("\(certificate).key"))
                ssl_ciphers=HIGH
                seccomp_sandbox=NO
                xferlog_enable=NO

                """
            return [path ?? "vsftpd", try folder.write(text, to: "vsftpd.conf")]
        } _: {
            try body($0)
        }
    }
}
