extension String {
    /// The text, or its first `count - 1` Unicode scalars and an ellipsis if it has more than `count`.
    package func shortened(to count: Int) -> String {
        guard unicodeScalars.dropFirst(count).first != nil else { return self }
        return String(unicodeScalars.prefix(count - 1)) + "…"
    }
}
