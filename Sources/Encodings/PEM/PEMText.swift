/// A position in a PEM text. It only moves forward.
struct PEMText: Sendable {
    let bytes: [UInt8]
    private(set) var position = 0
    /// The line of `position`, from 1.
    private(set) var line = 1

    /// Whether there are only blanks between `position` and the start of its line or the last END before it.
    private(set) var isAtLineStart = true

    static let begin = Array("-----BEGIN ".utf8)
    static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Some editors write the UTF-8 byte-order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Whether the position is the start of a UTF-16 text: a byte-order mark, or two dashes with a zero byte next to each.
    var isUTF16: Bool {
        guard position == 0, bytes.count >= 2 else { return false }
        return switch bytes.prefix(4) {
        case let start where start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]): true
        case [0x2D, 0x00, 0x2D, 0x00], [0x00, 0x2D, 0x00, 0x2D]: true
        default: false
        }
    }

    func has(_ token: [UInt8]) -> Bool {
        guard position < bytes.count, bytes[position] == token[0], bytes.count - position >= token.count else {
            return false
        }
        return bytes[position..<position + token.count].elementsEqual(token)
    }

    /// Skips a token that `has` found. It must not contain a line break.
    mutating func skip(_ token: [UInt8]) {
        position = min(position + token.count, bytes.count)
    }

    mutating func skipAll() { position = bytes.count }

    mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    /// Makes `position` the start of a line.
    mutating func startLine() { isAtLineStart = true }

    /// Moves to the next line, or to a BEGIN in this line. Returns whether there is a BEGIN.
    ///
    /// A BEGIN that is followed by more words is part of a sentence.
    mutating func skipLineUnlessBegin() -> Bool {
        let start = position
        guard let line = peekLine() else { return false }
        for index in line.indices where line[index] == UInt8(ascii: "-") {
            position = index
            guard has(Self.begin) else { continue }
            skip(Self.begin)
            guard takeLabel() != nil else { break }
            let next = peekLine()?.first
            guard next == nil || next.map(Self.isBlank) == false || peekLine()?.allSatisfy(Self.isBlank) == true else {
                break
            }
            (position, isAtLineStart) = (index, false)
            return true
        }
        position = start
        skipLine()
        return false
    }

    /// Moves to the start of the next line.
    mutating func skipLine() {
        isAtLineStart = true
        let next = Self.nextLine(in: bytes.span, from: position)
        position = next.position
        if next.isBroken { line += 1 }
    }

    /// The rest of the line without its line end; nil at the end of the text.
    func peekLine() -> ArraySlice<UInt8>? {
        guard !isAtEnd else { return nil }
        return bytes[position...].prefix { !Self.isLineBreak($0) }
    }

    /// Reads the label and the five dashes at the end of a BEGIN or END line. If the line does not have them, returns nil and reads
    /// nothing.
    mutating func takeLabel() -> String? {
        guard let line = peekLine() else { return nil }
        for index in line.indices where line[index...].starts(with: Self.dashes) {
            let label = String(decoding: line[..<index], as: UTF8.self)
            position = index + Self.dashes.count
            return label
        }
        return nil
    }

    /// Moves to the next END or BEGIN, anywhere in a line. If there is neither, moves to the end and returns false.
    mutating func skipToBoundary() -> Bool {
        while true {
            let dash = Self.nextDash(in: bytes.span, from: position)
            line += dash.lineBreaks
            position = dash.position
            if isAtEnd { return false }
            if has(Self.end) || has(Self.begin) { return true }
            position += 1
        }
    }

    func lineBreaks(in range: Range<Int>) -> Int {
        range.count { Self.endsLine(bytes.span, at: $0) }
    }
}

extension PEMText {
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The text of `bytes` without blanks at either end.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// Whether a line ends with this byte: LF, or CR without a following LF.
    @inline(__always)
    private static func endsLine(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") { return true }
        guard byte == UInt8(ascii: "\r") else { return false }
        return index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
    }

    private static func nextLine(in bytes: Span<UInt8>, from start: Int) -> (position: Int, isBroken: Bool) {
        var index = start
        while index < bytes.count {
            if endsLine(bytes, at: index) { return (index + 1, true) }
            index &+= 1
        }
        return (index, false)
    }

    private static func nextDash(in bytes: Span<UInt8>, from start: Int) -> (position: Int, lineBreaks: Int) {
        var index = start
        var lineBreaks = 0
        while index < bytes.count {
            let byte = bytes[index]
            // Most base64 characters are above the dash, and line breaks are below it. So most bytes need only one comparison.
            if byte <= UInt8(ascii: "-") {
                if byte == UInt8(ascii: "-") { break }
                if endsLine(bytes, at: index) { lineBreaks += 1 }
            }
            index &+= 1
        }
        return (index, lineBreaks)
    }
}
