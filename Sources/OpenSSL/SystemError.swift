internal import CSystem

/// The thread's `errno`, which must be read before any other call.
func lastSystemError() -> Int32 { pinctl_errno() }
