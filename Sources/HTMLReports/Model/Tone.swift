/// The meaning of a word in a report. It sets the symbol and the colour; the word itself has the same meaning.
package enum Tone: String, Hashable, Sendable, CaseIterable {
    case bad, careful, neutral, good

    var symbol: String {
        switch self {
        case .bad: "✗"
        case .careful: "!"
        case .neutral: "–"
        case .good: "✓"
        }
    }
}
