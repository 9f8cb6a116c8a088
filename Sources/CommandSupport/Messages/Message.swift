internal import Encodings
package import Fetching

/// Messages on standard error.
///
/// The format is `pinctl: error: WHAT: WHY`, then `pinctl: hint: …` if there is a next step: lower case, no full stop, with what was
/// given and what was expected. Text from outside is quoted, and its control characters are escaped.
package enum Message {
    package static func error(_ text: String, hint: String? = nil) -> String {
        line("error", text) + (hint.map { line("hint", $0) } ?? "")
    }

    /// An error about one host. The host is named once: before the text, unless the text contains it.
    package static func error(about target: Target, _ text: String, hint: String? = nil) -> String {
        let name = target.description
        return error(text.has(name) ? text : "\(name): \(text)", hint: hint)
    }

    package static func warning(_ text: String, hint: String? = nil) -> String {
        line("warning", text) + (hint.map { line("hint", $0) } ?? "")
    }

    /// Information about what pinctl did.
    package static func note(_ text: String) -> String { line("note", text) }

    /// A next step that refers to a whole report.
    package static func hint(_ text: String) -> String { line("hint", text) }

    /// The last line of a run, which summarizes it.
    package static func closing(_ text: String) -> String {
        "pinctl: \(text.withoutUserInfoInURLs.escaped)\n"
    }

    /// The message of a successful command that lists what it wrote.
    ///
    /// - Parameter count: Number of files, if `path` is a folder.
    package static func wrote(_ path: String, files count: Int? = nil) -> String {
        closing("wrote \(path)" + (count.map { $0 == 1 ? " (1 file)" : " (\($0) files)" } ?? ""))
    }

    /// The last line of a run whose report was not written completely.
    ///
    /// - Parameter loss: what happened to standard output, as a clause.
    package static func incomplete(_ loss: String) -> String { closing("the result is incomplete: \(loss)") }

    private static func line(_ kind: String, _ text: String) -> String {
        "pinctl: \(kind): \(text.withoutUserInfoInURLs.escaped)\n"
    }
}
