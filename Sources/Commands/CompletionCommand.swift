internal import Arguments
internal import CommandSupport

/// `pinctl completion`: prints a script that lets a shell complete pinctl's commands and options.
enum CompletionCommand {
    private static let shell = Operand.one(
        .choice(Completion.Shell.self, "SHELL"), help: "shell that runs the script"
    )

    static let command = Command(
        "completion", summary: "print a shell completion script", operands: shell,
        examples: [
            Example("source <(pinctl completion bash)", "complete in bash: add this line to ~/.bashrc"),
            Example("source <(pinctl completion zsh)", "complete in zsh: add this line to ~/.zshrc, after compinit"),
            Example("pinctl completion fish | source", "complete in fish: add this line to ~/.config/fish/config.fish"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        console.write(Completion.script(for: values[shell], tool: Pinctl.tool))
        return .success
    }
}
