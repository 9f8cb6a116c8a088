import Foundation
import SampleTool
import Testing

@testable import Arguments

/// Runs the scripts in the shells that are installed.
struct CompletionTests {
    @Test(
        .enabled(if: path(of: "bash") != nil),
        arguments: [
            (["brew", ""], ["make", "keep", "pour", "clean", "help"]), (["brew", "m"], ["make"]),
            (["brew", "--"], ["--help", "--version"]), (["brew", "--", "p"], ["pour"]),
            (["brew", "make", "--c"], ["--cold", "--cups"]), (["brew", "make", "a", "--verbose", "--t"], ["--time"]),
            (["brew", "make", "--strength", ""], ["mild", "medium", "strong"]),
            (["brew", "make", "--strength", "="], ["mild", "medium", "strong"]),
            (["brew", "make", "--strength", "=", "m"], ["mild", "medium"]),
            (["brew", "make", "--time", ""], []), (["brew", "make", "-t", ""], []), (["brew", "make", ""], []),
            (["brew", "make", "--", "--c"], []), (["brew", "nosuch", "--"], []),
            (["brew", "pour", "--size", ""], ["small", "large"]),
            (["brew", "keep", "--tin", "a"], ["a tin"]), (["brew", "keep", "--tin", "=", "a"], ["a tin"]),
            (["brew", "keep", "t"], ["top"]), (["brew", "help", "k"], ["keep"]),
        ])
    func bashCompletesCommandsOptionsAndValues(words: [String], expected: [String]) throws {
        let script =
            Completion.script(for: .bash, tool: SampleTool.tool) + """
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _brew
                [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
                """
        #expect(try run("bash", ["-c", script, "bash"] + words) == expected)
    }

    @Test(
        .enabled(if: path(of: "fish") != nil),
        arguments: [
            ("brew ", ["clean", "help", "keep", "make", "pour"]), ("brew m", ["make"]),
            ("brew --", ["--help", "--version"]), ("brew make --co", ["--cold"]),
            ("brew make --strength ", ["medium", "mild", "strong"]), ("brew make --strength=st", ["--strength=strong"]),
            ("brew make --time ", []), ("brew make ", []), ("brew keep --tin a", ["a tin"]), ("brew help k", ["keep"]),
        ])
    func fishCompletesCommandsOptionsAndValues(line: String, expected: [String]) throws {
        let script = Completion.script(for: .fish, tool: SampleTool.tool) + "complete -C '\(line)'\n"
        let offered = try run("fish", ["--no-config", "-c", script])
        #expect(offered.map { String($0.prefix { $0 != "\t" }) }.sorted() == expected)
    }

    @Test(.enabled(if: path(of: "zsh") != nil))
    func zshAcceptsTheScript() throws {
        #expect(try run("zsh", ["-f", "-n", "-c", Completion.script(for: .zsh, tool: Self.quotes)]) == [])
        #expect(try run("zsh", ["-f", "-n", "-c", Completion.script(for: .zsh, tool: SampleTool.tool)]) == [])
    }

    @Test func zshScriptContainsEveryOptionWithItsValue() {
        let script = Completion.script(for: .zsh, tool: SampleTool.tool)
        for line in [
            "'make:brew tea of each kind, one pot after another'", "'(-4 --cold)-4[with cold water]'",
            "'(-4 --cold)--cold[with cold water]'", "'(-t --time)-t+[take the leaves out after this long]:SECONDS: '",
            "'(--strength)--strength=[how much tea to a cup]:STRENGTH:(mild medium strong)'",
            "'*--with-addition=[what else goes in]:THING: '", "'(--tin)--tin=[the tin to put there]:TIN:_files'",
            "'*:SHELF:(top bottom)'", "':GUEST: '", "'*:TEA: '",
        ] {
            #expect(script.contains(line + " \\\n") || script.contains(line + "\n"), "\(line)")
        }
    }

    /// Help text with characters that are special in a shell.
    private static let quotes = Tool(
        "brew", summary: "", version: "", date: "",
        commands: [
            Command(
                "make", summary: "it's `tea` $(now): \\",
                operands: Operand.any(.text("POT[:CUP]"), help: ""),
                options: [OptionGroup("", [Option.flag("odd", help: "it's [odd] \\ `tea` $(now)")])])
        ])

    @Test func escapesQuotesInHelp() throws {
        let zsh = Completion.script(for: .zsh, tool: Self.quotes)
        #expect(zsh.contains(#"'make:it'\''s `tea` $(now): \'"#))
        #expect(zsh.contains(#"'(--odd)--odd[it'\''s \[odd\] \\ `tea` $(now)]'"#))
        #expect(zsh.contains(#"'*:POT[\:CUP]: '"#))
        let fish = Completion.script(for: .fish, tool: Self.quotes)
        #expect(fish.contains(#"-l odd -d 'it\'s [odd] \\ `tea` $(now)'"#))
        if path(of: "fish") != nil {
            let offered = try run("fish", ["--no-config", "-c", fish + "complete -C 'brew make --o'\n"])
            #expect(offered == [#"--odd"# + "\t" + #"it's [odd] \ `tea` $(now)"#])
        }
    }
}

private func path(of shell: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// The lines that a shell prints, including errors, in a folder with the files "a tin" and "tub".
private func run(_ shell: String, _ arguments: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["a tin", "tub"] {
        try Data().write(to: folder.appendingPathComponent(name))
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try #require(path(of: shell)))
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
