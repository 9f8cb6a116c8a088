import InProcessRuns
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// A password in the place of the name of its file is an error that does not show it, also an error about the option.
@Suite(.blocking) struct PasswordAsFileTests {
    private static let password = "Secret-word9"

    @Test(arguments: [
        ["challenge", "https://a.test", "--password-file", password],
        ["fetch", "a.test", "--key-password-file", password], ["fetch", "a.test", "--key-password-file=\(password)"],
        ["fetch", "a.test", "--proxy-password-file", password],
        ["keygen", "k", "--password-file", password, "--password-file", password],
        ["keygen", "k", "--password-file", password, "--bare"], ["keygen", "k", "--password-file", password],
        ["lint", "a.json", "--proxy-password-file", password], ["inspect", "a.pem", "--key-password-file", password],
        ["hash", "a.pem", "--password-file", password], ["init", "a.test", "--password-file", password],
        ["explain", "a.log", "--proxy-password-file", password], ["fetch", "a.test", "--key-pasword-file=\(password)"],
    ])
    func isNotShown(arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2 && !(run.text + run.errors).contains(Self.password), "\(run)")
    }
}
