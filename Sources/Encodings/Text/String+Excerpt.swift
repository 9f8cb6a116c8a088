extension String {
    /// The text for a message: in double quotes, truncated after 80 characters, with escaped control characters so that input cannot
    /// control the terminal, and without private keys and the users and passwords of URLs.
    package var quotedExcerpt: String {
        // The part of a URL that is shown may end before the @ that follows a password.
        if unicodeScalars.prefix(80).contains(":"), utf8.prefix(Self.maximumURLLength).contains(UInt8(ascii: "@")) {
            let text = String(unicodeScalars.prefix(Self.maximumURLLength)).withoutUserInfoInURLs
            if !unicodeScalars.starts(with: text.unicodeScalars) { return text.quotedExcerpt }
        }
        let excerpt = String(String.UnicodeScalarView(unicodeScalars.prefix(80))).withoutPrivateKeys
        var output = ""
        for scalar in excerpt.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
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
        }
        let isWhole = unicodeScalars.dropFirst(80).isEmpty || output.hasSuffix("…")
        return "\"\(output)\(isWhole ? "" : "…")\""
    }

    /// Maximum number of characters that are searched for a URL with a password.
    private static let maximumURLLength = 65_536
}

extension String {
    /// The text, cut to 60 characters if it is longer than 80 bytes.
    package var bounded: String { utf8.count <= 80 ? self : String(prefix(60)) + "…" }
}
