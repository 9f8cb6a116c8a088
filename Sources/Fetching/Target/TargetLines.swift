/// Reads a list of targets as its bytes come: one a line, `#` and what follows it left out.
///
/// It holds no more than the line that is not complete yet, and a line that names no target takes nothing from the others.
package struct TargetLines {
    package enum Entry: Sendable {
        case targets(TargetRange)
        case refused(RefusedLine)
    }

    /// Longer than any target, and short enough to be held.
    package static let longestLine = 4096

    private let list: String
    private var pending: [UInt8] = []
    /// The rest of the present line is of no interest: it is too long already.
    private var isSkipping = false
    private var line = 1

    /// - Parameter list: how messages call the list.
    package init(of list: String) { self.list = list }

    /// What the lines say that end in `chunk`.
    package mutating func take(_ chunk: [UInt8]) -> [Entry] {
        var entries: [Entry] = []
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            finishLine(with: rest[..<end], &entries)
            rest = rest[(end + 1)...]
        }
        keep(rest, &entries)
        return entries
    }

    /// What the last line says, where no line feed ends it.
    package mutating func finish() -> [Entry] {
        var entries: [Entry] = []
        finishLine(with: [], &entries)
        return entries
    }

    private mutating func keep(_ part: ArraySlice<UInt8>, _ entries: inout [Entry]) {
        guard !isSkipping, !part.isEmpty else { return }
        pending += part
        guard pending.count > Self.longestLine else { return }
        entries.append(refusal(of: pending[...], .tooLong(limit: Self.longestLine)))
        pending = []
        isSkipping = true
    }

    private mutating func finishLine(with part: ArraySlice<UInt8>, _ entries: inout [Entry]) {
        keep(part, &entries)
        if !isSkipping, let entry = entry(in: pending[...]) { entries.append(entry) }
        pending.removeAll(keepingCapacity: true)
        isSkipping = false
        line += 1
    }

    /// What is to be said where the rest of the list cannot be read.
    package func refusal(_ error: SystemError) -> Entry { refusal(of: [], .unreadable(error)) }

    private func entry(in bytes: ArraySlice<UInt8>) -> Entry? {
        var bytes = bytes
        // Editors of some systems begin a text with a byte order mark.
        if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let text = Self.trimmed(bytes.prefix { $0 != UInt8(ascii: "#") })
        guard !text.isEmpty else { return nil }
        do throws(TargetError) {
            return .targets(try TargetRange(parsing: Array(text)))
        } catch {
            return refusal(of: text, error)
        }
    }

    private func refusal(of text: ArraySlice<UInt8>, _ error: TargetError) -> Entry {
        .refused(
            RefusedLine(list: list, line: line, text: String(decoding: text.prefix(80), as: UTF8.self), error: error))
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var text = line.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }
}

/// A line of a list that names no target.
package struct RefusedLine: Sendable {
    /// How messages call the list.
    package let list: String
    /// From 1.
    package let line: Int
    /// How it begins.
    package let text: String
    package let error: TargetError
}
