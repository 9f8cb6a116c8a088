/// Shell scripts that complete the tool's command lines, generated from the declarations.
package enum Completion {
    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    /// A script for the shell to source. It does not run the tool.
    package static func script(for shell: Shell, tool: Tool) -> String {
        switch shell {
        case .bash: bash(tool)
        case .zsh: zsh(tool)
        case .fish: fish(tool)
        }
    }
}

extension OptionDeclaration {
    /// Every spelling of the option without a value: `-4` and `--ipv4`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }

    var isRepeatable: Bool {
        if case .repeatable = presence { true } else { false }
    }
}
