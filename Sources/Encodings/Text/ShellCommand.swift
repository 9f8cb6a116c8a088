/// A command line for a POSIX shell (XCU, section 2.2), for messages that people copy.
///
/// No word adds a command in bash, dash, zsh or fish. A word with an invisible character is written as `$'…'`, which only bash and zsh
/// read; dash and fish read another word, or report an error.
package enum ShellCommand {
    /// Joins words to a command line. A word is quoted only if the shell would change or split it.
    package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// The words, then the operands, after `--` if one of them looks like an option.
    package static func line(_ words: [String], operands: [String]) -> String {
        line(words + (operands.contains { $0.begins(with: "-") && $0 != "-" } ? ["--"] : []) + operands)
    }

    /// A path as a word that does not look like an option. `-` is standard input.
    package static func path(_ path: String) -> String { path.begins(with: "-") && path != "-" ? "./" + path : path }

    private static func quoted(_ word: String) -> String {
        if !word.isEmpty, !word.begins(with: "="), word.unicodeScalars.allSatisfy({ isLiteral($0) }) { return word }
        guard word.unicodeScalars.contains(where: \.isInvisible) else { return singleQuoted(word) }
        // A message would contain another escape of these characters, which names another file.
        return "$'" + word.unicodeScalars.map(dollarQuoted).joined() + "'"
    }

    /// The word in single quotes. An apostrophe and a backslash are outside of the quotes, after a backslash: in fish, a backslash also
    /// escapes both of them inside the quotes.
    private static func singleQuoted(_ word: String) -> String {
        guard !word.isEmpty else { return "''" }
        var output = ""
        var isQuoted = false
        var previous: Unicode.Scalar?
        for (index, scalar) in zip(word.unicodeScalars.indices, word.unicodeScalars) {
            let needsBackslash = scalar == "'" || scalar == "\\"
            // An escape of the message would name another file, so the quotes divide the mark of a command.
            let endsQuotes =
                scalar == "#" && LogCommand.isMark(after: previous, word.unicodeScalars[index...].dropFirst())
            if isQuoted, needsBackslash || endsQuotes {
                output += "'"
                isQuoted = false
            }
            if needsBackslash {
                output += "\\"
            } else if !isQuoted {
                output += "'"
                isQuoted = true
            }
            output.unicodeScalars.append(scalar)
            previous = scalar
        }
        return isQuoted ? output + "'" : output
    }

    /// Whether no shell interprets the character. A tilde or a hash may have a meaning at the start of a word.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return !scalar.isInvisible && !scalar.properties.isWhitespace }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercased)
            || "_-./:,@%+=".utf8.contains(byte)
    }

    /// A character in `$'…'` (XCU, section 2.2.4). An apostrophe and a backslash are numbers, because dash, which has no `$'…'`, would end
    /// the quotes at an apostrophe. A number also divides the mark of a command.
    private static func dollarQuoted(_ scalar: Unicode.Scalar) -> String {
        guard scalar.isInvisible || scalar == "'" || scalar == "\\" || scalar == "#" else { return String(scalar) }
        return UTF8.encode(scalar).map { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 8)
                return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }.joined()
        } ?? ""
    }
}
