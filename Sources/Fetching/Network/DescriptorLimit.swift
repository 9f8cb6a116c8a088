internal import CSystem

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to `count` where it is lower and the hard limit allows it (setrlimit(2)).
    ///
    /// - Returns: how many are allowed then; nil where the system does not say.
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
}
