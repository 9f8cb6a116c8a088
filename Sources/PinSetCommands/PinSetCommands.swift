package import Arguments
package import CommandSupport

/// The subcommands that create, change, check or convert pin sets.
package enum PinSetCommands {
    /// The subcommands in the order in which the help lists them.
    package static let subcommands = [
        Subcommand(command: InitCommand.command, run: InitCommand.run),
        Subcommand(command: RefreshCommand.command, run: RefreshCommand.run),
        Subcommand(command: AddCommand.command, run: AddCommand.run),
        Subcommand(command: RetireCommand.command, run: RetireCommand.run),
        Subcommand(command: LintCommand.command, run: LintCommand.run),
        Subcommand(command: ConvertCommand.command, run: ConvertCommand.run, needsReader: false),
        Subcommand(command: SyncCommand.command, run: SyncCommand.run),
    ]

    /// The topics of the help: file formats.
    package static let topics = [PinSetTopic.topic]
}
