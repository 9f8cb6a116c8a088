extension String {
    /// The text in a form that is safe to print on a terminal and in the log of a CI service.
    ///
    /// Escapes characters as Swift does. A terminal interprets some characters or does not show them (control characters, format
    /// characters, line separators). They are escaped, so that no input can move the cursor, change colours or overwrite the
    /// message. CI services recognize a command by marks such as `##[` and `##vso[` (``LogCommand``), and the runner of GitHub Actions by
    /// `::` at the start if another `::` follows (ActionCommand.TryParseV2 in its source). In such a text, one character of the mark is
    /// escaped. All other characters stay unchanged.
    ///
    /// All text from outside passes this function or `JSONWriter`, so both leave out private keys (``withoutWholePrivateKeys``).
    package var escaped: String { withoutWholePrivateKeys.withEscapes }

    private var withEscapes: String {
        guard unicodeScalars.contains(where: { $0.isInvisible || $0 == "#" || $0 == ":" }) else { return self }
        var text = ""
        var previous: Unicode.Scalar?
        let commandStart = startOfCommand
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "#" where LogCommand.isMark(after: previous, unicodeScalars[index...].dropFirst()): text += scalar.code
            case ":" where index == commandStart: text += scalar.code
            case _ where scalar.isInvisible: text += scalar.code
            default: text.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return text
    }

    /// The index of the `::` that begins a workflow command; nil if the text is not a command.
    private var startOfCommand: String.Index? {
        let text = unicodeScalars.drop { $0.properties.isWhitespace }
        guard text.first == ":", text.dropFirst().first == ":" else { return nil }
        let rest = text.dropFirst(2)
        return zip(rest, rest.dropFirst()).contains { $0 == ":" && $1 == ":" } ? text.startIndex : nil
    }

    /// The text with only the escape of a `::` that begins a workflow command.
    var withEscapedCommand: String {
        guard let index = startOfCommand else { return self }
        let colon: Unicode.Scalar = ":"
        return String(unicodeScalars[..<index]) + colon.code + String(unicodeScalars[index...].dropFirst())
    }

    /// The text in double quotes, with the escapes of ``escaped``.
    package var quoted: String { "\"\(escaped)\"" }
}

extension Unicode.Scalar {
    fileprivate var code: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
