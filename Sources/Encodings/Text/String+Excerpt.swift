extension String {
    /// The text for a message: in double quotes, truncated after 80 characters, with escaped control characters and marks of commands
    /// (``LogCommand``) so that input controls neither the terminal nor a CI service, and without private keys, the values of parameters
    /// for passwords, and the users and passwords of URLs and of a text such as `user:password@host`.
    package var quotedExcerpt: String {
        // The part of a URL that is shown may end before the @ that follows a password.
        if unicodeScalars.prefix(80).contains(where: { $0 == ":" || $0 == "%" }),
            utf8.prefix(Self.maximumURLLength).hasAtSign
        {
            let start = String(unicodeScalars.prefix(Self.maximumURLLength))
            let isWord = !start.utf8.contains(where: \.isWhiteSpace)
            for text in [start.withoutUserInfoInURLs] + (isWord ? [start.withoutUserInfo] : [])
            where !unicodeScalars.starts(with: text.unicodeScalars) { return text.quotedExcerpt }
        }
        // A key is recognized by characters that can be after the end of the excerpt.
        let start = searchedStart.withoutPrivateKeys
        // The sign after the name of a parameter can be percent-encoded.
        let hasParameters = start.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "%") }
        let shown = hasParameters ? start.withoutPasswordParametersInside : start
        var output = ""
        let excerpt = shown.unicodeScalars.prefix(80)
        var previous: Unicode.Scalar?
        for (index, scalar) in zip(excerpt.indices, excerpt) {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "#" where LogCommand.isMark(after: previous, excerpt[index...].dropFirst()):
                output += "\\u{23}"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                if scalar.isInvisible || [.privateUse, .unassigned].contains(scalar.properties.generalCategory) {
                    output += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
            previous = scalar
        }
        let isWhole =
            shown.unicodeScalars.dropFirst(80).isEmpty && unicodeScalars.dropFirst(Self.searchedLength).isEmpty
            || output.ends(with: "…")
        return "\"\(output)\(isWhole ? "" : "…")\""
    }

    /// Maximum number of characters that are searched for a URL with a password.
    private static let maximumURLLength = 65_536

    /// A name from outside, such as a host, as part of a sentence: ``quotedExcerpt`` without the quotes, and without a user and a
    /// password. A host name of at most 80 characters stays as it is.
    package var nameExcerpt: String {
        let quoted = withoutUserInfo.quotedExcerpt.unicodeScalars
        return String(String.UnicodeScalarView(quoted.dropFirst().dropLast()))
    }
}

extension String {
    /// Bytes in double quotes, with the escapes of ``escaped``, and `\xHH` for each byte that is not part of UTF-8.
    package static func quoted(invalidUTF8 bytes: [UInt8]) -> String {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var index = 0
        var output = ""
        var valid = ""
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                valid.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                index += encoded.count
            case .error(let length):
                let invalid = bytes[index...].prefix(length)
                output += valid.escaped + invalid.map { "\\x" + Hex.encode([$0]) }.joined()
                valid = ""
                index += length
            case .emptyInput: return "\"\(output)\(valid.escaped)\""
            }
        }
    }

    /// ``quotedExcerpt`` without the quotes.
    package var excerpt: String {
        // A quote and the first character of the text can be one Character.
        String(String.UnicodeScalarView(quotedExcerpt.unicodeScalars.dropFirst().dropLast()))
    }

    /// The text, cut to 60 characters if it is longer than 80 bytes, without the private keys that are recognized only by characters after
    /// the cut. A longer secret of the run stays, because the text of a server is masked as a whole (`SecretTexts`).
    package var bounded: String {
        utf8.count <= 80 ? self : String(searchedStart.withoutWholePrivateKeys.unicodeScalars.prefix(60)).asStart
    }

    /// The characters that are searched for a private key, because the search takes more time than a pass over the text. The JWK of an
    /// RSA key of 16,384 bits fits in them.
    private var searchedStart: String {
        utf8.count <= Self.searchedLength
            ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(Self.searchedLength)))
    }

    private static let searchedLength = 16_384

    /// The text as the start of a longer one: with `…` at its end, which also replaces a user and a password of a URL whose `@` may
    /// follow. Other URLs stay.
    package var asStart: String {
        let (shown, hidden) = ("\(withoutUserInfoInURLs)@", "\(self)@".withoutUserInfoInURLs)
        guard !shown.utf8.elementsEqual(hidden.utf8) else { return self + "…" }
        let start = String(hidden.unicodeScalars.dropLast())
        return start.ends(with: "…") ? start : start + "…"
    }

    /// The text of a file without private keys and long digits, cut to 60 characters if it is longer than 80 bytes.
    package var boundedWithoutPrivateKeys: String {
        let start = searchedStart.withoutPrivateKeys
        return start.utf8.count <= 80 && unicodeScalars.dropFirst(Self.searchedLength).isEmpty
            ? start : String(start.unicodeScalars.prefix(60)).asStart
    }
}
