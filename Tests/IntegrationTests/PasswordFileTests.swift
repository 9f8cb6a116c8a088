import TestSupport
import Testing

@Suite(.blocking) struct PasswordFileTests {
    /// `--password-file "$PASSWORD"` gives the password in place of its file, for example in the log of a CI job.
    @Test(arguments: [
        ["hash", "a.p12", "--password-file"], ["inspect", "a.p12", "--password-file"],
        ["keygen", "b.key", "--password-file"],
        ["challenge", "http://127.0.0.1:1", "--user", "anna", "--password-file"],
        ["fetch", "127.0.0.1:1", "--cert", "a.p12", "--key-password-file"],
        ["fetch", "127.0.0.1:1", "--proxy", "http://127.0.0.1:1", "--proxy-user", "anna", "--proxy-password-file"],
    ]) func showsNoPasswordInPlaceOfAFile(arguments: [String]) throws {
        let folder = try TemporaryFolder("password-file")
        defer { folder.remove() }
        try folder.write("x", to: "a.p12")
        for password in ["correct-horse-7", "pass:correct-horse-7", "correct/horse-7", "file:correct-horse-7"] {
            let run = try PinctlRun.spawn(arguments + [password], folder: folder.url)
            #expect(run.status == 2, "\(run)")
            #expect(!(run.text + run.errors).contains("horse"), "\(run)")
            #expect(run.errors.contains("cannot find the file of the password"), "\(run)")
        }
    }
}
