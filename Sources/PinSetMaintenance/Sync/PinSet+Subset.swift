internal import Encodings
package import Pinning

extension PinSet {
    /// The set with only the entries of these hosts, in the order of the set; the whole set if no host is given.
    ///
    /// - Returns: the subset; otherwise nil and the first host without an entry.
    package func subset(_ hosts: [String]) -> (set: PinSet?, missing: String?) {
        guard !hosts.isEmpty else { return (self, nil) }
        var names: Set<String> = []
        for host in hosts {
            guard let name = try? HostName.normalized(host), indices[name] != nil else { return (nil, host) }
            names.insert(name)
        }
        return (try? PinSet(entries: entries.filter { names.contains($0.name) }, unknown: unknown), nil)
    }
}
