import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// Basic and Digest at real servers. curl says who is admitted.
@Suite(.blocking) struct LoginTests {
    static let user = SessionFixture.user
    static let areas = ["md5", "sha256", "both", "userhash", "basic"]

    private func compare(_ url: String, _ password: String, scheme: String, _ options: [String] = []) throws {
        let result = try SessionFixture.run(url, handler: SessionFixture.login(password))
        let expected = try SessionFixture.curl(url, ["--anyauth", "-u", "\(Self.user.name):\(password)"] + options)
        #expect(result.status == expected, "\(url) \(result.summary)")
        let login = try #require(result.challenges.first { $0.scheme != nil })
        #expect(login.scheme == scheme)
        #expect(login.result == (expected == 200 ? .accepted : .refused))
        #expect(result.admission == (expected == 200 ? .admitted : .refused))
    }

    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed"), arguments: [nil, "leaf"])
    func lighttpd(certificate: String?) throws {
        try Lighttpd.run(certificate: certificate, user: Self.user) { server in
            let start = certificate == nil ? "http://\(server.localhost)" : "https://\(server.localhost)"
            let schemes = [
                "md5": "Digest MD5", "sha256": "Digest SHA-256", "both": "Digest SHA-256", "userhash": "Digest SHA-256",
                "basic": "Basic",
            ]
            for area in Self.areas {
                for password in [Self.user.password, "wrong"] {
                    try compare("\(start)/\(area)/file.txt", password, scheme: schemes[area] ?? "")
                }
            }
            #expect(try SessionFixture.run("\(start)/open/file.txt").body == "open area\n")
        }
    }

    /// curl 7.88.1 uses SHA-256 for SHA-512-256, so lighttpd is the only judge here.
    @Test(.enabled(if: Lighttpd.path != nil, "lighttpd is not installed")) func digestSHA512() throws {
        try Lighttpd.run(user: Self.user) { server in
            let url = "http://\(server.localhost)/sha512/file.txt"
            let result = try SessionFixture.run(url, handler: SessionFixture.login())
            #expect(result.body == "sha512 area\n")
            #expect(result.summary == ["Digest SHA-512-256 accepted"])
            #expect(try SessionFixture.run(url, handler: SessionFixture.login("wrong")).status == 401)
        }
    }

    /// Apache also proves that it knows the password (`rspauth`), which the session checks.
    @Test(.enabled(if: Apache.path != nil, "Apache httpd is not installed")) func apache() throws {
        try Apache.run(user: Self.user) { server in
            for (area, scheme) in ["digest": "Digest MD5", "other": "Digest MD5", "basic": "Basic"] {
                for password in [Self.user.password, "wrong"] {
                    try compare("http://\(server.localhost)/\(area)/file.txt", password, scheme: scheme)
                }
            }
            let result = try SessionFixture.run(
                "http://\(server.localhost)/digest/file.txt", handler: SessionFixture.login())
            guard case .success(let response) = result.outcome else {
                Issue.record("\(result)")
                return
            }
            #expect(response.headers.contains { $0.name == "authentication-info" && $0.value.contains("rspauth") })
        }
    }

    /// The second request carries the login at once, with the next count. Each realm has its own login.
    @Test(.enabled(if: Apache.path != nil, "Apache httpd is not installed")) func laterTasksLogInAtOnce() throws {
        try Apache.run(user: Self.user) { server in
            let session = try Session(try SessionFixture.configuration(), handler: SessionFixture.login())
            let start = "http://\(server.localhost)"
            #expect(session.run(Session.Request(url: start + "/digest/file.txt")).summary == ["Digest MD5 accepted"])
            let second = session.run(Session.Request(url: start + "/digest/file.txt"))
            #expect(second.status == 200 && second.summary == [])
            let other = session.run(Session.Request(url: start + "/other/file.txt"))
            #expect(other.status == 200 && other.summary == ["Digest MD5 accepted"])
            #expect(other.challenges.first?.protectionSpace.realm == "other realm")
        }
    }

    @Test func nginxBasic() throws {
        let folder = try TemporaryFolder("nginx-areas")
        defer { folder.remove() }
        try folder.write("private\n", to: "areas/private/file.txt")
        let hash = try ChildProcess.output(
            of: ["openssl", "passwd", "-apr1", "-stdin"], input: Array("\(Self.user.password)\n".utf8))
        let users = try folder.write(Array("\(Self.user.name):".utf8) + hash, to: "users")
        try Nginx.run {
            Nginx.host(
                $0, "leaf",
                more: #"root \#(folder.path("areas")); auth_basic "nginx, realm"; auth_basic_user_file \#(users);"#)
        } _: { server in
            let url = "https://\(server.localhost)/private/file.txt"
            for password in [Self.user.password, "wrong"] { try compare(url, password, scheme: "Basic") }
            let result = try SessionFixture.run(url, handler: SessionFixture.login())
            #expect(result.challenges.last?.protectionSpace.realm == "nginx, realm")
            #expect(result.summary == ["server-trust accepted", "Basic accepted"])
            // Without a credential, the default handling continues to the 401.
            let without = try SessionFixture.run(url)
            #expect(without.status == 401)
            #expect(without.summary == ["server-trust accepted", "Basic unanswered"])
        }
    }

    /// The same files, hosts and servers for curl and for the storage.
    @Test(arguments: [
        "machine localhost login alice password hunter2-s3ss10n",
        "machine other.test login x password y\ndefault login alice password hunter2-s3ss10n",
        "machine localhost login alice password wrong", "machine other.test login alice password hunter2-s3ss10n",
        "machine localhost login bob password hunter2-s3ss10n", "",
        "machine LOCALHOST\nlogin \"alice\"\npassword \"hunter2-s3ss10n\" # comment",
    ])
    func netrc(text: String) throws {
        guard Lighttpd.path != nil else { return }
        let folder = try TemporaryFolder("netrc")
        defer { folder.remove() }
        let file = try folder.write(text, to: "netrc")
        try Lighttpd.run(user: Self.user) { server in
            let url = "http://\(server.localhost)/md5/file.txt"
            let storage = CredentialStorage(netrc: try Netrc(parsing: Array(text.utf8)))
            let result = try SessionFixture.run(url) { $0.storage = storage }
            #expect(result.status == (try SessionFixture.curl(url, ["--digest", "--netrc-file", file])), "\(text)")
        }
    }

    /// A password of a former session comes from the private file.
    @Test func permanentPasswords() throws {
        guard Lighttpd.path != nil else { return }
        let folder = try TemporaryFolder("store")
        defer { folder.remove() }
        let file = PrivateFile(path: folder.path("store"))
        let handler = PasswordHandler { _ in
            Credential(user: Self.user.name, password: Self.user.password, persistence: .permanent)
        }
        try Lighttpd.run(user: Self.user) { server in
            let url = "http://\(server.localhost)/sha256/file.txt"
            let first = try CredentialStorage(file: file)
            let created = try SessionFixture.run(url, handler: handler) { $0.storage = first }
            #expect(created.status == 200)
            let second = try CredentialStorage(file: file)
            let result = try SessionFixture.run(url) { $0.storage = second }
            #expect(result.status == 200)
            #expect(result.challenges.first?.answer == .performDefaultHandling)
            // Another realm of the server has no credential.
            let other = try SessionFixture.run("http://\(server.localhost)/md5/file.txt") { $0.storage = second }
            #expect(other.status == 401)
        }
    }

    /// nginx redirects to a page with a login form, as applications do.
    @Test func loginFormOfNginx() throws {
        let page = "<form method=post><input name=u><input type=password name=p></form>"
        try Nginx.run {
            Nginx.host(
                $0, "leaf",
                more: """
                    location / { return 302 /login; }
                    location /login { default_type text/html; return 200 '\(page)'; }
                    """)
        } _: { server in
            let result = try SessionFixture.run("https://\(server.localhost)/private", handler: SessionFixture.login())
            #expect(result.status == 200 && result.body == page)
            #expect(result.summary == ["server-trust accepted", "html-form unsupported"])
            #expect(result.admission == .refused)
        }
    }

    @Test func basicWithoutTLSNeedsPermission() throws {
        guard Lighttpd.path != nil else { return }
        try Lighttpd.run(user: Self.user) { server in
            let url = "http://\(server.localhost)/basic/file.txt"
            let result = try SessionFixture.run(url, handler: SessionFixture.login()) {
                $0.allowsPlaintextPasswords = false
            }
            #expect(result.status == 401 && result.summary == ["Basic insecure"])
            // Digest sends no password.
            let digest = try SessionFixture.run(
                "http://\(server.localhost)/md5/file.txt", handler: SessionFixture.login()
            ) {
                $0.allowsPlaintextPasswords = false
            }
            #expect(digest.status == 200)
        }
    }
}
