internal import Foundation

/// squid as one process in the foreground.
package enum Squid {
    package static let path = ProxyProgram.path("squid")

    /// The schemes of HTTP authentication that squid offers.
    package enum Scheme: Sendable {
        case basic, digest
        /// Offered in this order before the others. squid starts their helpers only for a client that uses them.
        case negotiate, ntlm
    }

    /// - Parameters:
    ///   - schemes: empty to admit everybody.
    ///   - certificate: a name of `Scripts/pki` for a proxy with TLS; nil for plain HTTP.
    ///   - user: the user and the password that squid admits.
    package static func run<Value>(
        _ schemes: [Scheme] = [], certificate: String? = nil, user: (name: String, password: String) = ("", ""),
        _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("squid")
        defer { folder.remove() }
        let helpers =
            ["/usr/lib/squid", "/usr/lib64/squid", "/opt/homebrew/opt/squid/libexec"]
            .first { FileManager.default.fileExists(atPath: $0) } ?? "/usr/lib/squid"
        var rules: [String] = []
        if schemes.contains(.negotiate) {
            rules += [
                "auth_param negotiate program \(helpers)/negotiate_kerberos_auth -s GSS_C_NO_NAME",
                "auth_param negotiate children 1 startup=0",
            ]
        }
        if schemes.contains(.ntlm) {
            rules += ["auth_param ntlm program \(helpers)/ntlm_fake_auth", "auth_param ntlm children 1 startup=0"]
        }
        if schemes.contains(.digest) {
            // The file contains MD5("user:realm:password") (digest_file_auth(8)).
            let hash = try openssl(["md5", "-r"], input: "\(user.name):digest realm:\(user.password)").prefix(32)
            let file = try folder.write("\(user.name):digest realm:\(hash)\n", to: "digest")
            rules += [
                "auth_param digest program \(helpers)/digest_file_auth -c \(file)",
                "auth_param digest realm digest realm", "auth_param digest children 1 startup=1",
            ]
        }
        if schemes.contains(.basic) {
            let hash = try openssl(["passwd", "-apr1", "-stdin"], input: user.password + "\n")
            let file = try folder.write("\(user.name):\(hash)\n", to: "basic")
            rules += [
                "auth_param basic program \(helpers)/basic_ncsa_auth \(file)", "auth_param basic realm basic realm",
                "auth_param basic children 1 startup=1",
            ]
        }
        rules += schemes.isEmpty ? [] : ["acl users proxy_auth REQUIRED"]
        rules += ["acl forbidden dstdomain forbidden.test", "http_access deny forbidden"]
        rules += [schemes.isEmpty ? "http_access allow all" : "http_access allow users", "http_access deny all"]
        var tls = ""
        if let certificate {
            let pki = try TestPKI.shared()
            // squid changes its user before it reads the files.
            let chain = try folder.write(try pki.bytes("\(certificate).chain.pem"), to: "chain.pem")
            let key = try folder.write(try pki.bytes("\(certificate).key"), to: "key.pem")
            tls = " tls-cert=\(chain) tls-key=\(key)"
        }
        return try ServerProcess.run(folder: folder) { port in
            let listen = "\(certificate == nil ? "http_port" : "https_port") 127.0.0.1:\(port)\(tls)"
            let settings = [
                "access_log none", "cache_log /dev/null", "cache_store_log none", "cache deny all", "pid_filename none",
                "shutdown_lifetime 0 seconds", "visible_hostname squid.test", "connect_timeout 5 seconds",
                // This helper can remain for seconds after squid.
                "pinger_enable off",
            ]
            let text = ([listen] + rules + settings).joined(separator: "\n") + "\n"
            let file = try folder.write(text, to: "squid.conf")
            // The name of the service is part of the names of shared memory, which several instances must not share.
            let name = "pinctl\(port)x\(ProcessInfo.processInfo.processIdentifier)"
            return [path ?? "squid", "-N", "-f", file, "-n", name]
        } _: {
            try body($0)
        }
    }

    private static func openssl(_ arguments: [String], input: String) throws -> String {
        let output = try ChildProcess.output(of: ["openssl"] + arguments, input: Array(input.utf8))
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// tinyproxy as one process in the foreground.
package enum Tinyproxy {
    package static let path = ProxyProgram.path("tinyproxy")

    /// - Parameter user: the user and the password that tinyproxy demands by Basic; nil to admit everybody.
    package static func run<Value>(
        user: (name: String, password: String)? = nil, _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder("tinyproxy")
        defer { folder.remove() }
        return try ServerProcess.run(folder: folder) { port in
            var lines = ["Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 20", "Allow 127.0.0.1"]
            if let user { lines.append("BasicAuth \(user.name) \(user.password)") }
            return [
                path ?? "tinyproxy", "-d", "-c", try folder.write(lines.joined(separator: "\n") + "\n", to: "conf"),
            ]
        } _: {
            try body($0)
        }
    }
}

/// microsocks: SOCKS 5, with a user and a password or without.
package enum Microsocks {
    package static let path = ProxyProgram.path("microsocks")

    package static func run<Value>(
        user: (name: String, password: String)? = nil, _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        try ServerProcess.run { port in
            [path ?? "microsocks", "-i", "127.0.0.1", "-p", String(port)]
                + (user.map { ["-u", $0.name, "-P", $0.password] } ?? [])
        } _: {
            try body($0)
        }
    }
}

/// Dante: SOCKS 4 and 5.
package enum Dante {
    package static let path = ProxyProgram.path("danted")

    package static func run<Value>(_ body: (ServerProcess) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder("dante")
        defer { folder.remove() }
        return try ServerProcess.run(folder: folder) { port in
            let text = """
                logoutput: stderr
                internal: 127.0.0.1 port = \(port)
                external: lo
                clientmethod: none
                socksmethod: none
                client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
                socks block { from: 0.0.0.0/0 to: 127.0.0.9/32 }
                socks pass { from: 0.0.0.0/0 to: 127.0.0.0/8 protocol: tcp }

                """
            return [path ?? "danted", "-f", try folder.write(text, to: "danted.conf"), "-N", "1"]
        } _: {
            try body($0)
        }
    }
}

enum ProxyProgram {
    /// The path of a program; nil if it is not installed. Debian installs proxies in /usr/sbin, which is not in the PATH of all users.
    static func path(_ name: String) -> String? {
        ExternalCommand.path(of: name)
            ?? ["/usr/sbin", "/usr/bin", "/opt/homebrew/sbin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
