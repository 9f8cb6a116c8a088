import Foundation
import InProcessRuns
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// The manual pages of pinctl, and their installation.
struct ManualPageTests {
    static let subjects = [""] + Pinctl.tool.commands.map(\.name) + Pinctl.tool.topics.map(\.name)

    private func page(_ subject: String) throws -> PinctlRun {
        try PinctlRun.inProcess(["help"] + (subject.isEmpty ? [] : [subject]) + ["--man"])
    }

    /// mandoc finds no error and no questionable style. It cannot find the other pages, because they are not installed.
    @Test(arguments: subjects) func mandocAcceptsThePage(subject: String) throws {
        let page = try page(subject)
        #expect(page.status == 0)
        let lint = try ChildProcess.run(["mandoc", "-T", "lint"], input: page.output, atMost: .seconds(60))
        let findings = lint.text.split(separator: "\n").filter { !$0.contains("referenced manual not found") }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    /// The formatted page contains the text of the help.
    @Test func mandocPrintsTheOptions() throws {
        let page = try ChildProcess.run(["mandoc", "-T", "ascii"], input: page("fetch").output, atMost: .seconds(60))
        // A bold character is the character, a backspace and the character again.
        let text = page.text.replacing(/.\u{8}/, with: "")
        for part in [
            "pinctl-fetch - connect to hosts", "-s, --select WHICH", "EXIT STATUS", "pinctl fetch --from hosts.txt",
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func installsAndRemovesExactlyItsFiles() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let environment = TestEnvironment.base.merging(
            ["DESTDIR": folder.path, "PREFIX": "/usr", "BINARY": PinctlRun.executable]
        ) { $1 }
        func run(_ script: String) throws -> [String] {
            let outcome = try ChildProcess.run(
                [Repository.path("Scripts/\(script)")], environment: environment, atMost: .seconds(60))
            #expect(outcome.end == .exit(0), "\(outcome.errors)")
            return outcome.text.split(separator: "\n").map(String.init).sorted()
        }
        func files() throws -> [String] {
            let found = try ChildProcess.run(["find", folder.path, "-type", "f"], atMost: .seconds(60))
            return found.text.split(separator: "\n").map(String.init).sorted()
        }
        let installed = try run("install")
        try #expect(files() == installed)
        let names = Set(installed.map { String($0.dropFirst(folder.path.count)) })
        #expect(
            names.isSuperset(of: [
                "/usr/bin/pinctl", "/usr/share/man/man1/pinctl.1", "/usr/share/man/man1/pinctl-verify.1",
                "/usr/share/man/man5/pinctl-pins.json.5", "/usr/share/bash-completion/completions/pinctl",
                "/usr/share/zsh/site-functions/_pinctl", "/usr/share/fish/vendor_completions.d/pinctl.fish",
            ]))
        // One page for each command but "help", for pinctl and for each topic; three completions; the program.
        #expect(installed.count == Pinctl.tool.commands.count + Pinctl.tool.topics.count + 4)
        try folder.write("other", to: "usr/share/man/man1/other.1")
        try #expect(run("uninstall") == installed)
        try #expect(files() == [folder.path("usr/share/man/man1/other.1")])
    }
}
