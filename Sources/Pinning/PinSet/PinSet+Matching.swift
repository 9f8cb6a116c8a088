extension PinSet {
    /// The entry that decides for `host`: the most specific of those that cover it.
    ///
    /// An entry for the host itself comes first, whatever it says of subdomains. After it come the entries for its parents,
    /// the longest name first, each only if it covers subdomains that deep: `one` covers `a.example.com` under `example.com`
    /// and not `b.a.example.com`, `all` covers both. The first that covers the host decides alone; pins of several entries
    /// are never united. IP addresses match as addresses, in whatever spelling, and have no parents.
    ///
    /// - Parameter host: a host name, international or not, or an IP address, without a port. Nil for anything else.
    public func entry(for host: String) -> Entry? {
        entries(for: host).first
    }

    /// Every entry that covers `host`, the one that decides first.
    public func entries(for host: String) -> [Entry] {
        guard let name = try? HostName.normalized(host) else { return [] }
        var found: [Entry] = []
        if let index = indices[name] { found.append(entries[index]) }
        guard IPAddress(name) == nil else { return found }
        var parent = name[...]
        var depth = 0
        while let dot = parent.firstIndex(of: ".") {
            parent = parent[dot...].dropFirst()
            depth += 1
            guard let index = indices[String(parent)] else { continue }
            switch entries[index].subdomains {
            case .all: found.append(entries[index])
            case .one where depth == 1: found.append(entries[index])
            case .one, .none: break
            }
        }
        return found
    }
}
