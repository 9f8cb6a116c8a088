internal import Encodings

/// The lines of a log.
struct LogText {
    /// Maximum number of lines that are read, which limits the memory.
    static let maximumLines = 1_000_000

    let lines: [LogLine]
    /// Whether the text has more than ``maximumLines`` lines.
    let isCutShort: Bool

    /// Splits the text at line feeds. Where the log has a line feed as the two characters `\n`, as in a JSON string, the parts have
    /// the same number.
    init(_ bytes: [UInt8]) {
        var lines: [LogLine] = []
        var number = 1
        var start = 0
        func end(at index: Int) {
            var line = bytes[start..<index]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            lines.append(LogLine(number: number, bytes: line).withKnownNames)
        }
        var index = 0
        while index < bytes.count, lines.count < Self.maximumLines {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                end(at: index)
                number += 1
                start = index + 1
            case UInt8(ascii: "\\") where index + 1 < bytes.count:
                // An escaped backslash is no beginning of a line feed.
                if bytes[index + 1] == UInt8(ascii: "n") {
                    end(at: index)
                    start = index + 2
                }
                if bytes[index + 1] == UInt8(ascii: "n") || bytes[index + 1] == UInt8(ascii: "\\") { index += 1 }
            default: break
            }
            index += 1
        }
        isCutShort = index < bytes.count
        if !isCutShort { end(at: bytes.count) }
        for range in CertificateObject.ranges(in: lines) + OpenSSLClientNames.ranges(in: lines) {
            for index in range { lines[index] = lines[index].asName }
        }
        self.lines = lines
    }

    /// The text of several lines, with a line feed after each.
    func text(of range: Range<Int>) -> LogLine {
        let range = range.clamped(to: lines.indices)
        let bytes = range.flatMap { lines[$0].bytes + [UInt8(ascii: "\n")] }
        return LogLine(number: range.isEmpty ? 0 : lines[range.lowerBound].number, bytes: bytes[...])
    }
}

/// A line of a log, or a part of one.
struct LogLine {
    /// From 1.
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// The result of the search for a name; nil before it.
    private var knownNameStart: Int??

    init(number: Int, bytes: ArraySlice<UInt8>) { (self.number, self.bytes) = (number, bytes) }

    /// The index of the first name of a certificate.
    var nameStart: Int? { knownNameStart ?? Self.firstName(in: bytes) }

    /// The same line. Many questions about a line depend on its names.
    fileprivate var withKnownNames: LogLine {
        var line = self
        line.knownNameStart = .some(Self.firstName(in: bytes))
        return line
    }

    /// The same line as a part of a certificate's name.
    fileprivate var asName: LogLine {
        var line = self
        line.knownNameStart = .some(bytes.startIndex)
        return line
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The index of the first occurrence of `text`.
    func firstIndex(of text: String, from start: Int? = nil) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        // Most lines contain none of the texts, so this loop takes most of the time.
        let span = bytes.span
        let last = span.count - wanted.count
        var index = max((start ?? bytes.startIndex) - bytes.startIndex, 0)
        while index <= last {
            let found = bytes.startIndex + index
            if span[index] == first, bytes[found..<found + wanted.count].elementsEqual(wanted) { return found }
            index += 1
        }
        return nil
    }

    func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }

    /// The text after the first occurrence of `marker`, up to one of the characters in `ends` or the end of the line; nil if the
    /// marker is absent or nothing follows it.
    func text(after marker: String, upTo ends: String = "\n", from start: Int? = nil) -> String? {
        guard let index = firstIndex(of: marker, from: start) else { return nil }
        let stops = Set(ends.utf8)
        let found = bytes[(index + marker.utf8.count)...].prefix { !stops.contains($0) && $0 != UInt8(ascii: "\n") }
            .trimmed
        return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
    }

    /// The part of the line from the first occurrence of a text, or the whole line.
    func part(from text: String) -> LogLine {
        LogLine(number: number, bytes: bytes[(firstIndex(of: text) ?? bytes.startIndex)...])
    }

    /// The part of the line before the first occurrence of a text, or the whole line.
    func part(upTo text: String) -> LogLine {
        LogLine(number: number, bytes: bytes[..<(firstIndex(of: text) ?? bytes.endIndex)])
    }

    /// The text after the last occurrence of `marker`, as ``text(after:upTo:from:)``.
    func text(afterLast marker: String, upTo ends: String) -> String? {
        guard let index = indices(of: marker, atMost: .max).last else { return nil }
        return text(after: marker, upTo: ends, from: index)
    }

    /// The indices of all occurrences of `text`, at most `maximum`.
    func indices(of text: String, atMost maximum: Int) -> [Int] {
        var found: [Int] = []
        var start: Int?
        while found.count < maximum, let index = firstIndex(of: text, from: start) {
            found.append(index)
            start = index + text.utf8.count
        }
        return found
    }
}
