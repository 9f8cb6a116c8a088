internal import Encodings

extension String {
    /// The text, or its first `count - 1` Unicode scalars and an ellipsis if it has more than `count`, without the private keys that are
    /// recognized only by characters after the cut.
    package func shortened(to count: Int) -> String {
        guard unicodeScalars.dropFirst(count).first != nil else { return self }
        let text = withoutWholePrivateKeys
        guard text.unicodeScalars.dropFirst(count).first != nil else { return text }
        return String(text.unicodeScalars.prefix(count - 1)) + "…"
    }
}
