internal import Encodings

extension YAMLReader {
    /// A line, or the part of a line after `- `.
    struct Line {
        /// Number of spaces before ``start``.
        var indentation: Int
        /// The offset of the first character after the indentation.
        var start: Int
        /// The offset of the line break or the end of the text.
        let end: Int
        /// The offset of the first character of the whole line.
        let lineStart: Int
        /// The number of the line, from 1.
        let number: Int
        let isComment: Bool
        /// Whether the line contains only white space with a tab. Blank lines of spaces are left out.
        let hasOnlyTabs: Bool

        /// Whether the line contains no part of a value.
        var isSkipped: Bool { isComment || hasOnlyTabs }
    }

    // MARK: Positions

    func position(of offset: Int, in line: Line) -> SourcePosition {
        let column = bytes[line.lineStart..<max(line.lineStart, min(offset, line.end))].count { $0 & 0xc0 != 0x80 } + 1
        return SourcePosition(line: line.number, column: column)
    }

    func error(_ message: String, at offset: Int, in line: Line) -> YAMLError {
        YAMLError(position: position(of: offset, in: line), message: message)
    }

    // MARK: Lines

    /// The next line that is neither blank nor a comment; nil at the end of the text.
    mutating func line() -> Line? {
        while next < lines.count, lines[next].isSkipped {
            next += 1
        }
        return next < lines.count ? lines[next] : nil
    }

    func isMarker(_ line: Line, _ marker: String) -> Bool {
        guard line.indentation == 0, line.start == line.lineStart || line.number == 1,
            bytes[line.start..<line.end].starts(with: marker.utf8)
        else { return false }
        let after = line.start + 3
        return after >= line.end || bytes[after].isWhiteSpace
    }

    func isEnd(_ line: Line) -> Bool { isMarker(line, "---") || isMarker(line, "...") }

    /// Whether a line begins with `- `.
    func isItem(_ line: Line) -> Bool {
        guard bytes[line.start] == UInt8(ascii: "-"), !isEnd(line) else { return false }
        return line.start + 1 >= line.end || bytes[line.start + 1].isWhiteSpace
    }

    func skipBlanks(_ line: inout Line) {
        while line.start < line.end, bytes[line.start] == UInt8(ascii: " ") || bytes[line.start] == UInt8(ascii: "\t") {
            line.start += 1
        }
    }

    /// Whether the rest of a line is empty or a comment.
    func isComment(_ line: Line) -> Bool { line.start >= line.end || bytes[line.start] == UInt8(ascii: "#") }
}
