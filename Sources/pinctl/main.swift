internal import CSystem
internal import CommandSupport
internal import Commands

// Not exit(3): the system takes back at once what OpenSSL's own clean-up would give back piece by piece.
_exit(Pinctl.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
