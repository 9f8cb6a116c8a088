internal import Encodings
package import Pinning
internal import XMLDocuments

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
        var parts = comment.parts(separatedByBytes: "; ").map { String($0) }
        notAfter = parts.last.flatMap(Self.notAfter(in:))
        if notAfter != nil { parts.removeLast() }
        state = parts.last == Self.backup ? .backup : .active
        if state == .backup || parts.last == Self.active && Self.isAppendedPart(parts.dropLast().last) {
            parts.removeLast()
        }
        let label = parts.joined(separator: "; ")
        self.label = label.isEmpty ? nil : label
    }

    /// The notes with the label of another comment, if they have none: a comment of a person stays beside a pin without a label.
    package func keepingLabel(of other: PinComment?) -> PinComment {
        PinComment(label: label ?? other?.label, state: state, notAfter: notAfter)
    }

    private init(label: String?, state: PinSet.State, notAfter: Timestamp?) {
        (self.label, self.state, self.notAfter) = (label, state, notAfter)
    }

    /// The comment in one line; nil if there are no notes. It omits characters that could end the comment or hide the text after
    /// it.
    ///
    /// A label can end like an appended part, because a certificate can contain any name. The state `active` then follows it, so that
    /// the end of the label is neither a state nor a date.
    package var text: String? {
        let label = label.map(Self.sanitized).flatMap { $0.isEmpty ? nil : $0 }
        let written = PinComment(label: label, state: state == .backup ? .backup : .active, notAfter: notAfter)
        let text = written.joined(isActiveNamed: false)
        return PinComment(text) == written ? (text.isEmpty ? nil : text) : written.joined(isActiveNamed: true)
    }

    private func joined(isActiveNamed: Bool) -> String {
        var parts = [label].compactMap(\.self)
        if state == .backup { parts.append(Self.backup) }
        if state != .backup, isActiveNamed { parts.append(Self.active) }
        if let notAfter { parts.append(Self.end + notAfter.spelled) }
        return parts.joined(separator: "; ")
    }

    /// The comment as a format has it after writing; nil if the format has no comment for the pin.
    ///
    /// - Parameter isMarkup: whether the comment follows the rules of XML.
    func written(isMarkup: Bool) -> PinComment? { (isMarkup ? markup : text).map { PinComment($0) } }

    /// ``text`` with the changes that XML comments require; nil if no text remains.
    package var markup: String? { text.flatMap(XMLText.label(ofComment:)) }

    private static let backup = "backup"
    private static let active = "active"
    private static let end = "notAfter "

    /// The date in a part such as `notAfter 2035-06-04`.
    private static func notAfter(in part: String) -> Timestamp? {
        part.hasPrefix(end) ? Timestamp(rfc3339: part.dropFirst(end.count)) : nil
    }

    private static func isAppendedPart(_ part: String?) -> Bool {
        part.map { $0 == backup || $0 == active || notAfter(in: $0) != nil } ?? false
    }

    private static func sanitized(_ label: String) -> String {
        // In C, a backslash at the end of a line joins it with the next line. In Java, a backslash begins an escape, even in a
        // comment. Without the backslashes, no search would find some private keys, and others are whole only without these characters.
        let kept = label.withoutWholePrivateKeys.unicodeScalars.filter {
            $0 != "\\" && !$0.isInvisible && ![.privateUse, .unassigned].contains($0.properties.generalCategory)
        }
        // Readers replace white space by one space.
        return kept.split { $0.properties.isWhitespace }.map { String(Substring($0)) }.joined(separator: " ")
            .withoutWholePrivateKeys.withoutLogCommands
    }
}
