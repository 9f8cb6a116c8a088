/// Text layout in terminal columns.
extension String {
    /// Width in terminal columns: 2 for a wide character, 0 for a combining character. The wide characters are the blocks that
    /// Unicode Standard Annex #11 lists as wide; for other characters, terminals differ.
    package var columns: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }

    /// The string padded with trailing spaces to a width in columns.
    package func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - columns))
    }

    /// The string if its width is at most `count` columns; otherwise its start and its end with an ellipsis between them. The end
    /// is kept because it often distinguishes names.
    package func cut(to count: Int) -> String {
        guard columns > count, count > 3 else { return self }
        let tail = count / 3
        return prefix(columns: count - 1 - tail) + "…" + String(String(reversed()).prefix(columns: tail).reversed())
    }

    /// The text in lines of at most `count` columns. A longer word has a line of its length. If `count` is nil, there is one line.
    ///
    /// A word that is not at the start of the text can be at the start of a line, so each line is escaped if it is a workflow command.
    package func wrapped(to count: Int?) -> [String] {
        guard let count else { return [self] }
        var lines: [String] = [""]
        // Not characters: Swift compares one with many combining marks in quadratic time.
        for word in unicodeScalars.split(separator: " ").map(String.init) {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.columns + 1 + word.columns > count {
                lines.append(word)
            } else {
                lines[lines.count - 1] = last.isEmpty ? word : "\(last) \(word)"
            }
        }
        return lines.map(\.withEscapedCommand)
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

extension Character {
    fileprivate var columns: Int {
        var columns = 0
        for scalar in unicodeScalars {
            if scalar.isWide || scalar == "\u{FE0F}" { return 2 }
            if !scalar.isZeroWidth { columns = 1 }
        }
        return columns
    }
}

extension Unicode.Scalar {
    fileprivate var isZeroWidth: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }

    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}
