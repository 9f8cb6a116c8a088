internal import Arguments

/// `pinctl completion`: the script by which a shell completes pinctl's commands and options.
enum CompletionCommand {
    private static let shell = Operand.one(
        .choice(Completion.Shell.self, "SHELL"), help: "the shell that is to complete"
    )

    static let command = Command(
        "completion", summary: "print a script that lets a shell complete pinctl", operands: shell,
        examples: [
            Example("source <(pinctl completion bash)", "in ~/.bashrc"),
            Example("source <(pinctl completion zsh)", "in ~/.zshrc, after compinit"),
            Example("pinctl completion fish | source", "in ~/.config/fish/config.fish"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        console.write(Completion.script(for: values[shell], tool: Pinctl.tool))
        return .yes
    }
}
