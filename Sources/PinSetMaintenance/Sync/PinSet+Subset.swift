internal import Encodings
package import Pinning

extension PinSet {
    /// The set with only the entries of these hosts, in the order of the set; the whole set if no host is given.
    ///
    /// - Returns: the subset; otherwise nil and the first host without an entry.
    package func subset(_ hosts: [String]) -> (set: PinSet?, missing: String?) {
        guard !hosts.isEmpty else { return (self, nil) }
        var found: Set<Int> = []
        for host in hosts {
            guard let name = try? HostName.normalized(host), let index = indices[name] else { return (nil, host) }
            found.insert(index)
        }
        return (try? PinSet(entries: found.sorted().map { entries[$0] }, unknown: unknown), nil)
    }
}
