extension String {
    /// The text for a message: in double quotes, truncated after 80 characters, with escaped control characters so that input cannot
    /// control the terminal, and without private keys.
    package var quotedExcerpt: String {
        var output = ""
        for scalar in unicodeScalars.prefix(80) {
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
        let shown = output.withoutPrivateKeys
        let isWhole = unicodeScalars.dropFirst(80).isEmpty || shown.hasSuffix("…")
        return "\"\(shown)\(isWhole ? "" : "…")\""
    }
}

extension String {
    /// The text, cut to 60 characters if it is longer than 80 bytes.
    package var bounded: String { utf8.count <= 80 ? self : String(prefix(60)) + "…" }
}
