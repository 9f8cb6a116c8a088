internal import Arguments

/// Text layout in terminal columns.
extension String {
    /// The string padded with trailing spaces to a width in columns.
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - columns))
    }

    /// The start and end of the string with an ellipsis between them, if it is wider than `count` columns. The end is kept because
    /// it often distinguishes names.
    func cut(to count: Int) -> String {
        guard columns > count, count > 3 else { return self }
        let tail = count / 3
        return prefix(columns: count - 1 - tail) + "…" + String(String(reversed()).prefix(columns: tail).reversed())
    }

    /// Lines of at most `count` columns, except for longer words; one line if `count` is nil.
    func wrapped(to count: Int?) -> [String] {
        guard let count else { return [self] }
        var lines: [String] = [""]
        for word in split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.columns + 1 + String(word).columns > count {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
            }
        }
        return lines
    }

    private func prefix(columns limit: Int) -> String {
        var result = ""
        for character in self {
            guard (result + String(character)).columns <= limit else { break }
            result.append(character)
        }
        return result
    }
}
