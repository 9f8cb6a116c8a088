package import Arguments

/// A command's declaration and its implementation.
package struct Subcommand: Sendable {
    package let command: Command
    package let run: @Sendable (Values, Console) throws(CommandError) -> ExitStatus
    /// Whether the command fails if the reader of its output stops early, as head(1) does: the caller has not received the result
    /// that the exit status summarizes. If this is false, a closed pipe is not an error.
    package let needsReader: Bool

    package init(
        command: Command, run: @escaping @Sendable (Values, Console) throws(CommandError) -> ExitStatus,
        needsReader: Bool = true
    ) {
        (self.command, self.run, self.needsReader) = (command, run, needsReader)
    }
}
