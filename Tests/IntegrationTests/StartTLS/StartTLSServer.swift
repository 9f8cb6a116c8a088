import Foundation
import TestSupport

/// A real server of protocols with STARTTLS, on free loopback ports.
enum StartTLSServer: String, CaseIterable, Sendable {
    case exim, dovecot, vsftpd, slapd, prosody, postgres, mariadb, inspircd, inn2

    /// The program, or a reason why the server cannot run.
    var program: String? {
        switch self {
        case .exim: Self.path("exim4")
        case .dovecot: Self.path("dovecot")
        case .vsftpd: Self.path("vsftpd")
        case .slapd: Self.path("slapd")
        case .prosody: Self.hasLuaUnbound ? Self.path("prosody") : nil
        case .postgres:
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.sorted().last
                .map { "/usr/lib/postgresql/\($0)/bin" }
        case .mariadb: Self.path("mariadbd")
        case .inspircd: Self.path("inspircd")
        case .inn2:
            ["\(Self.unpackedINN)/usr/lib/news/bin/nnrpd"].first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    /// Whether this user can start the server here.
    var canRun: Bool {
        guard program != nil else { return false }
        // These programs change to other users, which only root can do.
        return getuid() == 0 || ![.exim, .dovecot].contains(self)
    }

    /// The schemes that the server understands, with the names of the protocols in `openssl s_client`.
    var schemes: [(scheme: String, openssl: String)] {
        switch self {
        case .exim: [("smtp", "smtp"), ("submission", "smtp")]
        case .dovecot: [("imap", "imap"), ("pop3", "pop3"), ("sieve", "sieve"), ("lmtp", "lmtp")]
        case .vsftpd: [("ftp", "ftp")]
        case .slapd: [("ldap", "ldap")]
        case .prosody: [("xmpp", "xmpp"), ("xmpp-server", "xmpp-server")]
        case .postgres: [("postgres", "postgres")]
        case .mariadb: [("mysql", "mysql")]
        case .inspircd: [("irc", "irc")]
        case .inn2: [("nntp", "nntp")]
        }
    }

    /// Runs the server with the certificate `leaf`. `body` gets the port of each scheme.
    func run<Value>(_ body: ([String: UInt16], ServerProcess) throws -> Value) throws -> Value {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder(rawValue)
        defer { folder.remove() }
        for file in ["leaf.chain.pem", "leaf.key"] { try folder.write(pki.bytes(file), to: file) }
        var ports: [String: UInt16] = [:]
        return try ServerProcess.run(folder: folder) { port in
            // The first scheme has the port for which ServerProcess waits.
            ports = try Dictionary(
                uniqueKeysWithValues: schemes.enumerated().map {
                    ($1.scheme, $0 == 0 ? port : try LoopbackSocket.freePort())
                })
            if self == .exim { ports["submission"] = port }
            try folder.write(configuration(folder.path, ports), to: "server.conf")
            return ["sh", "-ec", script(folder.path, port)]
        } _: { server in
            try body(ports, server)
        }
    }

    private func script(_ folder: String, _ port: UInt16) -> String {
        let program = program ?? ""
        let isRoot = getuid() == 0
        switch self {
        case .exim: return "mkdir spool; exec \(program) -C '\(folder)/server.conf' -bdf"
        // The path of a socket has at most 107 bytes (unix(7)), so the sockets are in a folder with a short path.
        case .dovecot:
            return """
                run=$(mktemp -d /tmp/dovecot.XXXXXX); trap 'rm -rf "$run"' EXIT
                sed "s|BASE|$run|" server.conf >short.conf
                \(program) -F -c '\(folder)/short.conf' & server=$!
                trap 'kill $server' TERM INT; wait $server || true; wait $server || true
                """
        case .vsftpd: return "mkdir empty; exec \(program) '\(folder)/server.conf'"
        case .slapd: return "exec \(program) -h ldap://127.0.0.1:\(port) -f '\(folder)/server.conf' -d 0"
        // Prosody selects the parser by the end of the name.
        case .prosody: return "ln -s server.conf server.cfg.lua; exec \(program) -F --config '\(folder)/server.cfg.lua'"
        case .postgres:
            // PostgreSQL refuses to run as root, and requires that the key belongs to its user.
            let asUser = isRoot ? "setpriv --reuid postgres --regid postgres --clear-groups" : ""
            let own = isRoot ? "chown postgres data leaf.key;" : ""
            return """
                chmod 711 . ; mkdir data; chmod 600 leaf.key; \(own)
                \(asUser) \(program)/initdb -D '\(folder)/data' --no-sync -A trust >/dev/null
                exec \(asUser) \(program)/postgres -D '\(folder)/data' -p \(port) -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories= -c ssl=on -c ssl_cert_file='\(folder)/leaf.chain.pem' \
                -c ssl_key_file='\(folder)/leaf.key'
                """
        case .mariadb:
            return """
                mkdir data; exec \(program) --no-defaults \(isRoot ? "--user=root" : "") --datadir='\(folder)/data' \
                --skip-grant-tables --port=\(port) --bind-address=127.0.0.1 --socket=s \
                --ssl-cert='\(folder)/leaf.chain.pem' --ssl-key='\(folder)/leaf.key' --pid-file='\(folder)/pid'
                """
        case .inn2:
            return """
                mkdir db run log tmp spool spool/overview; chmod 600 leaf.key
                printf 'junk 0000000000 0000000001 n\\n' >db/active
                printf 'method tradspool { newsgroups: *; class: 0; }\\n' >storage.conf
                printf 'auth a { hosts: "*" default: "<a>" }\\naccess a { users: "<a>" newsgroups: "*" }\\n' >readers.conf
                { cat server.conf; echo "runasuser: $(id -un)"; echo "runasgroup: $(id -gn)"; } >inn.conf
                touch db/history db/newsgroups expire.ctl spool/tradspool.map
                root=\(Self.unpackedINN)
                export INNCONF='\(folder)/inn.conf' LD_LIBRARY_PATH="$root/usr/lib/news:$(echo "$root"/usr/lib/*-linux-gnu)"
                "$root/usr/lib/news/bin/tdx-util" -F
                exec \(program) -D -f -b 127.0.0.1 -p \(port)
                """
        case .inspircd:
            return "exec \(program) --config='\(folder)/server.conf' --nofork \(isRoot ? "--runasroot" : "") --nolog"
        }
    }

    private func configuration(_ folder: String, _ ports: [String: UInt16]) -> String {
        let port = { (scheme: String) in String(ports[scheme] ?? 0) }
        let (chain, key) = ("\(folder)/leaf.chain.pem", "\(folder)/leaf.key")
        switch self {
        case .exim:
            return """
                primary_hostname = localhost
                local_interfaces = 127.0.0.1
                daemon_smtp_ports = \(port("smtp"))
                tls_certificate = \(chain)
                tls_privatekey = \(key)
                tls_advertise_hosts = *
                spool_directory = \(folder)/spool
                log_file_path = \(folder)/%slog
                pid_file_path = \(folder)/pid
                exim_user = root
                exim_group = root
                keep_environment =
                """
        case .dovecot:
            let listeners = [("imap-login", "imap"), ("pop3-login", "pop3"), ("managesieve-login", "sieve")].map {
                service, name in
                "service \(service) {\n chroot =\n inet_listener \(name) {\n port = \(port(name))\n }\n"
                    + (name == "sieve" ? "" : " inet_listener \(name)s {\n port = 0\n }\n") + "}\n"
            }
            return """
                base_dir = BASE
                state_dir = BASE
                log_path = /dev/stderr
                protocols = imap pop3 sieve lmtp
                listen = 127.0.0.1
                ssl = yes
                ssl_cert = <\(chain)
                ssl_key = <\(key)
                passdb {
                 driver = static
                }
                userdb {
                 driver = static
                 args = uid=65534 gid=65534 home=/tmp
                }
                service anvil {
                 chroot =
                }
                service lmtp {
                 inet_listener lmtp {
                 port = \(port("lmtp"))
                 }
                }

                """ + listeners.joined()
        case .vsftpd:
            return """
                listen=YES
                listen_address=127.0.0.1
                listen_port=\(port("ftp"))
                background=NO
                anonymous_enable=YES
                run_as_launching_user=\(getuid() == 0 ? "NO" : "YES")
                ssl_enable=YES
                rsa_cert_file=\(chain)
                rsa_private_key_file=\(key)
                secure_chroot_dir=\(folder)/empty
                seccomp_sandbox=NO

                """
        case .slapd: return "TLSCertificateFile \(chain)\nTLSCertificateKeyFile \(key)\npidfile \(folder)/pid\n"
        case .prosody:
            return """
                run_as_root = \(getuid() == 0)
                pidfile = "\(folder)/pid"
                data_path = "\(folder)"
                log = { { levels = { min = "info" }, to = "console" } }
                interfaces = { "127.0.0.1" }
                c2s_ports = { \(port("xmpp")) }
                s2s_ports = { \(port("xmpp-server")) }
                modules_enabled = { "tls", "saslauth", "dialback" }
                VirtualHost "localhost"
                  ssl = { certificate = "\(chain)", key = "\(key)" }
                """
        case .postgres, .mariadb: return ""
        case .inspircd:
            return """
                <config format="xml">
                <server name="irc.localhost" description="test" network="test">
                <admin name="a" nick="a" email="a@localhost">
                <bind address="127.0.0.1" port="\(port("irc"))" type="clients">
                <module name="ssl_gnutls">
                <module name="starttls">
                <sslprofile name="Clients" provider="gnutls" certfile="\(chain)" keyfile="\(key)">
                <starttls provider="Clients">
                <connect allow="*">
                <files motd="/dev/null">
                <path configdir="\(folder)" datadir="\(folder)" logdir="\(folder)" moduledir="/usr/lib/inspircd/modules" \
                runtimedir="\(folder)">
                <pid file="\(folder)/pid">
                """
        case .inn2:
            return """
                domain: localhost
                pathhost: localhost
                fromhost: localhost
                mta: "/bin/true"
                hismethod: hisv6
                enableoverview: true
                ovmethod: tradindexed
                pathnews: \(Self.unpackedINN)/usr/lib/news
                pathetc: \(folder)
                pathdb: \(folder)/db
                pathrun: \(folder)/run
                pathlog: \(folder)/log
                pathtmp: \(folder)/tmp
                pathspool: \(folder)/spool
                tlscafile: \(chain)
                tlscertfile: \(chain)
                tlskeyfile: \(key)

                """
        }
    }

    /// The folder into which Scripts/setup unpacks inn2, whose installation would need the domain of the machine.
    private static let unpackedINN: String = {
        let variables = ProcessInfo.processInfo.environment
        return (variables["XDG_CACHE_HOME"] ?? "\(variables["HOME"] ?? "/tmp")/.cache") + "/pinctl/inn2"
    }()

    /// Prosody needs this module for name resolution, and Debian's package does not require it.
    private static let hasLuaUnbound =
        (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
            .contains { FileManager.default.fileExists(atPath: "/usr/lib/\($0)/lua/5.4/lunbound.so") }) ?? false

    private static func path(_ name: String) -> String? {
        (["/usr/sbin", "/sbin"].map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) })
            ?? ExternalCommand.path(of: name)
    }
}
