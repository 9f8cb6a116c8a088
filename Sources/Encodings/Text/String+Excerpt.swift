extension String {
    /// What was typed or read, for a message: in double quotes, control characters escaped (a file must not be able to drive
    /// the terminal), cut after 80 characters.
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
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    output += "\\u{\(String(scalar.value, radix: 16))}"
                default:
                    output.unicodeScalars.append(scalar)
                }
            }
            count += 1
        }
        return output + "\""
    }
}
