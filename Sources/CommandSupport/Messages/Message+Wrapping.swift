internal import Encodings

extension Message {
    /// Wraps messages that are wider than the terminal at words, with an indentation.
    ///
    /// A command of pinctl in a message is written on a separate line, which is not wrapped, so that a person can copy it.
    ///
    /// - Parameter text: whole lines. Lines that are no messages stay as they are.
    package static func wrapped(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.utf8.starts(with: prefix.utf8) ? wrapped(line: String($0), to: columns) : String($0) }
            .joined(separator: "\n")
    }

    private static let prefix = "pinctl: "
    private static let indentation = "  "
    /// The end of a command inside a sentence.
    private static let commandEnds = [", ", "; ", " ("]

    private static func wrapped(line: String, to columns: Int) -> String {
        guard line.columns > columns else { return line }
        let body = line.dropFirst(prefix.count)
        guard let start = body.firstRange(of: " " + prefix.dropLast(2) + " ")?.lowerBound else {
            return prose(line, to: columns)
        }
        let rest = body[body.index(after: start)...]
        let end = commandEnds.compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
        // Punctuation after the command begins the next line's prose, so that it is not copied.
        let after = rest[end...].drop { ",; ".contains($0) }
        var lines = [prose(prefix + body[..<start], to: columns), indentation + rest[..<end]]
        if !after.isEmpty { lines.append(indentation + prose(String(after), to: columns - indentation.count)) }
        return lines.joined(separator: "\n")
    }

    private static func prose(_ text: String, to columns: Int) -> String {
        text.wrapped(to: max(1, columns - indentation.count)).joined(separator: "\n" + indentation)
    }
}
