/// Prefixes, suffixes and delimiters by Unicode scalars, for text that another program also splits or reads.
///
/// Swift's methods of the same kind compare characters. A delimiter and a combining mark after it are one character, so those methods
/// do not find the delimiter, but the other program does.
extension StringProtocol {
    /// Whether two texts consist of the same bytes, also if Swift's strings are equal.
    package func isSame(as text: some StringProtocol) -> Bool { utf8.elementsEqual(text.utf8) }

    /// Whether the UTF-8 bytes begin with those of `text`.
    package func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the UTF-8 bytes end with those of `text`.
    package func ends(with text: String) -> Bool { utf8.reversed().starts(with: text.utf8.reversed()) }

    /// The text after `prefix`; nil if it does not begin with it.
    package func without(prefix: String) -> SubSequence? {
        guard begins(with: prefix) else { return nil }
        return self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...]
    }

    /// The text before `suffix`; nil if it does not end with it.
    package func without(suffix: String) -> SubSequence? {
        guard ends(with: suffix) else { return nil }
        return self[..<utf8.index(endIndex, offsetBy: -suffix.utf8.count)]
    }

    /// Whether the UTF-8 bytes contain those of `text`.
    package func has(_ text: String) -> Bool { firstRange(ofBytes: text) != nil }

    /// The range of the first occurrence of the UTF-8 bytes of `text`, which is not empty.
    package func firstRange(ofBytes text: String) -> Range<Index>? {
        guard let first = text.utf8.first else { return nil }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            if utf8[start...].starts(with: text.utf8) { return start..<utf8.index(start, offsetBy: text.utf8.count) }
            rest = rest[utf8.index(after: start)...]
        }
        return nil
    }

    /// The parts between the occurrences of a delimiter, which is not empty. Some parts may be empty.
    package func parts(separatedByBytes delimiter: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        while let range = self[start...].firstRange(ofBytes: delimiter) {
            parts.append(self[start..<range.lowerBound])
            start = range.upperBound
        }
        parts.append(self[start...])
        return parts
    }

    /// The text with `replacement` in place of each occurrence of `text`, which is not empty.
    package func replacing(bytes text: String, with replacement: String) -> String {
        parts(separatedByBytes: text).joined(separator: replacement)
    }

    /// The text before the first of some delimiters; the whole text if it contains none of them.
    package func before(anyOf delimiters: String) -> SubSequence {
        self[..<(unicodeScalars.firstIndex { delimiters.unicodeScalars.contains($0) } ?? endIndex)]
    }

    /// The text before and after the first delimiter, without the delimiter; nil without a delimiter.
    package func divided(atFirst delimiter: Unicode.Scalar) -> (before: SubSequence, after: SubSequence)? {
        guard let index = unicodeScalars.firstIndex(of: delimiter) else { return nil }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }

    /// The parts between the delimiters, of which some may be empty.
    package func parts(separatedBy delimiter: Unicode.Scalar) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while let index = rest.unicodeScalars.firstIndex(of: delimiter) {
            parts.append(self[rest.startIndex..<index])
            rest = self[unicodeScalars.index(after: index)...]
        }
        parts.append(self[rest.startIndex...])
        return parts
    }
}
