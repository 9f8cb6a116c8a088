internal import Arguments

/// The command-line tool.
public enum Pinctl {
    /// The version of the package.
    static let version = "0.1.0"

    static let tool = Tool(
        "pinctl",
        summary: "TLS pins: take them from servers and files, and verify servers against them",
        version: version,
        commands: [FetchCommand.command, HashCommand.command],
        examples: [
            Example("pinctl fetch example.com", "what the server presents, and what you would pin"),
            Example("pinctl hash cert.der", "the pin of a file"),
        ]
    )

    /// Does what the arguments ask for.
    ///
    /// - Parameter arguments: those after the program's own name.
    public static func run(_ arguments: [String], on console: Console) -> ExitStatus {
        let status = attempt(arguments, on: console)
        console.flush()
        guard let failure = console.failure else { return status }
        console.writeError(Message.error(failure.message))
        return failure.status
    }

    private static func attempt(_ arguments: [String], on console: Console) -> ExitStatus {
        do {
            return try dispatch(arguments, on: console)
        } catch let error as ArgumentError {
            console.writeError(Message.error(error.message, hint: error.hint))
        } catch let error as CommandError {
            console.writeError(Message.error(error.message, hint: error.hint))
            return error.status
        } catch {
            console.writeError(Message.error("\(error)"))
        }
        return .misuse
    }

    private static func dispatch(_ arguments: [String], on console: Console) throws -> ExitStatus {
        let width = console.width ?? 80
        switch try tool.parse(arguments) {
        case .nothing:
            console.writeError(Help.short(for: tool, width: width))
            return .misuse
        case .help(nil):
            console.write(Help.text(for: tool, width: width))
        case .help(let command?):
            console.write(Help.text(for: command, of: tool, width: width))
        case .version:
            console.write("pinctl \(version)\n")
        case .command(let command, let values):
            switch command.name {
            case FetchCommand.command.name: return try FetchCommand.run(values, console)
            case HashCommand.command.name: return try HashCommand.run(values, console)
            default: throw CommandError("the command \(command.name.quoted) does nothing")
            }
        }
        return .yes
    }
}
