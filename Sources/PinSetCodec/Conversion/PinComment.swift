internal import Encodings
package import Pinning

/// Notes on a pin as a comment next to it: `ISRG Root X1; backup`.
package struct PinComment: Hashable {
    package let label: String?
    package let state: PinSet.State
    package let notAfter: Timestamp?

    package init(_ key: PinSet.PinnedKey) {
        (label, state, notAfter) = (key.label, key.state, key.notAfter)
    }

    /// Reads a comment without its delimiters. The label is the text without the parts that ``text`` appends.
    package init(_ comment: some StringProtocol) {
        var parts = comment.split(separator: "; ", omittingEmptySubsequences: false).map { String($0) }
        var notAfter: Timestamp?
        if let date = parts.last, date.hasPrefix(Self.end),
            let time = Timestamp(rfc3339: date.dropFirst(Self.end.count))
        {
            notAfter = time
            parts.removeLast()
        }
        let isBackup = parts.last == Self.backup
        if isBackup { parts.removeLast() }
        let label = parts.joined(separator: "; ")
        self.label = label.isEmpty ? nil : label
        self.notAfter = notAfter
        state = isBackup ? .backup : .active
    }

    /// The comment in one line; nil if there are no notes. It omits characters that could end the comment or hide the text after
    /// it.
    package var text: String? {
        var parts: [String] = []
        if let label { parts.append(Self.sanitized(label)) }
        if state == .backup { parts.append(Self.backup) }
        if let notAfter { parts.append(Self.end + notAfter.spelled) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Whether reading ``text`` returns the same comment.
    package var isPreserved: Bool {
        guard let text else { return true }
        return PinComment(text) == self
    }

    /// ``text`` with the changes that XML comments require; nil if no text remains.
    package var markup: String? { text.flatMap(XMLText.label(ofComment:)) }

    /// Whether reading ``markup`` returns the same comment.
    package var isPreservedInMarkup: Bool {
        guard let text else { return true }
        return PinComment(markup ?? "") == self && markup == text
    }

    private static let backup = "backup"
    private static let end = "notAfter "

    private static func sanitized(_ label: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in label.unicodeScalars {
            guard !scalar.isInvisible, ![.privateUse, .unassigned].contains(scalar.properties.generalCategory) else {
                continue
            }
            kept.append(scalar)
        }
        // In C, a backslash at the end of a line joins it with the next line. In Java, a backslash begins an escape, even in a
        // comment.
        let line = String(kept).split(separator: " ").joined(separator: " ").filter { $0 != "\\" }
        return line
    }
}
