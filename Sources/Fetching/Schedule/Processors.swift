internal import CSystem

/// The processors that there are to work on.
package enum Processors {
    /// At least 1.
    package static var count: Int { max(1, sysconf(pinctl_processors_online())) }
}
