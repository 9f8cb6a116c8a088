internal import Encodings
internal import PinSetFormats

/// The part of a source file that pinctl writes, between a line with `pinctl:begin` and one with `pinctl:end`, in whatever
/// comments the language has. All else in the file is its authors'.
struct MarkedSection {
    /// Of the lines between.
    let range: Range<Int>
    /// What the first marker is indented by.
    let indentation: String
    /// From 1, of the line behind the first marker.
    let firstLine: Int

    static let begin = "pinctl:begin"
    static let end = "pinctl:end"

    /// Generated source in which no text is a marker: a label in a comment may contain one.
    static func unmarked(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for marker in [begin, end] {
            while let range = bytes[...].firstRange(ignoringCase: marker) {
                // Shows the same name with a space in it, `pinctl: end`.
                guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else { break }
                bytes.insert(UInt8(ascii: " "), at: colon + 1)
            }
        }
        return bytes
    }

    /// Nil where there are no markers.
    ///
    /// - Throws: where they are not one of each, the end behind the beginning.
    init?(in bytes: [UInt8], as format: PinSetFormat) throws(PinSetFormatError) {
        var begins: [(line: Int, range: Range<Int>)] = []
        var ends: [(line: Int, range: Range<Int>)] = []
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            let line = bytes[start..<end]
            if line.firstRange(ignoringCase: Self.begin) != nil { begins.append((number, start..<end)) }
            if line.firstRange(ignoringCase: Self.end) != nil { ends.append((number, start..<end)) }
            (start, number) = (end, number + 1)
        }
        guard !begins.isEmpty || !ends.isEmpty else { return nil }
        guard begins.count == 1, ends.count == 1, let first = begins.first, let last = ends.first,
            first.range.upperBound <= last.range.lowerBound
        else {
            throw PinSetFormatError(
                format: format, line: begins.dropFirst().first?.line ?? begins.first?.line ?? ends.first?.line,
                message:
                    "the file needs one line with \(Self.begin.quotedExcerpt), and below it one with \(Self.end.quotedExcerpt)"
            )
        }
        range = first.range.upperBound..<last.range.lowerBound
        let blanks = bytes[first.range].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        indentation = String(decoding: blanks, as: UTF8.self)
        firstLine = first.line + 1
    }

    /// The file with blanks in the place of all else, so that lines stay what they are.
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

/// Source as pinctl writes it: what must stand at the top of a file, and the rest, which may stand anywhere in it.
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

    /// A file of its own, with markers.
    var marked: [UInt8] {
        let begin = "// \(MarkedSection.begin): what stands between the two marks is written by \"pinctl sync\""
        let lines = head + [begin] + body + ["// \(MarkedSection.end)"]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
