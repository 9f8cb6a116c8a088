/// Splits received bytes into lines that end with a line feed, for protocols in text.
///
/// ``PlaintextExchange`` limits the number of bytes, so the buffer cannot grow without end.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The index up to which there is no line feed after ``start``.
    private var scanned = 0

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Number of bytes that were not returned yet.
    var count: Int { bytes.count - start }

    /// The first bytes that were not returned yet.
    var head: [UInt8] { Array(bytes[start...].prefix(AnswerExcerpt.maximumLength)) }

    /// ``head`` for an error. Needs more time.
    var excerpt: [UInt8] { AnswerExcerpt.bytes(of: bytes[start...]) }

    /// Removes and returns the next complete line, without its line end; nil if none is complete.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[max(start, scanned)...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = bytes.count
            return nil
        }
        var line = bytes[start..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        start = end + 1
        return Array(line)
    }

    /// Removes and returns `count` bytes; nil if fewer have arrived.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= self.count else { return nil }
        defer { start += count }
        return Array(bytes[start..<start + count])
    }
}

extension Collection<UInt8> {
    /// The bytes as text. Bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Whether the bytes begin with an ASCII text, in any case of its letters.
    func startsIgnoringCase(_ text: String) -> Bool {
        count >= text.utf8.count && zip(self, text.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
