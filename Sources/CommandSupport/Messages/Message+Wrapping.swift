internal import Encodings

extension Message {
    /// Wraps messages at word boundaries if they are wider than the terminal, with an indentation.
    ///
    /// A pinctl command in a message gets its own line, which is not wrapped, so that a person can copy it.
    ///
    /// - Parameter text: whole lines. Lines that are not messages stay unchanged.
    package static func wrapped(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.utf8.starts(with: prefix.utf8) ? wrapped(line: String($0), to: columns) : String($0) }
            .joined(separator: "\n")
    }

    private static let prefix = "pinctl: "
    private static let indentation = "  "
    /// The texts that end a command inside a sentence.
    private static let commandEnds = [", ", "; ", " ("]

    private static func wrapped(line: String, to columns: Int) -> String {
        guard line.columns > columns else { return line }
        let body = line.dropFirst(prefix.count)
        guard let start = body.firstRange(ofBytes: " " + prefix.dropLast(2) + " ")?.lowerBound else {
            return prose(line, to: columns)
        }
        let rest = body[body.index(after: start)...]
        let end = end(ofCommand: rest)
        // Punctuation after the command moves to the next line, so that it is not copied with the command.
        let after = rest[end...].drop { ",; ".contains($0) }
        var lines = [prose(prefix + body[..<start], to: columns), indentation + rest[..<end]]
        if !after.isEmpty { lines.append(indentation + prose(String(after), to: columns - indentation.count)) }
        return lines.joined(separator: "\n")
    }

    /// The index after a command: before the first of ``commandEnds`` that is not in quotes.
    private static func end(ofCommand text: Substring) -> Substring.Index {
        var quote: Character?
        var previous: Character?
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == "'" {
                // In `$'…'`, a backslash escapes the next character.
                quote = quote != nil ? nil : previous == "$" ? "$" : "'"
            } else if quote == nil, commandEnds.contains(where: { text[index...].hasPrefix($0) }) {
                return index
            }
            previous = character
        }
        return text.endIndex
    }

    private static func prose(_ text: String, to columns: Int) -> String {
        text.wrapped(to: max(1, columns - indentation.count)).joined(separator: "\n" + indentation)
    }
}
