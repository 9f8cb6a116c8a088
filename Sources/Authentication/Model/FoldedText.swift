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

    /// The text as it is, with percent-encoding decoded once and twice, also with spaces in place of plus signs, and its canonical form.
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
        if source.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
            let (decoded, origins) = canonical(source)
            views.append(FoldedText(source, decoded: decoded, origins))
        }
        return views
    }

    /// A text with percent-encoding decoded until none is left, then with spaces in place of plus signs. It is the same for a password
    /// and for each text in which bytes of the password are encoded, because no two encoded bytes overlap.
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
        }
        return (decoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, origins)
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

    /// The source with another text in place of each occurrence of a form in one of its views; nil if none occurs. Those that overlap are
    /// replaced together.
    ///
    /// - Parameter forms: parts of ``folded``.
    static func replacing(_ forms: [[UInt8]], in views: [FoldedText], with other: [UInt8]) -> [UInt8]? {
        let formsByStart = Dictionary(grouping: forms) { $0.first }
        let ranges = views.flatMap { $0.ranges(of: formsByStart) }
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

    /// ``source`` with another text in place of the longest beginning of a form before each ellipsis; nil if no form is there.
    ///
    /// - Parameters:
    ///   - forms: parts of ``folded``.
    ///   - minimum: the shortest beginning to replace, in bytes.
    func replacing(cutFormOf forms: [[UInt8]], _ minimum: Int, with other: [UInt8]) -> [UInt8]? {
        let ellipses = folded.indices.filter {
            folded[$0] == Self.ellipsis[0] && folded[$0...].starts(with: Self.ellipsis)
        }
        guard !ellipses.isEmpty else { return nil }
        let lengths = lengthsOfStarts(of: forms)
        var output: [UInt8] = []
        var end = 0
        for index in ellipses {
            // A percent sign at the end can be that of an incomplete escape, or a character of the form.
            let ends = [index, folded[..<index].withoutCutEscape.endIndex]
            guard let first = ends.filter({ lengths[$0] >= minimum }).map({ $0 - lengths[$0] }).min() else { continue }
            let start = max(end, origins[first].lowerBound)
            output += source[end..<start] + other
            end = max(start, origins[index - 1].upperBound)
        }
        return end == 0 ? nil : output + source[end...]
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
