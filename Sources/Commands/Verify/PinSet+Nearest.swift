internal import Arguments
internal import Pinning

extension PinSet {
    /// What comes nearest to an entry for a host that none covers; nil where nothing does.
    ///
    /// - Parameter host: a name in A-labels, lower case, or an IP address.
    func hint(forUncovered host: String) -> String? {
        if let hint = hintOnParent(of: host) { return hint }
        let similar = entries.map(\.name).filter { Self.differLittle($0, host) }
        if !similar.isEmpty, similar.count <= Self.most {
            return "did you mean \(Self.list(similar, "or"))?"
        }
        if entries.count <= Self.most {
            return "the set has pins for \(Self.list(entries.map(\.host), "and"))"
        }
        let related = entries.map(\.name).filter { Self.sharedLabels($0, host) >= 2 }
        guard !related.isEmpty else { return "the set has pins for \(entries.count) hosts, and none is like it" }
        let rest = related.count > Self.most ? ", and \(related.count - Self.most) more like it" : ""
        return "the set has pins for \(Self.list(Array(related.prefix(Self.most)), "and"))" + rest
    }

    /// More than three are a list, not a suggestion.
    private static let most = 3

    /// An entry above the host that does not reach down to it.
    private func hintOnParent(of host: String) -> String? {
        let parents = entries.filter { host.hasSuffix("." + $0.name) }
        guard let parent = parents.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
        let labels = host.dropLast(parent.name.count + 1).split(separator: ".").count
        let reach = parent.subdomains == .one ? "subdomains of one label" : "no subdomains"
        let enough = labels == 1 ? Subdomains.one : .all
        return "\(parent.host.quoted) is in the set and covers \(reach): "
            + "\"subdomains\": \"\(enough.rawValue)\" there would cover this host too"
    }

    /// Whether one is the other but for two letters next to each other, or fewer: replaced, left out or swapped.
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
