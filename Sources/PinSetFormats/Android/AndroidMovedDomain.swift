internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// A `domain` that moves to another `domain-config`. It keeps its attributes and the comment beside it.
struct AndroidMovedDomain {
    private let layout: TextLayout
    /// The element with its changes.
    private let text: String
    private let element: Range<Int>
    /// The comment of the element; nil without one.
    private let comment: Range<Int>?

    /// - Parameters:
    ///   - subdomains: the setting of the entry for the domain; nil to keep the setting of the file.
    ///   - inheritsSubdomains: whether a program reads a domain without the setting as one with subdomains at its new place.
    ///   - host: the host to write in place of that of the file; nil to keep it.
    ///   - comments: the comments of elements, by the offsets of the elements.
    init(
        _ domain: AndroidConfiguration.Domain, subdomains: PinSet.Subdomains?, inheritsSubdomains: Bool, host: String?,
        comments: [Int: Range<Int>], _ layout: TextLayout
    ) {
        self.layout = layout
        let element = domain.element
        self.element = element.range
        comment = comments[element.range.lowerBound]
        var edits: [TextEdit] = []
        let includes = subdomains.map { $0 != .none } ?? domain.includesSubdomains
        let isImplicit = element.attribute("includeSubdomains") == nil
        if includes != domain.includesSubdomains || !includes && isImplicit && inheritsSubdomains {
            let value = includes ? "true" : "false"
            edits += [element.edit(setting: "includeSubdomains", to: value, in: layout.bytes)].compactMap(\.self)
        }
        if let host { edits.append(TextEdit(range: element.inner, text: host)) }
        let start = element.range.lowerBound
        let bytes = TextEdit.applied(
            edits.map { TextEdit(range: $0.range.lowerBound - start..<$0.range.upperBound - start, text: $0.text) },
            to: Array(layout.bytes[element.range]))
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The comments of the domains of a part, by the offsets of the domains.
    static func comments(of part: AndroidConfiguration.Part, in bytes: [UInt8]) -> [Int: Range<Int>] {
        var comments: [Int: Range<Int>] = [:]
        for child in part.element.labelledChildren(in: bytes) where child.element.localName == "domain" {
            comments[child.element.range.lowerBound] = child.labelRange
        }
        return comments
    }

    /// The element and its comment, with the indentation of each line but the first one.
    func lines(indentation: String) -> String {
        guard let comment else { return text }
        let note = String(decoding: layout.bytes[comment], as: UTF8.self)
        if comment.lowerBound > element.lowerBound { return "\(text) \(note)" }
        return note + layout.lineEnd + indentation + text
    }

    /// The edits that remove the element and its comment.
    var removals: [TextEdit] {
        guard let comment else { return [TextEdit(range: layout.removal(of: element), text: "")] }
        let first = min(element.lowerBound, comment.lowerBound)..<min(element.upperBound, comment.upperBound)
        let last = max(element.lowerBound, comment.lowerBound)..<max(element.upperBound, comment.upperBound)
        let isTogether = layout.bytes[first.upperBound..<last.lowerBound].allSatisfy(\.isWhiteSpace)
        let ranges = isTogether ? [first.lowerBound..<last.upperBound] : [first, last]
        return ranges.map { TextEdit(range: layout.removal(of: $0), text: "") }
    }
}
