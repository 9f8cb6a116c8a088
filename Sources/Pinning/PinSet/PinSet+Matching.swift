extension PinSet {
    /// The entry that applies to `host`: the most specific one that covers it.
    ///
    /// An entry for the host itself takes precedence, even if its subdomains are not covered. Otherwise the entries for its parent
    /// domains are tried, the longest name first. An entry applies only if it covers the host: under `example.com`, `one` covers
    /// `a.example.com` but not `b.a.example.com`, and `all` covers both. Only the first entry that covers the host applies; pins of
    /// several entries are never combined. IP addresses are compared as addresses and have no parent domains.
    ///
    /// - Parameter host: a host name, in Unicode or A-labels, or an IP address, without a port. Other text has no entry.
    public func entry(for host: String) -> Entry? {
        entries(for: host).first
    }

    /// All entries that cover `host`, beginning with the one that applies.
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
