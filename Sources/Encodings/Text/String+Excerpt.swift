extension String {
    /// The text for a message: in double quotes, truncated after 80 characters, with escaped control characters so that input cannot
    /// control the terminal.
    package var quotedExcerpt: String {
        var output = "\""
        var count = 0
        for scalar in unicodeScalars {
            guard count < 80 else {
                output += "…"
                break
            }
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
            count += 1
        }
        return output + "\""
    }
}

extension String {
    /// The text, cut to 60 characters if it is longer than 80 bytes.
    package var bounded: String { utf8.count <= 80 ? self : String(prefix(60)) + "…" }
}
