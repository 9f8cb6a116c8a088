internal import Encodings

/// The lines of a shell script or configuration file, split into words. A backslash before a line break joins two lines.
struct CommandLines {
    struct Line {
        /// The number of the line, from 1.
        let number: Int
        let words: [String]
        /// The text after `#`, if the line contains only a comment.
        let comment: String?
        /// The first of the joined lines, without white space at its start and without its line break; empty for a further command
        /// of the line.
        let source: [UInt8]
    }

    let lines: [Line]

    init(_ bytes: [UInt8]) {
        var lines: [Line] = []
        var joined: [UInt8] = []
        var first: (number: Int, source: [UInt8])?
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = line.trimmed
            first = first ?? (index + 1, Self.source(line))
            if text.last == UInt8(ascii: "\\") {
                joined += text.dropLast() + [UInt8(ascii: " ")]
                continue
            }
            joined += text
            if let first, !joined.isEmpty { lines += Self.commands(joined, first.number, first.source) }
            (joined, first) = ([], nil)
        }
        if let first, !joined.isEmpty { lines += Self.commands(joined, first.number, first.source) }
        self.lines = lines
    }

    private static func source(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let text = line.drop(while: \.isWhiteSpace)
        return Array(text.last == UInt8(ascii: "\r") ? text.dropLast() : text)
    }

    /// The commands of a line, which signs of the shell separate. The first one has the source.
    private static func commands(_ text: [UInt8], _ number: Int, _ source: [UInt8]) -> [Line] {
        guard text.first != UInt8(ascii: "#") else {
            let comment = String(decoding: text.dropFirst().trimmed, as: UTF8.self)
            return [Line(number: number, words: [], comment: comment, source: source)]
        }
        var commands: [[String]] = [[]]
        for word in text.split(whereSeparator: \.isWhiteSpace) {
            // The rest is a comment.
            guard word.first != UInt8(ascii: "#") else { break }
            let isSign = word.allSatisfy { ";&|".utf8.contains($0) }
            if !isSign {
                let end = word.last == UInt8(ascii: ";") ? word.dropLast() : word
                commands[commands.count - 1].append(unquoted(end))
            }
            if isSign || word.last == UInt8(ascii: ";") { commands.append([]) }
        }
        return commands.enumerated().filter { $0 == 0 || !$1.isEmpty }.map { index, words in
            Line(number: number, words: words, comment: nil, source: index == 0 ? source : [])
        }
    }

    /// A word without the quotes around it. A quote inside a word is kept.
    private static func unquoted(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.drop { isQuote($0) }.reversed().drop { isQuote($0) }.reversed(), as: UTF8.self)
    }

    private static func isQuote(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }
}

extension CommandLines.Line {
    /// The values of an option: `--name VALUE`, `--name=VALUE`, and `name = VALUE` in a configuration file.
    func values(of name: String) -> [String] {
        var values: [String] = []
        for (index, word) in words.enumerated() {
            let option = word.without(prefix: "--").map(String.init) ?? (index == 0 ? word : "")
            if option == name {
                let next = words.dropFirst(index + 1).first { $0 != "=" }
                if let next { values.append(next) }
            } else if let text = option.without(prefix: name + "=") {
                let value = text.unicodeScalars.drop { $0 == "\"" || $0 == "'" }
                if !value.isEmpty {
                    values.append(String(value))
                } else if let next = words.dropFirst(index + 1).first {
                    values.append(next)
                }
            }
        }
        return values
    }

    /// The words that are neither options nor values of options, up to a sign of the shell.
    ///
    /// - Parameter hasValue: whether the word after an option is its value.
    func operands(after index: Int, where hasValue: (String) -> Bool) -> [String] {
        var operands: [String] = []
        var isValue = false
        for word in words.dropFirst(index + 1) {
            if isValue {
                isValue = false
            } else if "|;&><)".contains(where: { word.begins(with: String($0)) }) {
                break
            } else if word.begins(with: "-") {
                isValue = !word.has("=") && hasValue(word)
            } else {
                operands.append(word)
            }
        }
        return operands
    }

    /// The host in a comment `# host: NAME`, as pinctl writes it.
    var commentedHost: String? {
        guard let name = comment?.without(prefix: "host:")?.unicodeScalars.drop(while: { $0 == " " }) else {
            return nil
        }
        return name.isEmpty || name.contains(where: \.properties.isWhitespace) ? nil : String(name)
    }
}
