internal import Encodings
internal import KeyFiles
package import Pinning
package import PlaintextProtocols

/// Parses a list of targets incrementally: one target per line; `#` starts a comment.
///
/// It stores only the incomplete last line. An invalid line does not affect other lines. But if a line is that of a certificate or a
/// key, the rest of the list is neither used nor reported.
package struct TargetListReader {
    package enum Entry: Sendable {
        case targets(TargetRange)
        case invalidLine(InvalidTargetLine)
    }

    /// Maximum length of a line in bytes.
    package static let maximumLineLength = 4096

    private let list: String
    private var pending: [UInt8] = []
    /// Whether the reader skips the rest of the current line, because the line is too long.
    private var isSkipping = false
    private var line = 1
    /// Whether the list is a certificate or a key.
    package private(set) var isKeyFile = false
    private var keyLines = KeyFileLines()

    private let bareScheme: TargetScheme

    /// - Parameters:
    ///   - list: the name of the list in messages.
    ///   - bareScheme: the scheme of lines without one.
    package init(of list: String, bareScheme: TargetScheme = .https) {
        self.list = list
        self.bareScheme = bareScheme
    }

    /// Returns the entries of the lines that end in `chunk`.
    package mutating func read(_ chunk: [UInt8]) -> [Entry] {
        var entries: [Entry] = []
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            finishLine(with: rest[..<end], &entries)
            rest = rest[(end + 1)...]
        }
        append(rest, &entries)
        return entries
    }

    /// Returns the entry of a last line without a line feed.
    package mutating func finish() -> [Entry] {
        var entries: [Entry] = []
        finishLine(with: [], &entries)
        return entries
    }

    private mutating func append(_ part: ArraySlice<UInt8>, _ entries: inout [Entry]) {
        guard !isSkipping, !isKeyFile, !part.isEmpty else { return }
        pending += part
        guard pending.count > Self.maximumLineLength else { return }
        entries.append(keyLine(pending[...]) ?? invalidLine(pending[...], .tooLong(limit: Self.maximumLineLength)))
        pending = []
        isSkipping = true
    }

    private mutating func finishLine(with part: ArraySlice<UInt8>, _ entries: inout [Entry]) {
        append(part, &entries)
        if !isSkipping, !isKeyFile, let entry = entry(in: pending[...]) { entries.append(entry) }
        pending.removeAll(keepingCapacity: true)
        isSkipping = false
        line += 1
    }

    /// The entry for a read error at the current line.
    package func readFailure(_ error: SystemError) -> Entry { invalidLine([], .unreadable(error)) }

    /// The entry for a line of a certificate or a key, without the text of the line; nil for any other line.
    private mutating func keyLine(_ text: ArraySlice<UInt8>) -> Entry? {
        guard let kind = keyLines.kind(of: text) else { return nil }
        isKeyFile = true
        return invalidLine([], .keyFile(kind))
    }

    private mutating func entry(in bytes: ArraySlice<UInt8>) -> Entry? {
        var bytes = bytes
        // Some editors write a byte order mark at the start of a file.
        if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if let entry = keyLine(bytes) { return entry }
        let text = Self.trimmed(bytes.prefix { $0 != UInt8(ascii: "#") })
        guard !text.isEmpty else { return nil }
        // A password may contain a # or a space that is not encoded.
        let rest = bytes[text.endIndex...]
        if rest.first == UInt8(ascii: "#"),
            case let word = bytes[text.startIndex...].prefix(while: { !Self.isSpace($0) }),
            word.endIndex > text.endIndex, word.hasAtSign, (try? target(text)) == nil
        {
            return invalidLine(word, .userInfo)
        }
        // The line may be that of a .netrc file, so only its first word is quoted.
        if let space = text.firstIndex(where: Self.isSpace) {
            if text[..<space].contains(UInt8(ascii: ":")), bytes[space...].hasAtSign {
                return lineWithPassword(text)
            }
            if let entry = assignment(text[..<space]) { return entry }
            let word = String(decoding: text[..<space], as: UTF8.self).targetWithoutUserInfo.prefix(80) + "…"
            return invalidLine(Array(word.utf8)[...], .name(String(word), .whiteSpace))
        }
        do throws(TargetError) {
            return .targets(try target(text))
        } catch {
            guard text.contains(UInt8(ascii: ":")), rest.hasAtSign else {
                return assignment(text) ?? invalidLine(text, error)
            }
            return lineWithPassword(text)
        }
    }

    /// A line of which only the scheme is shown.
    private func lineWithPassword(_ text: ArraySlice<UInt8>) -> Entry {
        let scheme = Target.scheme(of: text).map { text[..<($0.endIndex + 3)] } ?? []
        return invalidLine(scheme + "…".utf8, .userInfo)
    }

    /// The entry for an invalid line with a `=`, without what follows it: the line may be that of an `.env` file. Nil for other lines, and for
    /// those with an `@`, which can follow a password.
    private func assignment(_ text: ArraySlice<UInt8>) -> Entry? {
        guard let end = text.firstIndex(of: UInt8(ascii: "=")), end + 1 < text.endIndex, !text.hasAtSign else {
            return nil
        }
        return invalidLine(text[...end] + "…".utf8, .assignment)
    }

    private func target(_ text: ArraySlice<UInt8>) throws(TargetError) -> TargetRange {
        try TargetRange(parsing: Array(text), bareScheme: bareScheme)
    }

    private func invalidLine(_ text: ArraySlice<UInt8>, _ error: TargetError) -> Entry {
        let shown = String(decoding: text, as: UTF8.self).targetWithoutUserInfo.utf8.prefix(80)
        return .invalidLine(
            InvalidTargetLine(list: list, line: line, text: String(decoding: shown, as: UTF8.self), error: error))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = line.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }
}

/// A line of a target list that is not a target.
package struct InvalidTargetLine: Sendable {
    /// The name of the list in messages.
    package let list: String
    /// The number of the line, from 1.
    package let line: Int
    /// The start of the line.
    package let text: String
    package let error: TargetError
}
