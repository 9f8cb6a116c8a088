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
        if Self.isSetting(text), let entry = assignment(text) { return entry }
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

    /// The entry for a line, of which only the start is shown: a password can follow a colon, a quote or another sign.
    private func invalidLine(_ text: ArraySlice<UInt8>, _ error: TargetError) -> Entry {
        let whole = Array(String(decoding: text, as: UTF8.self).targetWithoutUserInfo.utf8)
        let scheme = Target.scheme(of: whole[...]).map { $0.endIndex + 3 } ?? 0
        let start = whole.dropFirst(scheme).prefix(Self.maximumShownLength)
        // User information was removed from the line, so what remains is no password.
        let isMasked = whole.count != text.count
        let length = isMasked ? start.count : start.prefix(while: Self.isShown).count
        let isWhole = scheme + length >= whole.count
        let shown = String(decoding: whole.prefix(scheme + length), as: UTF8.self)
        return .invalidLine(
            InvalidTargetLine(list: list, line: line, text: isWhole ? shown : shown + "…", error: error))
    }

    /// In bytes.
    private static let maximumShownLength = 80

    /// Letters, digits, and the signs of names and addresses before a colon.
    private static func isShown(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x80..., UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "="), UInt8(ascii: "["):
            true
        default: false
        }
    }

    /// Whether a line is probably a setting, such as `TOKEN=secret`, and not a host with a server name.
    private static func isSetting(_ text: ArraySlice<UInt8>) -> Bool {
        guard let end = text.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let (name, value) = (text[..<end], text[(end + 1)...])
        guard !name.contains(where: { ".:".utf8.contains($0) }) else { return false }
        let isUpperCase = !name.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return isUpperCase || name.contains(UInt8(ascii: "_")) || !value.contains(UInt8(ascii: "."))
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
