internal import CSystem
internal import Commands

exit(Pinctl.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
