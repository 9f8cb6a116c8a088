internal import Encodings

/// A text in which upper and lower case are equal, and whose bytes may have been decoded. It knows the source of each byte.
struct FoldedText {
    /// The text before any change.
    let source: [UInt8]
    /// The text in UTF-8, in lower case.
    private(set) var folded: [UInt8] = []
    /// For each byte of ``folded``, the bytes of ``source`` that it comes from.
    private var origins: [Range<Int>] = []

    init(_ source: [UInt8]) {
        self.init(source, decoded: source, source.indices.map { $0..<$0 + 1 })
    }

    /// - Parameters:
    ///   - decoded: the bytes to search.
    ///   - ranges: for each of these bytes, the bytes of `source` that it comes from.
    private init(_ source: [UInt8], decoded: [UInt8], _ ranges: [Range<Int>]) {
        self.source = source
        var index = 0
        while index < decoded.count {
            let byte = decoded[index]
            if byte < 0x80 {
                folded.append(byte.lowercased)
                origins.append(ranges[index])
                index += 1
                continue
            }
            let (scalar, length) = Self.scalar(at: decoded[index...])
            let origin = ranges[index].lowerBound..<ranges[index + length - 1].upperBound
            // Some letters have two lower cases. The upper case of ß is SS, and U+1E9E, another one, is its own upper case.
            let bytes = Array(scalar.properties.lowercaseMapping.uppercased().lowercased().utf8)
            folded += bytes
            origins += bytes.map { _ in origin }
            index += length
        }
    }

    /// The character at the start of bytes that begin outside ASCII, and its length. U+FFFD replaces a byte that is not UTF-8.
    private static func scalar(at bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int) {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }

    /// The text as it is, with percent-encoding decoded once and twice, also with spaces in place of plus signs, its canonical form, and with
    /// the bytes that a message shows in hexadecimal digits.
    ///
    /// The canonical form finds a password in which some bytes are encoded and others are not. The other views find one whose
    /// canonical form is different next to other text, such as `abc%` before `41`.
    static func views(of source: [UInt8]) -> [FoldedText] {
        var views = [FoldedText(source)]
        var bytes = source
        var ranges = source.indices.map { $0..<$0 + 1 }
        for level in 0...2 {
            if level > 0 {
                guard bytes.contains(UInt8(ascii: "%")) else { break }
                (bytes, ranges) = percentDecoded(bytes, ranges)
                views.append(FoldedText(source, decoded: bytes, ranges))
            }
            if level < 2, bytes.contains(UInt8(ascii: "+")) {
                let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
                let (decoded, origins) = percentDecoded(spaced, ranges)
                views.append(FoldedText(source, decoded: decoded, origins))
            }
        }
        if source.contains(where: { "%+\\".utf8.contains($0) }) {
            let (decoded, origins) = canonical(source)
            views.append(FoldedText(source, decoded: decoded, origins))
        }
        if let (decoded, origins) = dumpDecoded(source) { views.append(FoldedText(source, decoded: decoded, origins)) }
        return views
    }

    /// The minimum number of bytes of a dump that is decoded.
    private static let minimumDump = 4

    /// A text with the bytes in place of dumps such as `68 75 6e 74`, in which a message shows the start of an answer that is no text; nil
    /// without a dump. An ellipsis follows the bytes, because the answer can go on.
    private static func dumpDecoded(_ source: [UInt8]) -> ([UInt8], [Range<Int>])? {
        var (decoded, origins): ([UInt8], [Range<Int>]) = ([], [])
        var (index, hasDump) = (0, false)
        while index < source.count {
            var (bytes, starts): ([UInt8], [Int]) = ([], [])
            var next = index
            while next + 1 < source.count, let high = Hex.value(of: source[next]),
                let low = Hex.value(of: source[next + 1]),
                bytes.isEmpty || source[next - 1] == UInt8(ascii: " ")
            {
                bytes.append(high << 4 | low)
                starts.append(next)
                next += 3
            }
            if bytes.count >= minimumDump {
                hasDump = true
                let end = (starts.last ?? index) + 2
                decoded += bytes + ellipsis
                origins += starts.map { $0..<$0 + 2 } + ellipsis.map { _ in end..<end }
                index = end
            } else {
                decoded.append(source[index])
                origins.append(index..<index + 1)
                index += 1
            }
        }
        return hasDump ? (decoded, origins) : nil
    }

    /// A text with percent-encoding, and the escapes of a message (`\u{200D}`), decoded until none is left, then with spaces in place of plus
    /// signs. It is the same for a password and for each text in which bytes of the password are encoded, because no two encoded bytes
    /// overlap.
    static func canonical(_ text: [UInt8]) -> [UInt8] { canonical(text).decoded }

    private static func canonical(_ text: [UInt8]) -> (decoded: [UInt8], origins: [Range<Int>]) {
        var (decoded, origins): ([UInt8], [Range<Int>]) = ([], [])
        for (index, byte) in text.enumerated() {
            decoded.append(byte)
            origins.append(index..<index + 1)
            // A decoded byte can be the last digit of another encoded byte.
            while decoded.count >= 3, case let start = decoded.count - 3, decoded[start] == UInt8(ascii: "%"),
                let high = Hex.value(of: decoded[start + 1]), let low = Hex.value(of: decoded[start + 2])
            {
                let origin = origins[start].lowerBound..<origins[start + 2].upperBound
                decoded.replaceSubrange(start..., with: [high << 4 | low])
                origins.replaceSubrange(start..., with: [origin])
            }
            if decoded.last == UInt8(ascii: "}"), let (start, bytes) = escape(atEndOf: decoded) {
                let origin = origins[start].lowerBound..<index + 1
                decoded.replaceSubrange(start..., with: bytes)
                origins.replaceSubrange(start..., with: bytes.map { _ in origin })
            }
        }
        return (decoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, origins)
    }

    /// The escape of a message at the end of a text, such as `\u{200D}`: its start, and the bytes in its place; nil without one.
    private static func escape(atEndOf text: [UInt8]) -> (start: Int, bytes: [UInt8])? {
        let digits = text.dropLast().suffix(6).reversed().prefix { Hex.value(of: $0) != nil }.reversed()
        let start = text.count - 1 - digits.count - 3
        guard !digits.isEmpty, start >= 0, text[start...].starts(with: "\\u{".utf8),
            let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
        else { return nil }
        return (start, Array(String(Character(scalar)).utf8))
    }

    private static func percentDecoded(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> ([UInt8], [Range<Int>]) {
        var (decoded, origins): ([UInt8], [Range<Int>]) = ([], [])
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = Hex.value(of: bytes[index + 1]),
                let low = Hex.value(of: bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                origins.append(ranges[index].lowerBound..<ranges[index + 2].upperBound)
                index += 3
            } else {
                decoded.append(bytes[index])
                origins.append(ranges[index])
                index += 1
            }
        }
        return (decoded, origins)
    }

    /// The source with another text in place of each occurrence of a form in one of its views, and of the longest beginning of a form before
    /// each ellipsis; nil if none occurs. Those that overlap are replaced together: one form can be the beginning of another one.
    ///
    /// - Parameters:
    ///   - forms: parts of ``folded``.
    ///   - minimum: the shortest beginning to replace, in bytes.
    static func replacing(
        _ forms: [[UInt8]], in views: [FoldedText], _ minimum: Int, with other: [UInt8]
    ) -> [UInt8]? {
        let formsByStart = Dictionary(grouping: forms) { $0.first }
        let ranges = views.flatMap { $0.ranges(of: formsByStart) + $0.cutRanges(of: forms, minimum) }
            .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        guard let source = views.first?.source, var last = ranges.first else { return nil }
        var output: [UInt8] = []
        var end = 0
        func replace() {
            output += source[end..<last.lowerBound] + other
            end = last.upperBound
        }
        for range in ranges.dropFirst() {
            if range.lowerBound < last.upperBound {
                last = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                replace()
                last = range
            }
        }
        replace()
        return output + source[end...]
    }

    /// The occurrences of forms in ``source``.
    ///
    /// - Parameter forms: the forms by their first byte.
    private func ranges(of forms: [UInt8?: [[UInt8]]]) -> [Range<Int>] {
        folded.indices.compactMap { index in
            let longest = forms[folded[index]]?.lazy.filter { folded[index...].starts(with: $0) }.map(\.count).max()
            return longest.map { origins[index].lowerBound..<origins[index + $0 - 1].upperBound }
        }
    }

    /// The character at the end of an excerpt that is not the whole text.
    private static let ellipsis = Array("…".utf8)

    /// The ranges of ``source`` with the longest beginning of a form before each ellipsis.
    private func cutRanges(of forms: [[UInt8]], _ minimum: Int) -> [Range<Int>] {
        let ellipses = folded.indices.filter {
            folded[$0] == Self.ellipsis[0] && folded[$0...].starts(with: Self.ellipsis)
        }
        guard !ellipses.isEmpty else { return [] }
        let lengths = lengthsOfStarts(of: forms)
        return ellipses.compactMap { index in
            // A percent sign at the end can be that of an incomplete escape, or a character of the form. Before it can be the first bytes of
            // an incomplete character.
            let text = folded[..<index].withoutCutEscape
            let ends = [index, text.endIndex, text.withoutCutCharacter.endIndex]
            let first = ends.filter { lengths[$0] >= minimum }.map { $0 - lengths[$0] }.min()
            return first.map { origins[$0].lowerBound..<origins[index - 1].upperBound }
        }
    }

    /// For each index of ``folded`` and its end, the length of the longest beginning of a form, but not the whole form, that ends there.
    ///
    /// A server chooses the text, so the time must be proportional to its length: this is the algorithm of Knuth, Morris and Pratt.
    private func lengthsOfStarts(of forms: [[UInt8]]) -> [Int] {
        var longest = [Int](repeating: 0, count: folded.count + 1)
        for form in forms where form.count > 1 {
            let borders = Self.borders(of: form)
            var length = 0
            for (index, byte) in folded.enumerated() {
                while length > 0, form[length] != byte { length = borders[length - 1] }
                if form[length] == byte { length += 1 }
                if length == form.count { length = borders[length - 1] }
                longest[index + 1] = max(longest[index + 1], length)
            }
        }
        return longest
    }

    /// For each beginning of a form, the length of the longest shorter beginning with which it ends.
    private static func borders(of form: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in form.dropFirst() {
            while length > 0, form[length] != byte { length = borders[length - 1] }
            if form[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }
}

extension ArraySlice<UInt8> {
    /// The text without the replacement characters at its end, which stand for an incomplete character.
    fileprivate var withoutCutCharacter: Self {
        let replacement = Array("\u{FFFD}".utf8)
        var text = self
        // A character has up to four bytes, and each of three can have its own replacement.
        for _ in 0..<3 where text.suffix(replacement.count).elementsEqual(replacement) {
            text = text.dropLast(replacement.count)
        }
        return text
    }

    /// The text without an incomplete percent-encoded byte at its end, which can itself be encoded: `%`, `%4`, `%2`, `%25`, `%254`.
    fileprivate var withoutCutEscape: Self {
        for length in [4, 3, 2, 1] where count >= length {
            let end = suffix(length)
            let isEscape =
                switch length {
                case 4: end.starts(with: "%25".utf8) && Hex.value(of: end[end.endIndex - 1]) != nil
                case 3: end.elementsEqual("%25".utf8)
                case 2: end.first == UInt8(ascii: "%") && Hex.value(of: end[end.endIndex - 1]) != nil
                default: end.first == UInt8(ascii: "%")
                }
            if isEscape { return dropLast(length) }
        }
        return self
    }
}
