internal import Encodings
internal import PinSetCodec

/// The part of a source file that pinctl writes. It lies between a comment line with `pinctl:begin` and a comment line with
/// `pinctl:end`. pinctl does not change the rest of the file.
struct MarkedSection {
    /// Byte range between the markers.
    let range: Range<Int>
    /// Offset of the line with the first marker.
    let firstMarker: Int
    /// The indentation of the first marker.
    let indentation: String
    /// Number of the line after the first marker, from 1.
    let firstLine: Int

    static let begin = "pinctl:begin"
    static let end = "pinctl:end"

    /// Generated source code in which no text is a marker. A pin's label, in a comment, could otherwise be one.
    static func unmarked(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes[...]
        // `pinctl: end` is still readable, but is not a marker.
        let prefix = "pinctl:"
        while let range = rest.firstRange(ignoringCase: prefix) {
            output += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            if rest.starts(withIgnoringCase: "begin") || rest.starts(withIgnoringCase: "end") {
                output.append(UInt8(ascii: " "))
            }
        }
        return output + rest
    }

    /// Nil if there are no markers.
    ///
    /// - Throws: unless the file has exactly one begin marker and, after it, exactly one end marker.
    init?(in bytes: [UInt8]) throws(PinSetCopyError) {
        var begins: [(line: Int, range: Range<Int>)] = []
        var ends: [(line: Int, range: Range<Int>)] = []
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            let line = bytes[start..<end]
            let isBegin = line.firstRange(ignoringCase: Self.begin) != nil
            let isEnd = line.firstRange(ignoringCase: Self.end) != nil
            if isBegin || isEnd, let comment = Self.comment(in: line) {
                guard comment == .line else { throw .markerInComment(line: number) }
                if isBegin { begins.append((number, start..<end)) }
                if isEnd { ends.append((number, start..<end)) }
            }
            (start, number) = (end, number + 1)
        }
        guard !begins.isEmpty || !ends.isEmpty else { return nil }
        guard begins.count == 1, ends.count == 1, let first = begins.first, let last = ends.first,
            first.range.upperBound <= last.range.lowerBound
        else {
            throw .markers(line: begins.dropFirst().first?.line ?? begins.first?.line ?? ends.first?.line)
        }
        range = first.range.upperBound..<last.range.lowerBound
        firstMarker = first.range.lowerBound
        let blanks = bytes[first.range].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        indentation = String(decoding: blanks, as: UTF8.self)
        firstLine = first.line + 1
    }

    private enum Comment {
        case line
        /// A comment that begins before the line or continues after it.
        case severalLines
    }

    /// The comment at the start of a line; nil if the line begins with another text. A marker in a string of the program does not
    /// count.
    private static func comment(in line: ArraySlice<UInt8>) -> Comment? {
        // The first line can begin with a byte-order mark.
        let text = (line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line)
            .drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if text.starts(with: "//".utf8) || text.starts(with: "#".utf8) { return .line }
        if text.starts(with: "/*".utf8) {
            guard let end = text.dropFirst(2).firstRange(ignoringCase: "*/") else { return .severalLines }
            return text[end.upperBound...].firstRange(ignoringCase: "/*") == nil ? .line : .severalLines
        }
        return text.starts(with: "*".utf8) ? .severalLines : nil
    }

    /// The file with all text outside the section replaced by spaces, so that line numbers do not change.
    func isolated(in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in bytes.indices where !range.contains(index) && bytes[index] != UInt8(ascii: "\n") {
            bytes[index] = UInt8(ascii: " ")
        }
        return bytes
    }

    /// The file with `lines` between the markers.
    func replacing(with lines: [String], in bytes: [UInt8]) -> [UInt8] {
        let lineEnd = TextLayout(bytes).lineEnd
        var text = ""
        for line in lines { text += (line.isEmpty ? "" : indentation + line) + lineEnd }
        return bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...]
    }
}

/// Generated source code: the lines for the top of a file, and the rest, which can be anywhere in the file.
struct GeneratedSource {
    let head: [String]
    let body: [String]

    init(_ bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        while lines.last == "" { lines.removeLast() }
        let count = lines.prefix { $0.isEmpty || $0.hasPrefix("import ") }.count
        head = Array(lines[..<count])
        body = Array(lines[count...])
    }

    /// A whole file with markers.
    var marked: [UInt8] {
        let begin = "// \(MarkedSection.begin): \"pinctl sync\" writes the lines between the two markers"
        let lines = head + [begin] + body + ["// \(MarkedSection.end)"]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
