internal import Arguments
internal import Fetching

/// What pinctl says on standard error.
///
/// The voice: `pinctl: error: …`, then `pinctl: hint: …` where there is a next step. Lower case, no full stop; what was
/// given and what was expected; never a usage dump, and never a library's debug text as the whole message. Text from
/// outside is quoted, and its control characters are escaped.
enum Message {
    static func error(_ text: String, hint: String? = nil) -> String {
        line("error", text) + (hint.map { line("hint", $0) } ?? "")
    }

    /// An error of one host, which is named once: here, unless the text names it already.
    static func error(about target: Target, _ text: String, hint: String? = nil) -> String {
        let name = target.description
        return error(text.contains(name) ? text : "\(name): \(text)", hint: hint)
    }

    static func warning(_ text: String, hint: String? = nil) -> String {
        line("warning", text) + (hint.map { line("hint", $0) } ?? "")
    }

    /// What was done, where standard output has something else to say.
    static func note(_ text: String) -> String { line("note", text) }

    /// A next step alone, where a report has told what it is about.
    static func hint(_ text: String) -> String { line("hint", text) }

    /// The last line of a run, which says what it all comes to.
    static func closing(_ text: String) -> String { "pinctl: \(text.escaped)\n" }

    private static func line(_ kind: String, _ text: String) -> String {
        "pinctl: \(kind): \(text.escaped)\n"
    }
}
