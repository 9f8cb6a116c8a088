internal import CSystem

/// The processors of this machine.
package enum Processors {
    /// Number of processors that are online, at least 1 (sysconf(3)).
    package static var count: Int { max(1, sysconf(pinctl_processors_online())) }
}
