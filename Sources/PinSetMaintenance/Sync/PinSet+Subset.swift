internal import Encodings
package import Pinning

extension PinSet {
    /// The set with the entries of these hosts alone, in its own order; all of it where none are given.
    ///
    /// - Returns: nil with the first host that has no entry of its own.
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
