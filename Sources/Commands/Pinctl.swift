internal import Arguments
package import CommandSupport
internal import Encodings
internal import Fetching
internal import FileConflicts
internal import PinSetCommands

/// The command-line tool.
package enum Pinctl {
    private static let subcommands =
        [
            Subcommand(command: FetchCommand.command, run: FetchCommand.run),
            Subcommand(command: HashCommand.command, run: HashCommand.run, needsReader: false),
            Subcommand(command: InspectCommand.command, run: InspectCommand.run),
            Subcommand(command: ExplainCommand.command, run: ExplainCommand.run),
            Subcommand(command: DiffCommand.command, run: DiffCommand.run),
            Subcommand(command: VerifyCommand.command, run: VerifyCommand.run),
            Subcommand(command: ChallengeCommand.command, run: ChallengeCommand.run),
            Subcommand(command: KeygenCommand.command, run: KeygenCommand.run),
        ] + PinSetCommands.subcommands + [
            Subcommand(command: CompletionCommand.command, run: CompletionCommand.run, needsReader: false)
        ]

    static let tool = Tool(
        "pinctl",
        summary: "create, compare and maintain TLS pins",
        version: ToolVersion.current,
        date: ToolVersion.date,
        commands: subcommands.map(\.command),
        topics: PinSetCommands.topics,
        examples: [
            Example("pinctl fetch example.com", "show the server's certificate chain and its pins"),
            Example("pinctl hash cert.der", "print the pin of a file"),
            Example("pinctl inspect example.com", "show every field of the server's certificates"),
            Example("pinctl explain crash.log", "find the cause of a pin failure in a log"),
            Example("pinctl diff a.example.com b.example.com", "compare the chains of two hosts"),
            Example("pinctl verify --pins pins.json example.com", "compare a pin set with a live host"),
            Example("pinctl challenge https://example.com/private", "list the authentication challenges of a URL"),
            Example("pinctl init example.com --from-csr backup.csr --output pins.json", "create a first pin set"),
            Example("pinctl refresh --pins pins.json", "show which changes a pin set needs"),
            Example("pinctl lint pins.json", "find errors and risks in a pin set"),
            Example("pinctl convert --to okhttp pins.json", "convert a pin set for another platform"),
            Example("pinctl sync --check pinctl-sync.json", "compare the copies of a pin set in a repository with it"),
        ]
    )

    /// Runs the command line of this process.
    package static func runProcess(on console: Console) -> ExitStatus {
        StreamLimit.replaceIgnoredSignal()
        do throws(CommandError) {
            return run(try ProcessArguments.checked(), on: console)
        } catch {
            console.writeError(Message.error(error.message, hint: error.hint))
            return error.status
        }
    }

    /// Runs a command line.
    ///
    /// - Parameter arguments: the words after the program's name.
    package static func run(_ arguments: [String], on console: Console) -> ExitStatus {
        let status = attempt(arguments, on: console)
        console.flush()
        guard let failure = console.failure else { return status }
        console.writeError(Message.error(failure.message))
        return status.combined(with: failure.status)
    }

    private static func attempt(_ arguments: [String], on console: Console) -> ExitStatus {
        do {
            return try dispatch(arguments, on: console)
        } catch let error as ArgumentError {
            console.writeError(Message.error(error.message, hint: hostHint(error) ?? error.hint))
        } catch let error as CommandError {
            console.writeError(Message.error(error.message, hint: error.hint))
            return error.status
        } catch {
            console.writeError(Message.error("\(error)"))
        }
        return .usageError
    }

    /// Suggests `fetch` if the command line names a host instead of a command.
    private static func hostHint(_ error: ArgumentError) -> String? {
        guard case .unknownCommand(let place, suggestions: [], _) = error,
            place.text.contains(where: { ".:".contains($0) }),
            (try? Target(parsing: place.text)) != nil
        else { return nil }
        return "use \(ShellCommand.line(["pinctl", "fetch", place.text]))"
    }

    /// Number of bytes that a command needs in addition to the program itself.
    private static let minimumMemory = 8 << 20

    private static func checkMemory() throws(CommandError) {
        guard let available = MemoryLimit.available else { return }
        MemoryLimit.avoidReservations()
        guard available < minimumMemory else { return }
        throw CommandError(
            "pinctl needs \(minimumMemory >> 20) MiB of memory: the limit of this process leaves \(available >> 20) MiB",
            hint: "raise the limit with ulimit -v or ulimit -d")
    }

    /// Fails for a private key in place of the name of its file. No message shows the key, and no name server is asked for it.
    private static func checkForKeys(_ arguments: [String]) throws(CommandError) {
        guard
            let (index, kind) = arguments.enumerated().lazy
                .compactMap({ index, word in word.privateKeyKindOfArgument.map { (index, $0) } }).first
        else { return }
        throw CommandError(
            "argument \(index + 1) contains \(kind.rawValue), which was visible to other users of this machine",
            hint: "give the name of the file: pinctl reads keys only from files and standard input")
    }

    private static func dispatch(_ arguments: [String], on console: Console) throws -> ExitStatus {
        // The declarations of the commands need memory, too.
        try checkMemory()
        try checkForKeys(arguments)
        let width = console.width ?? 80
        switch try tool.parse(arguments) {
        case .nothing:
            console.writeError(Help.short(for: tool, width: width))
            return .usageError
        case .help(let subject, let form):
            console.write(Help.page(subject, form, of: tool, width: width))
        case .version(asJSON: false):
            console.write(VersionReport.text())
        case .version(asJSON: true):
            console.write(VersionReport.json())
        case .command(let command, let values):
            guard let subcommand = subcommands.first(where: { $0.command.name == command.name }) else { break }
            ProxyFlags.protectSecrets(in: values, console)
            try EnvironmentFiles.check(console.environment)
            do throws(FileConflict) {
                try FileUse.check(
                    values, standardInput: console.input, standardOutput: console.outputDescriptor)
            } catch {
                throw CommandError(error)
            }
            let files = FileUse()
            defer { for warning in files.warnings { console.writeError(Message.warning(warning)) } }
            let status = try FileUse.running.withValue(files) {
                EnvironmentFiles.register(console.environment)
                return try subcommand.run(values, console)
            }
            console.flush()
            return subcommand.needsReader && console.isClosed ? status.combined(with: .undecided) : status
        }
        return .success
    }
}
