/// The certificates of a host and their issuers, as a tree whose root is the server's certificate. A certificate with several
/// branches has several issuers, because CAs have signed each other's certificates.
package struct ChainDiagram: Hashable, Sendable {
    /// A certificate.
    package struct Node: Hashable, Sendable {
        /// The name of the owner.
        package let name: String
        /// The role and further facts, each in a few words.
        package let facts: [String]
        /// Whether the chain ends here, in a trust anchor.
        package let isAnchor: Bool
        /// The pin in base64.
        package let pin: String
        /// The bytes of the certificate, or others that distinguish it from certificates with the same name and key.
        private let identity: [UInt8]
        /// The pin of a set that matches, in a few words; nil if none matches, or without a set.
        package var match: String?
        package var issuers: [Node] = []

        package init(name: String, facts: [String], isAnchor: Bool, pin: String, identity: [UInt8] = []) {
            (self.name, self.facts, self.isAnchor, self.pin) = (name, facts, isAnchor, pin)
            self.identity = identity
        }

        /// Whether two nodes are for one certificate, whatever their issuers are.
        fileprivate func isSame(as other: Self) -> Bool {
            name == other.name && facts == other.facts && pin == other.pin && isAnchor == other.isAnchor
                && match == other.match && identity == other.identity
        }
    }

    /// The host and the verdict.
    package let title: String
    /// The server's certificate; nil if the host did not answer.
    package private(set) var leaf: Node?
    /// Certificates that the server sent and that no path contains.
    package let unused: [String]

    /// - Parameter paths: the paths, each with the server's certificate first. Equal nodes at the start of two paths are one node.
    package init(title: String, paths: [[Node]], unused: [String]) {
        self.title = title
        self.unused = unused
        for path in paths { Self.add(path[...], to: &leaf) }
    }

    private static func add(_ path: ArraySlice<Node>, to node: inout Node?) {
        guard let first = path.first else { return }
        guard var known = node else {
            node = chain(path)
            return
        }
        guard known.isSame(as: first) else { return }
        insert(path.dropFirst(), into: &known)
        node = known
    }

    private static func insert(_ path: ArraySlice<Node>, into node: inout Node) {
        guard let first = path.first else { return }
        if let index = node.issuers.firstIndex(where: { $0.isSame(as: first) }) {
            insert(path.dropFirst(), into: &node.issuers[index])
        } else if let branch = chain(path) {
            node.issuers.append(branch)
        }
    }

    private static func chain(_ path: ArraySlice<Node>) -> Node? {
        path.reversed().reduce(nil) { issuer, node in
            var node = node
            if let issuer { node.issuers = [issuer] }
            return node
        }
    }

    /// The nodes in the order of the text, each with its depth.
    package var nodes: [(node: Node, depth: Int)] {
        var found: [(Node, Int)] = []
        func visit(_ node: Node, _ depth: Int) {
            found.append((node, depth))
            for issuer in node.issuers { visit(issuer, depth + 1) }
        }
        if let leaf { visit(leaf, 0) }
        return found
    }
}
