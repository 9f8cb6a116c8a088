internal import Encodings

/// The tables that TrustKit uses to decide whether a name ends in a public suffix.
///
/// Source: `GetRegistryLength` of TrustKit 3.0.7 (TrustKit/Dependencies/domain_registry/private/registry_search.c), and
/// `DomainValidator` of TrustKit-Android 1.1.5 (config/DomainValidator.java).
package struct DomainRegistry: Sendable {
    private struct Node {
        var children: [String: Int] = [:]
        var isRule = true
        var isException = false
    }

    package static let shared = DomainRegistry(table)

    private var nodes = [Node()]
    private var unknownToAndroid: Set<String> = []
    private var knownToAndroidOnly: Set<String> = []

    private init(_ table: String) {
        var path = [0]
        var last = 0
        var word: [UInt8] = []
        func isEnd(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a }
        for byte in table.utf8 {
            switch byte {
            case UInt8(ascii: "("):
                last = add(word, below: path.last ?? 0) ?? last
                word = []
                path.append(last)
            case UInt8(ascii: ")"), 0x20, 0x0a:
                _ = add(word, below: path.last ?? 0)
                word = []
                if byte == UInt8(ascii: ")") { path.removeLast() }
            default: word.append(byte)
            }
        }
        _ = add(word, below: 0)
    }

    /// Adds a label of the table. Returns nil if the text is empty or is not a label of the tree.
    private mutating func add(_ word: [UInt8], below parent: Int) -> Int? {
        var word = word[...]
        guard let first = word.first else { return nil }
        var node = Node()
        if first == UInt8(ascii: "^") {
            knownToAndroidOnly.insert(String(decoding: word.dropFirst(), as: UTF8.self))
            return nil
        }
        let isUnknownToAndroid = first == UInt8(ascii: "~")
        if isUnknownToAndroid { word = word.dropFirst() }
        if word.first == UInt8(ascii: "!") {
            word = word.dropFirst()
            (node.isException, node.isRule) = (true, false)
        }
        if word.last == UInt8(ascii: "?") {
            word = word.dropLast()
            node.isRule = false
        }
        let label = String(decoding: word, as: UTF8.self)
        if isUnknownToAndroid { unknownToAndroid.insert(label) }
        nodes.append(node)
        nodes[parent].children[label] = nodes.count - 1
        return nodes.count - 1
    }

    /// The length of the public suffix of a name, in bytes; 0 if the name has none.
    ///
    /// TrustKit follows the labels from right to left. If the last label that it finds is not a rule of the list, the name has no
    /// public suffix. This differs from the algorithm of the list (https://publicsuffix.org/list/): for TrustKit,
    /// `foo.amazonaws.com` has no public suffix.
    package func registryLength(of name: String) -> Int {
        var bytes = Array(name.lowercased().utf8)[...]
        guard bytes.count <= 255, bytes.allSatisfy({ $0 < 0x80 }) else { return 0 }
        bytes = bytes.drop { $0 == UInt8(ascii: ".") }
        let end = bytes.endIndex
        if bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
        guard !bytes.isEmpty, bytes.last != UInt8(ascii: ".") else { return 0 }
        var node = 0
        var length = 0
        var parentStart = end
        var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        while let label = labels.popLast() {
            let text = String(decoding: label, as: UTF8.self)
            guard let child = nodes[node].children[text] ?? (label.isEmpty ? nil : nodes[node].children["*"]) else {
                break
            }
            if nodes[child].isException { return end - parentStart }
            length = nodes[child].isRule ? end - label.startIndex : 0
            parentStart = label.startIndex
            node = child
        }
        return length
    }

    /// Whether `DomainValidator.isValid` of TrustKit-Android accepts a name. It requires at least two labels of letters, digits and
    /// hyphens, a top-level domain of IANA's list of April 2016, and at most one dot at the end.
    package func isValidOnAndroid(_ name: String) -> Bool {
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "" { labels.removeLast() }
        guard labels.count > 1, name.utf8.count <= 253 else { return false }
        for label in labels {
            let bytes = Array(label.utf8)
            guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-"),
                bytes.allSatisfy({ $0.isWord && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
            else { return false }
        }
        guard let last = labels.last?.lowercased() else { return false }
        if knownToAndroidOnly.contains(last) { return true }
        return nodes[0].children[last] != nil && !unknownToAndroid.contains(last)
    }
}
