extension String {
    /// The text of one argument with `…` in place of all after the name of a parameter for a password or another secret, as in the URL or
    /// the connection string of a database: `?password=…`, `host=h password=…`, `;Pwd=…`, `?access_token=…`. The names are those that end
    /// in one of the ``passwordNames``, also with hyphens or underscores; they and the `=` can be percent-encoded.
    ///
    /// The forms differ in what ends a value and in how it is quoted, so nothing after the name is shown, except a quote around the whole text.
    package var withoutPasswordParameters: String {
        let bytes = Array(utf8)
        let decoded = DelimiterDecodedText(bytes, everyByte: true)
        guard let end = Self.endOfPasswordName(in: decoded.bytes[...]) else { return self }
        let quote = UInt8(ascii: "\"")
        let isQuoted = bytes.count > 1 && bytes.first == quote && bytes.last == quote
        let start = decoded.originalIndex(end)
        guard start < bytes.endIndex - (isQuoted ? 1 : 0) else { return self }
        return String(decoding: bytes[..<start], as: UTF8.self) + (isQuoted ? "…\"" : "…")
    }

    /// A message with `…` in place of the value of each such parameter in it. A value in quotes ends with the last such quote. Otherwise it
    /// ends before `&`, `;` or white space, and quotes and punctuation before these are a part of the message.
    package var withoutPasswordParametersInside: String {
        let bytes = Array(utf8)
        let decoded = DelimiterDecodedText(bytes, everyByte: true)
        var output: [UInt8] = []
        // The end of what is in the output, as an index of the decoded and of the original text.
        var (index, shown) = (0, 0)
        while let end = Self.endOfPasswordName(in: decoded.bytes[index...]) {
            let start = decoded.originalIndex(end)
            output += bytes[shown..<start]
            shown = Self.endOfPassword(in: bytes[start...])
            if start < shown { output += Array("…".utf8) }
            index = end
            while decoded.originalIndex(index) < shown { index += 1 }
        }
        return shown == 0 ? self : String(decoding: output + bytes[shown...], as: UTF8.self)
    }

    /// A signature in a URL, as in `X-Amz-Signature=` or `sig=`, gives access like a password.
    private static let passwordNames = [
        "password", "passwd", "passphrase", "pwd", "token", "secret", "apikey", "accesskey", "accountkey", "signature",
        "sig",
    ]

    /// The index after the name and the `=` of the first parameter for a password. White space can be around the `=`, as in a configuration
    /// file, and an index in brackets after the name, as in `token[0]=`.
    ///
    /// - Parameter text: a text whose percent-encoded bytes are decoded, as in a URL within another one (RFC 3986, section 2.1).
    private static func endOfPasswordName(in text: ArraySlice<UInt8>) -> Int? {
        var index = text.startIndex
        while let equals = text[index...].firstIndex(of: UInt8(ascii: "=")) {
            let before = text[index..<equals].suffix(maximumNameLength)
            index = equals + 1
            let end = before.lastIndex { !$0.isWhiteSpace && $0 != 0 }.map { $0 + 1 } ?? before.startIndex
            var name = before[..<end]
            if name.last == UInt8(ascii: "]"), let bracket = name.lastIndex(of: UInt8(ascii: "[")) {
                name = name[..<bracket]
            }
            let lowercased = name.filter { !"-_".utf8.contains($0) }
                .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
            guard passwordNames.contains(where: { lowercased.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
                continue
            }
            let hasSpace = before.last.map(\.isWhiteSpace) ?? false
            return hasSpace ? text[index...].firstIndex { !$0.isWhiteSpace } ?? text.endIndex : index
        }
        return nil
    }

    /// The length of a name with white space and an index after it, in bytes.
    private static let maximumNameLength = 32

    /// The index after the value with which a text begins.
    private static func endOfPassword(in text: ArraySlice<UInt8>) -> Int {
        func isMark(_ byte: UInt8) -> Bool { "\"'<>\\:,.)".utf8.contains(byte) }
        func isSeparator(_ byte: UInt8) -> Bool { byte.isWhiteSpace || "&;".utf8.contains(byte) }
        // The quotes of a text in JSON or in a message have a backslash.
        let value = text.drop { $0 == UInt8(ascii: "\\") }
        if let quote = value.first, "\"'".utf8.contains(quote),
            case let next = value.dropFirst(), let first = next.first, !isMark(first), !isSeparator(first)
        {
            return next.lastIndex(of: quote).map { $0 + 1 } ?? text.endIndex
        }
        let token = text.prefix { !isSeparator($0) }
        return token.lastIndex { !isMark($0) }.map { $0 + 1 } ?? text.startIndex
    }
}
