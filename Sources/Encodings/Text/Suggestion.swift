/// Corrections of a mistyped word.
package enum Suggestion {
    /// Returns the words that begin with the typed word; of many, the one with which all others begin. If there are none, returns the
    /// words with the smallest edit distance, if that distance is at most a third of the length of the longer word. The words keep
    /// their order. The result is often empty.
    package static func nearest(to typed: String, among words: [String]) -> [String] {
        guard !typed.isEmpty, typed.utf8.count <= maximumLength else { return [] }
        let letters = Array(typed.lowercased().unicodeScalars)

        let longer = words.filter { $0.lowercased().unicodeScalars.starts(with: letters) }
        if longer.count > maximumCount {
            // `--proxy` is the start of several options.
            let shortest = longer.min { $0.utf8.count < $1.utf8.count }
            return shortest.map { start in longer.allSatisfy { $0.hasPrefix(start) } ? [start] : [] } ?? []
        }
        if !longer.isEmpty { return longer }

        var best: [String] = []
        var smallest = Int.max
        for word in words {
            let other = Array(word.lowercased().unicodeScalars)
            let bound = max(letters.count, other.count) / 3
            guard abs(letters.count - other.count) <= bound else { continue }
            let distance = distance(letters, other)
            guard distance <= min(bound, smallest) else { continue }
            if distance < smallest { best = [] }
            smallest = distance
            best.append(word)
        }
        return best.count <= maximumCount ? best : []
    }

    /// More than three candidates would be a list, not a suggestion.
    private static let maximumCount = 3
    /// Maximum length of the typed word in bytes. Computing a distance takes time in proportion to the product of the two lengths,
    /// and no option is longer than this.
    private static let maximumLength = 64

    /// Number of insertions, deletions, replacements and transpositions of neighbours between two words (Damerau 1964; the
    /// restricted form, which edits no letter twice).
    static func distance(_ one: [Unicode.Scalar], _ two: [Unicode.Scalar]) -> Int {
        guard !one.isEmpty, !two.isEmpty else { return max(one.count, two.count) }
        var twoAbove: [Int] = []
        var above = Array(0...two.count)
        for i in one.indices {
            var row = [i + 1]
            for j in two.indices {
                let isSame = one[i] == two[j]
                var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (isSame ? 0 : 1))
                if i > 0, j > 0, one[i] == two[j - 1], one[i - 1] == two[j] {
                    cost = min(cost, twoAbove[j - 1] + 1)
                }
                row.append(cost)
            }
            twoAbove = above
            above = row
        }
        return above[two.count]
    }
}
