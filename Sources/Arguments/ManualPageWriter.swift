internal import Encodings

/// Writes mdoc(7): a line that begins with a period is a macro, and all other lines are text.
struct ManualPageWriter {
    /// Maximum length of a line of text, which `mandoc -T lint` checks.
    private static let maximumLineLength = 78

    private(set) var text = ""
    /// Whether the section has no text yet, so that a paragraph macro is not allowed here.
    private var isAtStart = true

    mutating func begin(_ name: String, _ section: Int, tool: Tool, summary: String) {
        add(".Dd \(tool.date)")
        add(".Dt \(name.uppercased()) \(section)")
        add(".Os")
        add(".Sh NAME")
        add(".Nm \(name)")
        add(".Nd \(Self.escaped(summary))")
    }

    mutating func section(_ title: String) {
        add(".Sh \(Self.escaped(title))")
        isAtStart = true
    }

    mutating func paragraph(_ text: String) {
        if !isAtStart { add(".Pp") }
        line(text)
    }

    /// A line of text. Sentences begin on lines of their own, so that a formatter can put the correct space between them.
    mutating func line(_ text: String) {
        for sentence in Self.sentences(in: text) {
            let words = Self.escaped(sentence).split(separator: " ").map(String.init)
            for line in HelpLayout.wrap(words, width: Self.maximumLineLength) { add(Self.protected(line)) }
        }
        isAtStart = false
    }

    /// - Parameters:
    ///   - isMarkup: whether the argument begins with another macro, whose argument is the rest.
    ///   - isOneWord: whether spaces in the argument belong to it.
    mutating func macro(
        _ name: String, _ argument: String, _ more: [String] = [], isMarkup: Bool = false, isOneWord: Bool = false
    ) {
        let escaped = isMarkup || argument.begins(with: "-") ? argument : Self.escaped(argument)
        let words = [isOneWord ? "\"\(escaped)\"" : escaped] + more.map(Self.escaped)
        add(".\(name) \(words.joined(separator: " "))")
        isAtStart = false
    }

    /// A list of terms, each with a text below it.
    mutating func list(_ body: (inout ManualPageWriter) -> Void) {
        add(".Bl -tag -width Ds")
        body(&self)
        add(".El")
        isAtStart = false
    }

    mutating func item(_ macro: String, _ term: String) {
        add(".It \(macro) \(term.split(separator: " ").map { Self.escaped(String($0)) }.joined(separator: " "))")
    }

    mutating func item(_ option: OptionDeclaration) {
        let short = option.short.map { "Fl \($0) , " } ?? ""
        let value = option.value.map { " Ar \(Self.escaped($0.placeholder))" } ?? ""
        add(".It \(short)Fl -\(Self.escaped(option.name))\(value)")
    }

    /// Lines to copy, which are not wrapped.
    mutating func literal(_ lines: [String]) {
        add(".Bd -literal -offset indent")
        for line in lines { add(Self.protected(Self.escaped(line))) }
        add(".Ed")
        isAtStart = false
    }

    /// The section that names other pages, in the order of section and name.
    mutating func references(_ pages: [(name: String, section: Int)]) {
        let sorted = pages.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        guard let last = sorted.last else { return }
        section("SEE ALSO")
        for page in sorted.dropLast() { add(".Xr \(page.name) \(page.section) ,") }
        add(".Xr \(last.name) \(last.section)")
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    /// Divides a text after each full stop that ends a sentence.
    private static func sentences(in text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            sentence += sentence.isEmpty ? String(word) : " \(word)"
            if word.last == "." || word.hasSuffix(".)") {
                sentences.append(sentence)
                sentence = ""
            }
        }
        return sentence.isEmpty ? sentences : sentences + [sentence]
    }

    /// Text in which no character is markup. A hyphen stays an ASCII hyphen, so that it can be copied to a command line.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
        return result
    }

    /// A line of text that does not look like a macro.
    private static func protected(_ line: String) -> String { line.first == "." ? "\\&" + line : line }
}
