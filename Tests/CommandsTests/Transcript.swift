import Foundation

/// Runs of pinctl as plain text: commands with their input and output.
///
/// The first character of a line is its type:
///
///     # a comment
///     + hosts.txt                 a file for the commands below it, and its lines
///     | example.com
///     $ NO_COLOR=1 pinctl fetch   a command, after its environment variables, in the syntax of a shell
///     < example.com               a line of its standard input
///     > example.com:443           a line of its standard output, which is given completely
///     ! pinctl: error: …          a line of its standard error
///     ? 2                         its exit status if it is not 0
///
/// `$NAME` in a command or a file is a placeholder for a value that changes from run to run. In the output, the value is replaced
/// by the placeholder.
struct Transcript {
    enum Item: Equatable {
        /// Comments and blank lines.
        case text(String)
        case file(name: String, lines: [String])
        case step(Step)
    }

    struct Step: Equatable {
        /// Line number of the command in the transcript.
        let line: Int
        let command: String
        var input: [String] = []
        var result = Result()
    }

    struct Result: Equatable {
        var output: [String] = []
        var errors: [String] = []
        var status: Int32 = 0
    }

    struct SyntaxError: Error, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    var items: [Item] = []
}

extension Transcript {
    init(_ text: String) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            let number = index + 1
            let rest = String(line.dropFirst(2))
            switch line.first {
            case nil, "#": items.append(.text(line))
            case "+": items.append(.file(name: rest, lines: []))
            case "$": items.append(.step(Step(line: number, command: rest)))
            case "|":
                guard case .file(let name, let lines) = items.last else {
                    throw SyntaxError(line: number, reason: "there is no file that this line belongs to")
                }
                items[items.count - 1] = .file(name: name, lines: lines + [rest])
            case let mark?:
                guard case .step(var step) = items.last else {
                    throw SyntaxError(line: number, reason: "there is no command that this line belongs to")
                }
                switch mark {
                case "<": step.input.append(rest)
                case ">": step.result.output.append(rest)
                case "!": step.result.errors.append(rest)
                case "?":
                    guard let status = Int32(rest) else {
                        throw SyntaxError(line: number, reason: "\"\(rest)\" is no status")
                    }
                    step.result.status = status
                default: throw SyntaxError(line: number, reason: "\"\(mark)\" begins no line")
                }
                items[items.count - 1] = .step(step)
            }
        }
    }

    var text: String {
        var lines: [String] = []
        for item in items {
            switch item {
            case .text(let line): lines.append(line)
            case .file(let name, let contents): lines += ["+ \(name)"] + Self.marked("|", contents)
            case .step(let step): lines += ["$ \(step.command)"] + Self.marked("<", step.input) + step.result.lines
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    fileprivate static func marked(_ mark: Character, _ lines: [String]) -> [String] {
        lines.map { $0.isEmpty ? String(mark) : "\(mark) \($0)" }
    }
}

extension Transcript.Result {
    /// The lines of a transcript.
    var lines: [String] {
        Transcript.marked(">", output) + Transcript.marked("!", errors) + (status == 0 ? [] : ["? \(status)"])
    }

    /// The lines of a stream. A last line without a line feed is marked.
    static func lines(of text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        guard text.hasSuffix("\n") else { return Self.lines(of: text + "\n") + ["(no end of line)"] }
        return text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The missing and the unexpected lines in their context; nil if there is no difference.
    func difference(from expected: Self) -> String? {
        guard self != expected else { return nil }
        var shown = expected.lines.map { "  \($0)" }
        var result: [String] = []
        let changes = lines.difference(from: expected.lines)
        for case .remove(let offset, let line, _) in changes.removals { shown[offset] = "- \(line)" }
        var insertions = changes.insertions[...]
        for line in shown {
            while case .insert(let offset, let new, _)? = insertions.first,
                offset == result.count(where: { !$0.hasPrefix("- ") })
            {
                result.append("+ \(new)")
                insertions.removeFirst()
            }
            result.append(line)
        }
        for case .insert(_, let new, _) in insertions { result.append("+ \(new)") }
        return result.joined(separator: "\n")
    }
}

extension Transcript.Step {
    /// The variables and the arguments of the command.
    func parsed(replacing placeholders: [String: String]) throws -> (environment: [String: String], words: [String]) {
        var words = try self.words(replacing: placeholders)
        var environment: [String: String] = [:]
        while let word = words.first, let equals = word.firstIndex(of: "="), word.first?.isUppercase == true {
            environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
            words.removeFirst()
        }
        guard words.first == "pinctl" else {
            throw Transcript.SyntaxError(line: line, reason: "a command begins with pinctl")
        }
        return (environment, Array(words.dropFirst()))
    }

    private func words(replacing placeholders: [String: String]) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = command[...]
        while let character = rest.popFirst() {
            switch (character, quote) {
            case (let end, let start?) where end == start: quote = nil
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (" ", nil):
                if let word { words.append(word) }
                word = nil
            case ("\\", nil), ("\\", "\""): word = (word ?? "") + String(rest.popFirst() ?? "\\")
            case ("$", nil), ("$", "\""):
                let name = String(rest.prefix { $0.isUppercase })
                guard let value = placeholders[name] else {
                    throw Transcript.SyntaxError(line: line, reason: "there is no placeholder $\(name)")
                }
                rest = rest.dropFirst(name.count)
                word = (word ?? "") + value
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
