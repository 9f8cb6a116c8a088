internal import Encodings

/// Text from outside in GitHub Flavored Markdown.
///
/// The text has no effect on the structure of the document, and is neither a link nor a reference. So it cannot mention a person or close
/// an issue. GitHub and GitLab search the rendered text for references, and GitLab also searches the source for "closes #1"
/// (GitLab documentation, "Default closing pattern"). A backslash does not prevent that. So a zero-width space follows each
/// character that begins a reference.
package enum MarkdownText {
    package static func escaped(_ text: String) -> String {
        let scalars = Array(text.escaped.unicodeScalars)
        var output = ""
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar {
            // GitLab replaces \n in the description of a push option by a line break.
            case "\\": output += "&bsol;"
            // GitHub recognizes formulas between dollar signs.
            case "$": output += "&dollar;"
            case _ where "`*_[]<>#|~&".unicodeScalars.contains(scalar):
                output += "\\"
                output.unicodeScalars.append(scalar)
            default: output.unicodeScalars.append(scalar)
            }
            if scalars.beginsReference(at: index) { output += "&ZeroWidthSpace;" }
        }
        return output
    }

    /// A host, a pin or another name as code, so that it can be copied. A name with other characters than these is escaped as text.
    package static func code(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCIIAlphanumeric || ".:-/+=[]*, ".unicodeScalars.contains(scalar)
        }
        return isPlain && !name.isEmpty && name.first != " " && name.last != " " ? "`\(name)`" : escaped(name)
    }
}

extension [Unicode.Scalar] {
    /// Whether the scalar at an index begins a reference that GitHub or GitLab recognizes, such as `@name`, `#1`, `!1`, `GH-1`,
    /// `JIRA-1`, `https://` or `www.` (GitLab documentation, "GitLab-specific references").
    func beginsReference(at index: Int) -> Bool {
        func next(_ offset: Int) -> Unicode.Scalar? {
            indices.contains(index + offset) ? self[index + offset] : nil
        }
        switch self[index] {
        case "@", "#", "!", "~", "%", "&", "$", "^":
            guard let following = next(1) else { return false }
            return !following.properties.isWhitespace
        case ":":
            // A scheme of a link, an issue such as [issue:1] and [work_item:1], or an emoji such as :smile:.
            guard next(1) != "/", !isTypeInBrackets(before: index) else { return true }
            let name = self[(index + 1)...].prefix { $0.isASCIIAlphanumeric || "_+-".unicodeScalars.contains($0) }
            return !name.isEmpty && next(name.count + 1) == ":" && !name.allSatisfy(\.isDigit)
        case "-": return next(1)?.isDigit == true && isKeyOfIssues(before: index)
        case "w", "W":
            return next(1) == "." && index >= 2 && self[(index - 2)..<index].allSatisfy { $0 == "w" || $0 == "W" }
        default: return false
        }
    }

    /// Whether the word before an index follows an opening bracket.
    private func isTypeInBrackets(before index: Int) -> Bool {
        let word = self[..<index].reversed().prefix { $0.isASCIIAlphanumeric || $0 == "_" }
        let start = index - word.count
        return !word.isEmpty && start > 0 && self[start - 1] == "["
    }

    /// Whether the word before an index is "GH" or the key of a Jira project, which has only capital letters, digits and "_".
    private func isKeyOfIssues(before index: Int) -> Bool {
        let word = self[..<index].reversed().prefix { $0.isASCIIAlphanumeric || $0 == "_" }
        let isKey =
            word.count >= 2 && !word.contains { ("a"..."z").contains($0) } && ("A"..."Z").contains(word.last ?? " ")
        return isKey || String(String.UnicodeScalarView(word)).lowercased() == "hg"
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isASCIIAlphanumeric: Bool { isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
