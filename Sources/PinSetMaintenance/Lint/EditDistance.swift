/// Levenshtein distance: the minimum number of insertions, deletions and substitutions between two texts.
enum EditDistance {
    /// - Returns: the distance; nil if it is greater than `limit`.
    static func between(_ one: String, _ other: String, atMost limit: Int) -> Int? {
        between(Array(one.utf8), Array(other.utf8), atMost: limit)
    }

    static func between(_ one: [UInt8], _ other: [UInt8], atMost limit: Int) -> Int? {
        guard abs(one.count - other.count) <= limit else { return nil }
        var row = Array(0...other.count)
        for (line, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            var rowMinimum = row[0]
            for column in other.indices {
                let replaced = diagonal + (other[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
                rowMinimum = min(rowMinimum, row[column + 1])
            }
            guard rowMinimum <= limit else { return nil }
        }
        return row[other.count] <= limit ? row[other.count] : nil
    }
}
