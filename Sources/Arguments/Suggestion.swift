/// What someone who mistyped a word may have meant.
enum Suggestion {
    /// The nearest words: those that the typed one begins; otherwise those with the fewest typing mistakes between, at
    /// most one in three letters. All that are equally near, in the order given; often none.
    static func nearest(to typed: String, among words: [String]) -> [String] {
        guard !typed.isEmpty, typed.utf8.count <= longest else { return [] }
        let letters = Array(typed.lowercased().unicodeScalars)

        let longer = words.filter { $0.lowercased().unicodeScalars.starts(with: letters) }
        if !longer.isEmpty { return longer.count <= most ? longer : [] }

        var best: [String] = []
        var least = Int.max
        for word in words {
            let other = Array(word.lowercased().unicodeScalars)
            let bound = max(letters.count, other.count) / 3
            guard abs(letters.count - other.count) <= bound else { continue }
            let distance = distance(letters, other)
            guard distance <= min(bound, least) else { continue }
            if distance < least { best = [] }
            least = distance
            best.append(word)
        }
        return best.count <= most ? best : []
    }

    /// More than three are a list, not a suggestion.
    private static let most = 3
    /// In bytes: nobody mistypes an option into more, and the distance takes the product of the lengths.
    private static let longest = 64

    /// The number of letters to insert, leave out, replace or swap with their neighbour (Damerau 1964; the restricted
    /// form, which edits no letter twice).
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
