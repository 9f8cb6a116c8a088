internal import Encodings

/// Why a source may be other code for its compiler or interpreter than for a reader.
///
/// The problems of Java exist because the reader does not know whether a source is Java or Kotlin.
package struct SourceAmbiguity: Equatable, Sendable {
    package enum Problem: Hashable, Sendable {
        /// Java replaces an escape such as `\u002a` before it looks for comments and strings (The Java Language Specification, section
        /// 3.3). Kotlin knows such escapes only in strings.
        case unicodeEscape
        /// A comment contains `/*`. Then it ends later in Kotlin (Kotlin language specification, `DelimitedComment`) than in Java (The Java
        /// Language Specification, section 3.7).
        case nestedComment
        /// A backslash before the three quotation marks that end a string in Kotlin. In Java, it is an escape, and the string goes on (The Java
        /// Language Specification, section 3.10.6).
        case escapedDelimiter
        /// A comment or a string over several lines does not end, so the code after it is not read.
        case unclosed
        /// Java leaves control characters and format characters out of names (java.lang.Character, `isIdentifierIgnorable`).
        case ignoredCharacter
        /// A comment declares another encoding than UTF-8 (PEP 263). In `unicode_escape` or `utf-7`, for example, a comment can contain
        /// code.
        case encoding
        /// Python compares names after NFKC (The Python Language Reference, section 2.3), and a name is not in this form.
        case compatibleName

        package var message: String {
            switch self {
            case .unicodeEscape: "Java replaces this Unicode escape before it reads the code, which is then another one"
            case .nestedComment: "this comment contains another \"/*\", so it ends later in Kotlin than in Java"
            case .escapedDelimiter:
                "this string ends in Kotlin, but not in Java, at the quotation marks after a backslash"
            case .unclosed: "this comment or string does not end"
            case .ignoredCharacter: "the code contains an invisible character, which Java leaves out of a name"
            case .encoding: "Python reads the text in another encoding, in which it can be other code"
            case .compatibleName: "Python replaces characters of this name, so it is another one"
            }
        }

        package var hint: String {
            switch self {
            case .unicodeEscape: "write the character itself"
            case .nestedComment: "remove the \"/*\" in the comment"
            case .escapedDelimiter: "in Java, write a backslash before each of the three quotation marks"
            case .unclosed: "end it, or remove its start"
            case .ignoredCharacter: "remove the character"
            case .encoding: "use UTF-8"
            case .compatibleName: "write the name in its usual characters"
            }
        }
    }

    package let problem: Problem
    /// From 1.
    package let line: Int

    package init(_ problem: Problem, line: Int) {
        self.problem = problem
        self.line = line
    }

    /// Searches for characters that change the code of a source in Java.
    ///
    /// - Parameters:
    ///   - tokens: the ranges of all tokens, in order. The comments are between them.
    ///   - isText: whether the token at an index is a string or a character.
    package init?(in bytes: [UInt8], tokens: [Range<Int>], isText: (Int) -> Bool) {
        let problem: Problem
        let offset: Int
        if let escape = Self.changingEscape(in: bytes, tokens, isText) {
            (problem, offset) = (.unicodeEscape, escape)
        } else if let token = tokens.indices.first(where: { !isText($0) && Self.hasIgnored(tokens[$0], of: bytes) }) {
            (problem, offset) = (.ignoredCharacter, tokens[token].lowerBound)
        } else {
            return nil
        }
        self.init(problem, line: bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1)
    }

    // MARK: Unicode escapes

    /// The offset of the first escape that changes the code; nil without one.
    private static func changingEscape(in bytes: [UInt8], _ tokens: [Range<Int>], _ isText: (Int) -> Bool) -> Int? {
        guard bytes.has("\\u") else { return nil }
        var token = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let start = index
            guard let value = escape(in: bytes, at: &index) else { continue }
            while token < tokens.count, tokens[token].upperBound <= start { token += 1 }
            let isCode = token < tokens.count && tokens[token].contains(start) && !isText(token)
            let isComment = token == tokens.count || !tokens[token].contains(start)
            let delimiters = isComment ? "*/\n\r" : "\"\\'\n\r"
            if isCode || delimiters.unicodeScalars.contains(where: { $0.value == value }) { return start }
        }
        return nil
    }

    /// The character of a Unicode escape at a backslash; nil for another escape. The index is then after it: a second backslash begins no
    /// escape.
    private static func escape(in bytes: [UInt8], at index: inout Int) -> UInt32? {
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "u") else {
            index = min(index + 1, bytes.count)
            return nil
        }
        while index < bytes.count, bytes[index] == UInt8(ascii: "u") { index += 1 }
        let digits = bytes[index...].prefix(4).compactMap(Hex.value(of:))
        guard digits.count == 4 else { return nil }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt32($1) }
    }

    // MARK: Ignored characters

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Whether a token has a control character or a format character, apart from the mark that editors write at the start of a file.
    private static func hasIgnored(_ token: Range<Int>, of bytes: [UInt8]) -> Bool {
        var text = bytes[token]
        guard text.contains(where: { $0 < 0x20 || $0 >= 0x7f }) else { return false }
        if token.lowerBound == 0, text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        return String(decoding: text, as: UTF8.self).unicodeScalars.contains {
            [.control, .format].contains($0.properties.generalCategory)
        }
    }

    // MARK: Python

    /// Searches for a declaration of an encoding, and for names that change the code of a source in Python.
    ///
    /// - Parameter words: the ranges of the names, keywords and numbers, in order.
    init?(inPython bytes: [UInt8], words: [Range<Int>]) {
        if let line = Self.lineOfOtherEncoding(in: bytes) {
            self.init(.encoding, line: line)
        } else if let word = words.first(where: { Self.isReplaced($0, in: bytes) }) {
            self.init(.compatibleName, line: bytes[..<word.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1)
        } else {
            return nil
        }
    }

    /// The encodings in which the text is the code that the reader sees.
    private static let supportedEncodings = ["utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii"]

    /// The line of the declaration of another encoding; nil without one. It is in line 1 or 2 (PEP 263). CR also ends a line.
    private static func lineOfOtherEncoding(in bytes: [UInt8]) -> Int? {
        var text = bytes[...]
        if text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
        for (index, line) in lines.enumerated() {
            for part in line.split(separator: UInt8(ascii: "\r")) {
                guard let name = declaredEncoding(in: part) else { continue }
                let isASCII = !name.hasSuffix("ascii") || bytes.allSatisfy { $0 < 0x80 }
                if !isASCII || !supportedEncodings.contains(name) { return index + 1 }
            }
        }
        return nil
    }

    /// The encoding that a comment declares, in lower case and with `-` for `_`; nil for another line (PEP 263:
    /// `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`).
    private static func declaredEncoding(in line: ArraySlice<UInt8>) -> String? {
        var rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 0x0c }
        guard rest.first == UInt8(ascii: "#") else { return nil }
        while let range = rest.firstRange(ignoringCase: "coding") {
            let isLowerCase = rest[range].elementsEqual("coding".utf8)
            rest = rest[range.upperBound...]
            guard isLowerCase, let sign = rest.first, ":=".utf8.contains(sign) else { continue }
            let name = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                .prefix { $0 < 0x80 && ($0.isWord || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")) }
            guard !name.isEmpty else { continue }
            let bytes = name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.lowercased }
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// Whether NFKC replaces a character of a name. Swift knows only whether NFKC together with case folding does, so the characters are
    /// in lower case before the test, and the two small letters that case folding replaces are left out.
    private static func isReplaced(_ word: Range<Int>, in bytes: [UInt8]) -> Bool {
        var text = bytes[word]
        guard text.contains(where: { $0 >= 0x80 }) else { return false }
        if word.lowerBound == 0, text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        return String(decoding: text, as: UTF8.self).unicodeScalars.contains { scalar in
            guard !scalar.isASCII, scalar != "\u{DF}", scalar != "\u{3C2}" else { return false }
            let small = scalar.properties.lowercaseMapping.unicodeScalars
            // The lower case of the Kelvin sign is the letter k.
            return small.allSatisfy(\.isASCII) || small.contains { $0.properties.changesWhenNFKCCaseFolded }
        }
    }
}
