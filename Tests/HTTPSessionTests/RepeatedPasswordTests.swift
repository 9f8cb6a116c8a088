import TestSupport
import Testing

/// A server repeats the password of `challenge` in a redirect. The URL that results lacks a part of it, so it is not found in the URL.
@Suite(.blocking) struct RepeatedPasswordTests {
    private static let challenge = ScriptedServer.response(
        "401 Unauthorized", #"WWW-Authenticate: Basic realm="r""#)

    @Test(
        arguments: [
            "http://127.0.0.1:1/?p=*", "/x?p=*", "ftp://h.test/?p=*", "mailto:*", "http://*", "*", "http://*/?p=*",
        ],
        [
            "S3cretPass99 ", "S3cretPass-horse#1", "/../S3cretPass99zz", "S3cretPass99/.", "S3cretPass99:x",
            "S3cretPass99/é",
        ])
    func noPartIsShown(location: String, password: String) throws {
        let folder = try TemporaryFolder("password")
        defer { folder.remove() }
        let file = try folder.write(password + "\n", to: "password")
        let redirect = ScriptedServer.response(
            "302 Found", "Location: \(location.replacing("*", with: password))")
        for format in ["text", "json"] {
            let run = try ScriptedServer.run([Self.challenge, redirect]) { peer, _ in
                try PinctlRun.spawn([
                    "challenge", "http://\(peer.endpoint)/", "--user", "alice", "--password-file", file,
                    "--allow-plaintext",
                    "--timeout", "2", "--format", format,
                ])
            }
            let all = (run.text + run.errors).lowercased()
            #expect(!all.contains("s3cret") && all.contains("***"), "\(run)")
        }
    }

    /// A server repeats the logins of `.netrc` for another server of the run, and for the one to which it redirects.
    @Test(arguments: ["127.0.0.1", "localhost"]) func passwordsOfOtherServers(host: String) throws {
        let folder = try TemporaryFolder("netrc")
        defer { folder.remove() }
        let file = try folder.write(
            """
            machine localhost login a password FirstPass99
            machine 127.0.0.1 login b password SecondPass99
            machine 127.0.0.2 login c password ThirdPass99

            """, to: "netrc")
        try RawPeer.run { connection in
            while let request = connection.read() {
                let isFirst = request.starts(with: "GET /first".utf8)
                let text = host == "localhost" ? "FirstPass99" : "FirstPass99 SecondPass99"
                connection.write(
                    isFirst
                        ? ScriptedServer.response(
                            "302 FirstPass99 ThirdPass99", "Location: http://127.0.0.2:1/ThirdPass99")
                        : ScriptedServer.response("401 \(text)", "WWW-Authenticate: Basic realm=\"\(text)\""))
            }
        } _: { peer in
            for format in ["text", "ndjson"] {
                let run = try PinctlRun.spawn([
                    "challenge", "--netrc-file", file, "--allow-plaintext", "--timeout", "2", "--format", format,
                    "http://localhost:\(peer.port)/first", "http://\(host):\(peer.port)/second",
                ])
                let all = run.text + run.errors
                #expect(!all.contains("Pass99") && all.contains("***"), "\(run)")
            }
        }
    }
}
