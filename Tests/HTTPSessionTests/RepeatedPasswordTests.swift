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
}
