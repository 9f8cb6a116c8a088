internal import Encodings
internal import Pinning

/// Finds the CA that a label names.
enum AuthorityLabel {
    /// - Returns: the name in the catalogue, every pin with this name, and whether the label begins with the name. The label "leaf
    ///   under ISRG Root X1" does not begin with it.
    static func authority(in label: String) -> (name: String, pins: [String], isFirst: Bool)? {
        let words = words(of: label)
        guard !words.isEmpty else { return nil }
        // The longest name wins, because "ISRG Root X1" is part of "ISRG Root X1 (cross-signed)". "ISRG Root X" matches neither.
        let found = names.filter { contains(words, $0.words) }.max { $0.words.count < $1.words.count }
        guard let found else { return nil }
        let pins = KnownAuthorities.all.filter { $0.name == found.name }.map(\.pin)
        return (found.name, pins, words.starts(with: found.words))
    }

    private static let names: [(name: String, words: [String])] = {
        var known: Set<String> = []
        return KnownAuthorities.all.map(\.name).filter { known.insert($0).inserted }.map { ($0, words(of: $0)) }
            // A name of one word, such as "vTrus", is too ambiguous.
            .filter { $0.1.count > 1 }
    }()

    /// The words of a name in lower case, without punctuation.
    private static func words(of text: String) -> [String] {
        text.lowercased().parts(separatedBy: "'").joined().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func contains(_ words: [String], _ name: [String]) -> Bool {
        guard words.count >= name.count else { return false }
        return (0...words.count - name.count).contains { Array(words[$0..<$0 + name.count]) == name }
    }
}
