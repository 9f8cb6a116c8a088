extension String {
    /// The text of one argument with `…` in place of all after the name of a parameter for a password or another secret, as in the URL or
    /// the connection string of a database: `?password=…`, `host=h password=…`, `;Pwd=…`, `?access_token=…`. The names are those that end
    /// in one of ``passwordNames``.
    ///
    /// The forms differ in what ends a value and in how it is quoted, so nothing after the name is shown, except a quote around the whole text.
    package var withoutPasswordParameters: String {
        let bytes = Array(utf8)
        guard let start = Self.startOfPassword(in: bytes[...]), start < bytes.endIndex else { return self }
        let quote = UInt8(ascii: "\"")
        let isQuoted = bytes.first == quote && bytes.last == quote
        if isQuoted, start == bytes.endIndex - 1 { return self }
        return String(decoding: bytes[..<start], as: UTF8.self) + (isQuoted ? "…\"" : "…")
    }

    /// A message with `…` in place of the value of each such parameter in it. A value in quotes ends with the last such quote. Otherwise it
    /// ends before `&`, `;` or white space, and quotes and punctuation before these are a part of the message.
    package var withoutPasswordParametersInside: String {
        let bytes = Array(utf8)
        var output: [UInt8] = []
        var index = 0
        while let start = Self.startOfPassword(in: bytes[index...]) {
            let end = Self.endOfPassword(in: bytes[start...])
            output += bytes[index..<start]
            if start < end { output += Array("…".utf8) }
            index = end
        }
        guard index > 0 else { return self }
        return String(decoding: output + bytes[index...], as: UTF8.self)
    }

    private static let passwordNames = [
        "password", "passwd", "passphrase", "pwd", "token", "secret", "apikey", "api_key", "api-key",
    ]

    /// The index after the `=` of the first parameter for a password. In a URL within another one, it is percent-encoded (RFC 3986,
    /// section 2.1), possibly several times.
    private static func startOfPassword(in text: ArraySlice<UInt8>) -> Int? {
        var index = text.startIndex
        while let sign = text[index...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "%") }) {
            index = sign + 1
            if text[sign] == UInt8(ascii: "%") {
                while text[index...].starts(with: "25".utf8) { index += 2 }
                guard text[index...].starts(with: "3D".utf8) || text[index...].starts(with: "3d".utf8) else { continue }
                index += 2
            }
            // The longest name has ten bytes.
            var name = text[..<sign].suffix(12)
            if name.suffix(2).elementsEqual("[]".utf8) { name = name.dropLast(2) }
            let lowercased = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
            if passwordNames.contains(where: { lowercased.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
                return index
            }
        }
        return nil
    }

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
