internal import Arguments
internal import Pinning

extension PinSet {
    /// A hint for a host that no entry covers: a similar entry, or the hosts of the set.
    ///
    /// - Parameter host: A lowercase host name in A-labels, or an IP address.
    func hint(forUncovered host: String) -> String? {
        if let hint = hintOnParent(of: host) { return hint }
        let similar = entries.map(\.name).filter { Self.differLittle($0, host) }
        if !similar.isEmpty, similar.count <= Self.maximumSuggestions {
            return "check the host name: the set has \(Self.list(similar, "and"))"
        }
        if entries.count <= Self.maximumSuggestions {
            return "add the host to the set, which covers \(Self.list(entries.map(\.host), "and"))"
        }
        let related = entries.map(\.name).filter { Self.sharedLabels($0, host) >= 2 }
        guard !related.isEmpty else {
            return "add the host to the set, which covers \(entries.count) hosts with other names"
        }
        let others = related.count - Self.maximumSuggestions
        let rest = others > 0 ? ", and \(others) similar \(others == 1 ? "name" : "names")" : ""
        return
            "add the host to the set, which covers \(Self.list(Array(related.prefix(Self.maximumSuggestions)), "and"))"
            + rest
    }

    /// Maximum number of hosts named in the hint.
    private static let maximumSuggestions = 3

    /// A hint for a host below an entry whose subdomains do not include it.
    private func hintOnParent(of host: String) -> String? {
        let parents = entries.filter { host.hasSuffix("." + $0.name) }
        guard let parent = parents.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
        let labels = host.dropLast(parent.name.count + 1).split(separator: ".").count
        let scope = parent.subdomains == .one ? "subdomains of one label" : "no subdomains"
        let needed = labels == 1 ? Subdomains.one : .all
        return
            "add \"subdomains\": \"\(needed.rawValue)\" to the entry of \(parent.host.quoted), which covers \(scope), or an entry for "
            + "this host"
    }

    /// Whether two names differ in at most two adjacent characters, which are replaced, missing or swapped.
    private static func differLittle(_ one: String, _ two: String) -> Bool {
        let (one, two) = (Array(one.utf8), Array(two.utf8))
        let (shorter, longer) = (min(one.count, two.count), max(one.count, two.count))
        guard longer - shorter <= 2, shorter > 4 else { return false }
        let start = zip(one, two).prefix { $0 == $1 }.count
        let end = zip(one.reversed(), two.reversed()).prefix { $0 == $1 }.count
        return start + end >= longer - 2
    }

    private static func sharedLabels(_ one: String, _ two: String) -> Int {
        zip(one.split(separator: ".").reversed(), two.split(separator: ".").reversed()).prefix { $0 == $1 }.count
    }

    private static func list(_ hosts: [String], _ conjunction: String) -> String {
        let quoted = hosts.map(\.quoted)
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "no host" }
        return "\(quoted.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
