/// The marks by which a CI service finds a command anywhere in a line of a log: `##[` (GitHub Actions, ActionCommand.TryParse),
/// `##vso[` and `##[` (Azure Pipelines, "Logging commands"), and `##teamcity[` (TeamCity, "Service Messages").
package enum LogCommand {
    /// Whether a `#` is the second one of such a mark, so that another form of it hides the mark.
    ///
    /// - Parameters:
    ///   - previous: the character before the `#`.
    ///   - rest: the text after the `#`.
    package static func isMark(after previous: Unicode.Scalar?, _ rest: some Sequence<Unicode.Scalar>) -> Bool {
        guard previous == "#" else { return false }
        return rest.first { !("a"..."z").contains($0) && !("A"..."Z").contains($0) } == "["
    }
}

extension String {
    /// The text with a space inside each mark of a command, for text without escapes, such as a comment.
    package var withoutLogCommands: String {
        guard has("##") else { return self }
        var output = ""
        var previous: Unicode.Scalar?
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            if scalar == "#", LogCommand.isMark(after: previous, unicodeScalars[index...].dropFirst()) { output += " " }
            output.unicodeScalars.append(scalar)
            previous = scalar
        }
        return output
    }
}
