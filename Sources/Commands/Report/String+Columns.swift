internal import Arguments

/// Text in columns of a terminal.
extension String {
    /// With spaces after it up to so many columns.
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - columns))
    }

    /// The start and the end of it with an ellipsis between, where it is longer: what tells names apart is often last.
    func cut(to count: Int) -> String {
        guard columns > count, count > 3 else { return self }
        let tail = count / 3
        return prefix(columns: count - 1 - tail) + "…" + String(String(reversed()).prefix(columns: tail).reversed())
    }

    /// Lines of no more than so many columns, but for words that are longer; one line where nothing limits it.
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
