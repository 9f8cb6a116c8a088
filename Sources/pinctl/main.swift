internal import CSystem
internal import CommandSupport
internal import Commands

// exit(3) would run OpenSSL's clean-up, which frees each object separately. The system frees all memory of the process at once.
_exit(Pinctl.runProcess(on: Console()).rawValue)
