extension String {
    /// The text of a target or a URL, with `…` in place of the user and the password before the last `@`, for messages. The `@` and other
    /// delimiters can be percent-encoded, and the `@` can be a fullwidth or small one, which NFKC replaces by `@`.
    ///
    /// An opening quote or an option before the text stays. Without a scheme, a text before `@` is replaced only if it contains a
    /// colon, because file names can contain an `@`.
    ///
    /// The `@` can be in a private key: without its start, the rest would not be recognized.
    ///
    /// What follows the name of a parameter for a password is replaced, too (``withoutPasswordParameters``).
    package var withoutUserInfo: String { withoutUserInfo(isTarget: false).withoutPasswordParameters }

    /// The text of a target, with `…` in place of the user and the password, as ``withoutUserInfo``, also of a user without a colon. For
    /// a text that cannot be a file name.
    package var targetWithoutUserInfo: String { withoutUserInfo(isTarget: true).withoutPasswordParameters }

    private func withoutUserInfo(isTarget: Bool) -> String {
        guard utf8.hasAtSign else { return self }
        let text = withoutWholePrivateKeys
        let decoded = DelimiterDecodedText(Array(text.utf8))
        let bytes = decoded.bytes
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return text }
        var start = 0
        // A password can contain "://".
        if let scheme = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }), scheme < at,
            !bytes[..<scheme].contains(UInt8(ascii: ":"))
        {
            start = scheme + 3
        } else {
            if bytes.first == UInt8(ascii: "\"") { start = 1 }
            if bytes.starts(with: "--".utf8) {
                let ends = [UInt8(ascii: " "), UInt8(ascii: "=")]
                start = bytes[..<at].firstIndex(where: ends.contains).map { $0 + 1 } ?? 0
            }
            guard isTarget || bytes[start..<at].contains(UInt8(ascii: ":")) else { return text }
        }
        guard start < at else { return text }
        return String(decoding: decoded.original(0..<start), as: UTF8.self) + "…"
            + String(decoding: decoded.original(at..<bytes.count), as: UTF8.self)
    }
}

extension String {
    /// The text with `…` in place of the user and the password of each URL in it (RFC 3986, section 3.2). A URL ends at a double quote,
    /// an angle bracket or white space. An apostrophe can be a part of a user or a password. The slashes of a URL can be escaped as in
    /// JSON (`https:\/\/`), and its delimiters percent-encoded. Private keys in a text with an `@` are replaced, too.
    package var withoutUserInfoInURLs: String {
        guard utf8.hasAtSign else { return withoutPasswordParametersInside }
        return withoutUserInfoInEachURL.withoutPasswordParametersInside
    }

    private var withoutUserInfoInEachURL: String {
        let text = withoutWholePrivateKeys
        let decoded = DelimiterDecodedText(Array(text.utf8))
        let bytes = decoded.bytes
        var output: [UInt8] = []
        var index = 0
        // A word can contain many URLs, so its end and its last @ are searched once.
        var word = 0..<0
        var lastAt: Int?
        while let start = Self.startOfAuthority(in: bytes[index...]) {
            output += decoded.original(index..<start)
            index = start
            if start >= word.upperBound {
                let end = bytes[start...].firstIndex(where: Self.endsWord) ?? bytes.endIndex
                word = start..<end
                lastAt = bytes[word].lastIndex(of: UInt8(ascii: "@"))
            }
            guard let lastAt, let at = Self.endOfUserInfo(decoded, start..<word.upperBound, lastAt) else { continue }
            output += Array("…".utf8)
            index = at
        }
        guard index > 0 else { return text }
        return String(decoding: output + decoded.original(index..<bytes.count), as: UTF8.self)
    }

    private static func endsWord(_ byte: UInt8) -> Bool { byte.isWhiteSpace || "\"<>".utf8.contains(byte) }

    private static func endsQuotedWord(_ byte: UInt8) -> Bool { endsWord(byte) || byte == UInt8(ascii: "'") }

    /// The index after the first `://` of a text, whose slashes can be escaped; nil if the text has none. Browsers ignore more slashes (URL
    /// Standard of WHATWG, "special authority ignore slashes state").
    private static func startOfAuthority(in text: ArraySlice<UInt8>) -> Int? {
        var index = text.startIndex
        while let colon = text[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = colon + 1
            var slashes = 0
            while case let next = text[index...].firstIndex(where: { $0 != UInt8(ascii: "\\") }) ?? text.endIndex,
                next < text.endIndex, text[next] == UInt8(ascii: "/")
            {
                index = next + 1
                slashes += 1
            }
            if slashes >= 2 { return index }
        }
        return nil
    }

    /// The index of the `@` after the user and the password; nil if there are none.
    ///
    /// - Parameters:
    ///   - rest: the range of a URL without its scheme.
    ///   - lastAt: the last `@` in the word of the URL.
    private static func endOfUserInfo(_ text: DelimiterDecodedText, _ rest: Range<Int>, _ lastAt: Int) -> Int? {
        guard lastAt > rest.lowerBound else { return nil }
        // In a URL that is encoded, a part of the user can be encoded once more than its delimiters.
        let level = text.level(at: rest.lowerBound - 1)
        let end = rest.first { index in
            "/?#".utf8.contains(text.bytes[index]) && text.level(at: index) <= level
                || level > 0 && text.bytes[index] == UInt8(ascii: "&")
        }
        var authority = text.bytes[rest.lowerBound..<(end ?? rest.upperBound)]
        // The slash after it can be escaped.
        while authority.last == UInt8(ascii: "\\") { authority.removeLast() }
        let ats = authority.indices.filter { authority[$0] == UInt8(ascii: "@") }
        if let at = ats.last(where: { text.level(at: $0) <= level }) { return at > rest.lowerBound ? at : nil }
        // A password may contain a slash that is not encoded. What is not a port is then a part of it.
        guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")),
            !authority[(colon + 1)...].allSatisfy(\.isDigit)
        else { return ats.last.flatMap { $0 > rest.lowerBound ? $0 : nil } }
        return lastAt
    }

    /// The text with `…` in place of the user and the password in each word such as `user:password@host`, also in single quotes.
    private var withoutUserInfoInWords: String {
        guard utf8.hasAtSign else { return self }
        // An apostrophe can be a part of a user, or end a URL before the word.
        return withoutUserInfo(inWordsUntil: Self.endsWord).withoutUserInfo(inWordsUntil: Self.endsQuotedWord)
    }

    private func withoutUserInfo(inWordsUntil endsWord: (UInt8) -> Bool) -> String {
        let decoded = DelimiterDecodedText(Array(utf8))
        let bytes = decoded.bytes
        var output: [UInt8] = []
        var index = 0
        while index < bytes.endIndex {
            let end = bytes[index...].firstIndex(where: endsWord) ?? bytes.endIndex
            let start = Self.endOfOpeningQuote(in: bytes[index..<end])
            output += decoded.original(index..<start)
            index = start
            let word = bytes[index..<end]
            // In a URL, they are replaced already. An encoded "://" after a colon is a part of a password.
            let scheme = word.firstIndex(of: UInt8(ascii: "@")).flatMap { Self.startOfAuthority(in: word[..<$0]) }
            let isURL = scheme.map { start in
                decoded.level(at: start - 1) == 0 || word[..<start].count { $0 == UInt8(ascii: ":") } == 1
            }
            if let at = word.lastIndex(of: UInt8(ascii: "@")), word[..<at].contains(UInt8(ascii: ":")), isURL != true {
                output += Array("…".utf8) + decoded.original(at..<end)
            } else {
                output += decoded.original(index..<end)
            }
            output += bytes[end...].prefix(1)
            index = min(end + 1, bytes.endIndex)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The index after the opening single quote of a word, which can follow a name as in `(host='`; the start of the word if it has no such
    /// quote.
    private static func endOfOpeningQuote(in word: ArraySlice<UInt8>) -> Int {
        let name = word.prefix { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: ":") }
        guard name.endIndex < word.endIndex, word[name.endIndex] == UInt8(ascii: "'"),
            name.last.map({ "=([{,".utf8.contains($0) }) ?? true
        else { return word.startIndex }
        return name.endIndex + 1
    }

    /// The text without the users and passwords of URLs and of words, and without those of a host, which may have no scheme.
    package func withoutUserInfo(of host: String?) -> String {
        let text = withoutUserInfoInURLs.withoutUserInfoInWords
        guard let host, case let shown = host.withoutUserInfo, shown != host else { return text }
        // A search for a text of any length would take quadratic time.
        guard host.utf8.count <= 4096 else { return "…" }
        let excerpts = [host, shown].map(\.excerpt)
        return text.replacing(excerpts[0], by: excerpts[1]).replacing(host, by: shown)
    }

    private func replacing(_ part: String, by other: String) -> String {
        let (bytes, part) = (Array(utf8), Array(part.utf8))
        guard let first = part.first else { return self }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: part) {
                output += Array(other.utf8)
                index += part.count
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
