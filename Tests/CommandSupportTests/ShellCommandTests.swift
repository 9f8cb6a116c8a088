import Encodings
import TestSupport
import Testing

/// The shell is the reference: it must read each word unchanged.
@Suite(.blocking) struct ShellCommandTests {
    private static let words = [
        "pins.json", "a b", "a;b", "it's", "'", "''", "\"x\"", "$(touch x)", "`touch x`", "a&b", "a|b", "<a>",
        "*.example.com",
        "[2001:db8::1]:443", "~", "~root", "#x", "{a,b}", "!x", "a\\b", "\\", "", "192.0.2.1:443=a.test", "été", "日本",
        "a\u{A0}b", "%25", "-x", "$HOME", "(x)", "?",
    ]
    private static let invisible = ["a\nb", "\t'\\", "\u{1B}[31m", "\u{202E}gpj", "\u{200B}1", "\u{7F}0\u{1}7"]

    private func words(of line: String, _ shell: String) throws -> [String] {
        let run = try ChildProcess.run([shell, "-c", "printf '%s\\0' \(line)"])
        #expect(run.end == .exit(0), "\(run.errors)")
        return run.text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }

    @Test func aShellReadsTheSameWords() throws {
        let words = Self.words + ["a'\\b", #"x\';echo x;#"#, #"\\'"#, "##[x]", "##vso[x]", "##teamcity[x]"]
        for shell in ["sh", "bash"] + ["zsh", "fish"].filter({ ExternalCommand.path(of: $0) != nil }) {
            try #expect(self.words(of: ShellCommand.line(words), shell) == words, "\(shell)")
        }
    }

    /// dash has no `$'…'`, and fish escapes characters in single quotes. The words are other ones there, but only one each.
    @Test func noShellRunsACommandOfAWord() throws {
        let words = [
            "x\t';echo INJECTED;#.json", #"x\';echo INJECTED;#.json"#, "x\t\\';echo INJECTED;#",
            "\t'\\';echo INJECTED;'",
        ]
        for shell in ["sh", "bash", "zsh", "fish"] where ExternalCommand.path(of: shell) != nil {
            for word in words {
                let run = try ChildProcess.run([shell, "-c", "true \(ShellCommand.line([word]))"])
                #expect(run.text == "", "\(shell) \(word.escaped)")
            }
        }
    }

    /// The escapes of messages would name another file.
    @Test func messagesDoNotChangeMarksOfCommands() {
        let line = ShellCommand.line(["##[x].key", "a ##vso[x].key", "\t##[x]"])
        #expect(line.escaped == line)
    }

    /// Debian's sh has no `$'…'`.
    @Test func bashReadsInvisibleCharacters() throws {
        let line = ShellCommand.line(Self.invisible)
        try #expect(words(of: line, "bash") == Self.invisible)
        // The escapes of messages do not change it.
        #expect(line.escaped == line)
    }

    /// Random words, each also with other words around it.
    @Test func aShellReadsRandomWords() throws {
        var generator = SeededGenerator(seed: 61)
        let parts = [
            "'", "\"", "\\", "$", "`", "(", ")", "{", "}", "[", "]", "*", "?", "~", "#", "=", "!", "&", "|", ";", "<",
            ">", "%",
            "-", " ", "a", "0", "é", "\u{A0}", "日",
        ]
        let unseen = ["\n", "\t", "\r", "\u{1B}", "\u{7F}", "\u{200B}", "\u{FEFF}"]
        func word(_ parts: [String]) -> String {
            (0..<Int.random(in: 0..<6, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
                .joined()
        }
        for shells in [["sh", "bash"], ["bash"]] {
            let words = (0..<500).map { _ in word(shells.contains("sh") ? parts : parts + unseen) }
            for shell in shells { try #expect(self.words(of: ShellCommand.line(words), shell) == words, "\(shell)") }
        }
    }

    @Test func onlyNecessaryQuotes() {
        let plain = [
            "pinctl", "verify", "--pins", "a/b-c_d.json", "api.example.com:8443", "192.0.2.1:443=a.test", "été",
        ]
        #expect(ShellCommand.line(plain) == plain.joined(separator: " "))
        #expect(ShellCommand.line(["it's", "a b"]) == #"'it'\''s' 'a b'"#)
    }
}
