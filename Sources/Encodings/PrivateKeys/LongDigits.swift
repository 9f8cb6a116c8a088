/// Digits of base64, or hexadecimal digits, that are longer than any pin: a part of a key that has no start.
struct LongDigits {
    private let whole: [UInt8]
    /// The end of rejected digits: what begins before it is rejected, too.
    private var rejectedEnd = 0

    /// The characters of a pin in base64, and room for a few mistyped ones.
    private static let maximumPin = 48

    init(_ text: [UInt8]) { whole = text }

    /// The digits at an index of the text. nil for a pin, also for a mistyped one, and for names of files and hosts.
    mutating func range(at index: Int) -> Range<Int>? {
        guard index >= rejectedEnd, let first = whole[index...].first, Self.isDigit(first), first != UInt8(ascii: "-")
        else {
            return nil
        }
        let before = whole[..<index]
        let isAfterPrefix = Self.isDigestPrefix(before)
        // Dashes before a key can be its first characters, or the end of a line of PEM.
        let boundary = before.suffix(16).last { $0 != UInt8(ascii: "-") }
        let isAfterLineEnd = before.suffix(2).first == UInt8(ascii: "\\") && LineEnd.end(at: before.suffix(2)) != nil
        if let boundary, Self.isDigit(boundary), !isAfterPrefix, !isAfterLineEnd { return nil }
        let digits = digits(whole[index...], before, isAfterPrefix: isAfterPrefix)
        return digits.map { $0.startIndex..<$0.endIndex }
    }

    private mutating func digits(
        _ text: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>, isAfterPrefix: Bool
    ) -> ArraySlice<UInt8>? {
        let pairs = Self.hexPairs(text)
        // 32 bytes and 31 separators.
        if pairs.count > 95 { return pairs }
        let line = text.prefix(while: Self.isDigit)
        // A line of PEM with a label does not continue.
        let isLabel = [before.suffix(2), line.suffix(2)].contains { $0.elementsEqual("--".utf8) }
        let lines = isLabel ? line : Self.lines(text)
        // The last line can be the start of a name, for example of a host or of a file.
        let isBeforeName = !isAfterPrefix && text[lines.endIndex...].first == UInt8(ascii: ".")
        let run = isBeforeName ? Self.withoutLastLine(lines) : lines
        let digits = Self.withoutLineEnds(run)
        let isHexadecimal = digits.allSatisfy { Hex.value(of: $0) != nil }
        let isKey =
            isHexadecimal ? digits.count > 64 : digits.count > Self.maximumPin && PrivateKeyMatch.isRandom(digits[...])
        guard isKey else {
            if !isLabel { rejectedEnd = run.isEmpty ? lines.endIndex : Self.rejectedEnd(of: run) }
            return nil
        }
        guard isAfterPrefix || !Self.isName(run, after: before) else { return nil }
        if !isAfterPrefix, let slash = run.prefix(8).firstIndex(of: UInt8(ascii: "/")),
            Self.isDigestPrefix(run[...slash])
        {
            return nil
        }
        return run
    }

    /// The end of the part of rejected digits in which no key can begin. All digits are read up to the end of the run, so only
    /// hexadecimal digits at its end can be long enough.
    private static func rejectedEnd(of run: ArraySlice<UInt8>) -> Int {
        var start = run.startIndex
        var index = start
        while index < run.endIndex {
            if let end = LineEnd.end(at: run[index...]) {
                index = end
            } else {
                if Hex.value(of: run[index]) == nil { start = index + 1 }
                index += 1
            }
        }
        return run.endIndex - start > 64 ? start : run.endIndex
    }

    /// The digits of base64 at the start of a text, and line ends between them.
    private static func lines(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex
        var next = end
        while next < text.endIndex {
            if isDigit(text[next]) {
                next += 1
                end = next
            } else if let start = LineEnd.end(at: text[next...]) {
                next = start
            } else {
                break
            }
        }
        return text[..<end]
    }

    /// The digits of lines, without the letters of escaped line ends.
    private static func withoutLineEnds(_ lines: ArraySlice<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        var index = lines.startIndex
        while index < lines.endIndex {
            if let end = LineEnd.end(at: lines[index...]) {
                index = end
            } else {
                digits.append(lines[index])
                index += 1
            }
        }
        return digits
    }

    /// The lines but the last one; empty for one line.
    private static func withoutLastLine(_ lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = lines.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\\") }
        return lines[..<(end ?? lines.startIndex)]
    }

    /// Two hexadecimal digits for each byte at the start of a text, with one separator or line end between bytes; empty if there are
    /// fewer than two bytes.
    private static func hexPairs(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex
        var next = end
        var count = 0
        while text[next...].prefix(2).count(where: { Hex.value(of: $0) != nil }) == 2 {
            end = next + 2
            next = end
            count += 1
            guard let separator = text[end...].first else { break }
            next = ": ,".utf8.contains(separator) ? end + 1 : end
            next = LineEnd.end(at: text[next...]) ?? next
            // Digits without separators are not pairs.
            if next == end { break }
        }
        // The text can be the start of a longer one, which ends within a byte or after a separator.
        if next == text.endIndex { end = next } else if Hex.value(of: text[next]) != nil { end = next + 1 }
        return count > 1 ? text[..<end] : text[..<text.startIndex]
    }

    /// Whether a byte is a digit of base64 or base64url, without the padding.
    private static func isDigit(_ byte: UInt8) -> Bool { WrittenBytes.base64Value(of: byte) != nil }

    /// Whether a text ends with the prefix of a pin that ends with a slash (`sha256/`, `sha256//`).
    private static func isDigestPrefix(_ text: ArraySlice<UInt8>) -> Bool {
        ["sha1/", "sha256/", "sha256//", "sha384/", "sha512/"].contains { prefix in
            text.suffix(prefix.utf8.count).map { $0 | 0x20 }.elementsEqual(prefix.utf8.map { $0 | 0x20 })
        }
    }

    /// Whether digits are a part of a name of a host or a file, or of a URL.
    private static func isName(_ run: ArraySlice<UInt8>, after before: ArraySlice<UInt8>) -> Bool {
        before.last == UInt8(ascii: ".") || before.last == UInt8(ascii: ":") && run.starts(with: "//".utf8)
    }
}
