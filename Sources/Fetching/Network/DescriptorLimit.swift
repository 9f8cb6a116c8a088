internal import CSystem

/// The limit on open file descriptors of this process.
package enum DescriptorLimit {
    /// Raises the soft limit to `count`, as far as the hard limit allows (setrlimit(2)).
    ///
    /// - Returns: the soft limit afterwards; nil if the system does not report it.
    package static func raise(to count: Int) -> Int? {
        var limit = rlimit()
        guard unsafe pinctl_get_descriptor_limit(&limit) == 0 else { return nil }
        let wanted = rlim_t(clamping: count)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            guard unsafe pinctl_set_descriptor_limit(&limit) == 0, unsafe pinctl_get_descriptor_limit(&limit) == 0
            else { return nil }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Number of descriptors below `limit` that are open. The process that started this one can have left some open.
    package static func countOpen(below limit: Int) -> Int {
        (0..<Int32(clamping: limit)).count { pinctl_is_open($0) != 0 }
    }
}
