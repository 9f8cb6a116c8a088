internal import OpenSSL

/// Parses a `.netrc` file.
///
/// Words are separated by white space. A word in double quotes can contain spaces and the escapes `\"`, `\\`, `\n`, `\r` and `\t`. A
/// word that begins with `#` begins a comment, up to the end of the line. The text of a macro ends at an empty line.
struct NetrcParser {
    private struct Word {
        var bytes: [UInt8]
        let line: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var entries: [Netrc.Entry] = []
    /// The password of the last entry, until its end.
    private var secret: [UInt8]?

    init(_ bytes: [UInt8]) throws(Netrc.Failure) {
        guard bytes.count <= Netrc.maximumSize else { throw Netrc.Failure(reason: .tooLarge, line: 1) }
        self.bytes = bytes
    }

    mutating func parse() throws(Netrc.Failure) -> [Netrc.Entry] {
        defer { wipeSecret() }
        while let word = try next() {
            // Words are ASCII, so their case can be ignored.
            switch String(decoding: word.bytes, as: UTF8.self).lowercased() {
            case "machine":
                let name = try text(after: word)
                finishEntry()
                entries.append(Netrc.Entry(machine: name.lowercased()))
            case "default":
                finishEntry()
                entries.append(Netrc.Entry(machine: nil))
            case "login":
                let login = try text(after: word)
                try change(at: word) { $0.login = $0.login ?? login }
            case "password":
                let value = try value(after: word)
                try change(at: word) { _ in }
                if secret == nil { secret = value.bytes }
            case "account":
                _ = try value(after: word)
                try change(at: word) { _ in }
            case "macdef":
                _ = try value(after: word)
                skipMacro()
            default: throw Netrc.Failure(reason: .unexpectedWord, line: word.line)
            }
        }
        finishEntry()
        return entries
    }

    private mutating func change(at word: Word, _ body: (inout Netrc.Entry) -> Void) throws(Netrc.Failure) {
        guard var entry = entries.popLast() else { throw Netrc.Failure(reason: .noMachine, line: word.line) }
        body(&entry)
        entries.append(entry)
    }

    private mutating func finishEntry() {
        defer { wipeSecret() }
        guard let secret, var entry = entries.popLast() else { return }
        if let login = entry.login { entry.password = PasswordCredential(user: login, password: secret) }
        entries.append(entry)
    }

    private mutating func wipeSecret() {
        guard var old = secret else { return }
        secret = nil
        SecretBytes.wipe(&old)
    }

    private mutating func value(after word: Word) throws(Netrc.Failure) -> Word {
        guard let value = try next() else { throw Netrc.Failure(reason: .missingValue, line: word.line) }
        return value
    }

    private mutating func text(after word: Word) throws(Netrc.Failure) -> String {
        let value = try value(after: word)
        guard let text = String(validating: value.bytes, as: UTF8.self) else {
            throw Netrc.Failure(reason: .encoding, line: value.line)
        }
        return text
    }

    /// The next word; nil at the end of the file.
    private mutating func next() throws(Netrc.Failure) -> Word? {
        while let byte = current {
            if Self.isSpace(byte) {
                advance()
            } else if byte == UInt8(ascii: "#") {
                skipLine()
            } else {
                return byte == UInt8(ascii: "\"") ? try quoted() : plain()
            }
        }
        return nil
    }

    private mutating func plain() -> Word {
        let start = index
        while let byte = current, !Self.isSpace(byte) { index += 1 }
        return Word(bytes: Array(bytes[start..<index]), line: line)
    }

    private mutating func quoted() throws(Netrc.Failure) -> Word {
        let start = line
        index += 1
        var text: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\n") {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return Word(bytes: text, line: start)
            case UInt8(ascii: "\\"):
                guard let escaped = current, escaped != UInt8(ascii: "\n") else {
                    throw Netrc.Failure(reason: .unclosedQuote, line: start)
                }
                index += 1
                text.append(Self.unescaped(escaped))
            default: text.append(byte)
            }
        }
        throw Netrc.Failure(reason: .unclosedQuote, line: start)
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte
        }
    }

    private mutating func skipLine() { while let byte = current, byte != UInt8(ascii: "\n") { index += 1 } }

    /// Skips the rest of the line and all lines up to an empty one.
    private mutating func skipMacro() {
        skipLine()
        while current != nil {
            advance()
            let start = index
            skipLine()
            if index == start || index == start + 1 && bytes[start] == UInt8(ascii: "\r") { return }
        }
    }

    private mutating func advance() {
        if current == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// White space of isspace(3) in the C locale.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
