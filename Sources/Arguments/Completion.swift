/// Scripts that teach a shell to complete the tool's command lines, as a function of the declarations.
package enum Completion {
    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    /// A script for the shell to source. It runs nothing of the tool's own.
    package static func script(for shell: Shell, tool: Tool) -> String {
        switch shell {
        case .bash: bash(tool)
        case .zsh: zsh(tool)
        case .fish: fish(tool)
        }
    }
}

extension OptionDeclaration {
    /// Every way to type the option alone: `-4` and `--ipv4`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }

    var isRepeatable: Bool {
        if case .repeatable = presence { true } else { false }
    }
}
