extension [String] {
    /// The strings as a list in a sentence: `a`, `a or b`, `a, b or c`.
    package func joined(conjunction: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
