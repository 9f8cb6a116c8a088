internal import Arguments
internal import Encodings
package import Pinning

/// Hints for hosts that no entry of a pin set covers.
package final class UncoveredHostHints {
    private let set: PinSet
    /// The indices of the entries by the last two labels of their names.
    private lazy var indicesByDomain = Dictionary(grouping: set.entries.indices) {
        Self.domain(of: set.entries[$0].name)
    }

    package init(_ set: PinSet) { self.set = set }

    /// A hint for a host: a similar entry, or the hosts of the set.
    ///
    /// - Parameter host: A lowercase host name in A-labels, or an IP address.
    package func hint(for host: String) -> String? {
        if let hint = hintOnParent(of: host) { return hint }
        let entries = set.entries
        if entries.count <= Self.maximumComparisons {
            let similar = entries.map(\.name).filter { Self.areSimilar($0, host) }
            if !similar.isEmpty, similar.count <= Self.maximumSuggestions {
                return "check the host name: the set has \(Self.list(similar, "and"))"
            }
        }
        if entries.count <= Self.maximumSuggestions {
            return "add the host to the set, which covers \(Self.list(entries.map(\.host), "and"))"
        }
        let related = indicesByDomain[Self.domain(of: host)] ?? []
        guard host.contains("."), !related.isEmpty else {
            return "add the host to the set, which covers \(entries.count) hosts with other names"
        }
        let names = related.prefix(Self.maximumSuggestions).map { entries[$0].name }
        let others = related.count - names.count
        let rest = others > 0 ? ", and \(others) similar \(others == 1 ? "name" : "names")" : ""
        return "add the host to the set, which covers \(Self.list(names, "and"))" + rest
    }

    /// Maximum number of hosts named in a hint.
    private static let maximumSuggestions = 3

    /// Maximum number of entries that are compared with one host, so that the work for many hosts does not grow with the
    /// square of the set.
    private static let maximumComparisons = 1000

    /// A hint if the set has an entry for a parent domain whose setting for subdomains does not include the host.
    private func hintOnParent(of host: String) -> String? {
        var name = host[...]
        var labels = 0
        while let dot = name.firstIndex(of: ".") {
            name = name[name.index(after: dot)...]
            labels += 1
            guard let index = set.indices[String(name)] else { continue }
            let parent = set.entries[index]
            let scope = parent.subdomains == .one ? "subdomains of one label" : "no subdomains"
            let needed = labels == 1 ? PinSet.Subdomains.one : .all
            return
                "add \"subdomains\": \"\(needed.rawValue)\" to the entry of \(parent.host.quoted), which covers \(scope), or an entry for "
                + "this host"
        }
        return nil
    }

    /// Whether two names differ in at most two adjacent characters, which are replaced, missing or swapped.
    private static func areSimilar(_ one: String, _ two: String) -> Bool {
        let one = Array(one.utf8)
        let two = Array(two.utf8)
        let shorter = min(one.count, two.count)
        let longer = max(one.count, two.count)
        guard longer - shorter <= 2, shorter > 4 else { return false }
        let start = zip(one, two).prefix { $0 == $1 }.count
        let end = zip(one.reversed(), two.reversed()).prefix { $0 == $1 }.count
        return start + end >= longer - 2
    }

    /// The last two labels of a name.
    private static func domain(of name: String) -> String {
        name.split(separator: ".").suffix(2).joined(separator: ".")
    }

    private static func list(_ hosts: [String], _ conjunction: String) -> String {
        hosts.isEmpty ? "no host" : hosts.map(\.quoted).joined(conjunction: conjunction)
    }
}
