/// A command line for a POSIX shell (XCU, section 2.2), for messages that people copy.
package enum ShellCommand {
    /// Joins words to a command line. A word is quoted only if the shell would change or split it.
    package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        if !word.isEmpty, !word.hasPrefix("="), word.unicodeScalars.allSatisfy({ isLiteral($0) }) { return word }
        guard word.unicodeScalars.contains(where: \.isInvisible) else {
            return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        // A message would contain another escape of these characters, which names another file.
        return "$'" + word.unicodeScalars.map(dollarQuoted).joined() + "'"
    }

    /// Whether no shell interprets the character. A tilde or a hash may have a meaning at the start of a word.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return !scalar.isInvisible && !scalar.properties.isWhitespace }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercased)
            || "_-./:,@%+=".utf8.contains(byte)
    }

    /// A character in `$'…'` (XCU, section 2.2.4).
    private static func dollarQuoted(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
        guard scalar.isInvisible else { return String(scalar) }
        return UTF8.encode(scalar).map { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 8)
                return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }.joined()
        } ?? ""
    }
}
