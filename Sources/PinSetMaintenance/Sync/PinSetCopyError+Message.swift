internal import Encodings
internal import PinSetCodec
internal import PinSetFormats

extension PinSetCopyError {
    /// A sentence in lower case without its full stop.
    package var message: String {
        switch self {
        case .format(let error): error.message
        case .unknownFormat: "the file does not exist, and its format cannot be recognized from its name"
        case .othersNotKept(let format):
            "\"others\": \"keep\" is not supported for \(format.rawValue.quotedExcerpt): sync replaces the whole file"
        case .notGenerated: "the file may contain more than pins and was not changed"
        case .companionNotGenerated(let name):
            "the companion file \(name.quotedExcerpt) may contain more than pins and was not changed"
        case .language(let format, let found, let written):
            "the file is \(found), but \(format.rawValue.quotedExcerpt) is \(written.name)"
        case .markers:
            "the file needs exactly one comment line with \(MarkedSection.begin.quotedExcerpt), and below it exactly one with"
                + " \(MarkedSection.end.quotedExcerpt)"
        case .sectionNotRead:
            "pinctl convert does not read the text between the markers as a part of the program: it may be in a comment"
        case .sectionInExpression:
            "the markers are within an expression, and sync writes whole declarations between them"
        case .sectionNotDeclarations:
            "the text between the markers is not only declarations, and sync would replace it by a declaration"
        case .hostLeftOut(let host, let warning):
            "writing the copy would remove the pins of \(host.quotedExcerpt)"
                + (warning.map { ": \($0.message)" } ?? ", which the format leaves out")
        case .markerInComment:
            "the marker is in a comment of several lines or in a string"
        case .remaining(let difference):
            (difference.host.map { "\($0.quotedExcerpt): " } ?? "") + difference.message
                + ", even after the copy is written"
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch self {
        case .format(let error): error.hint
        case .othersNotKept: "use \"keep\" only for \(FormatTraits.mergingNames(conjunction: "and")) in a property list"
        case .notGenerated(let isSource):
            (isSource
                ? "add a line \"// \(MarkedSection.begin)\" before the whole declaration of the pins and \"// \(MarkedSection.end)\" after it, or "
                : "") + "set \"overwrite\": true for this copy in the manifest"
        case .companionNotGenerated(let name):
            "move \(name.quotedExcerpt), or set \"overwrite\": true for this copy in the manifest"
        case .language: "change the pins by hand, or move them to a file in that language"
        case .sectionNotRead: "move the markers to a place where the program has its pins"
        case .sectionInExpression, .sectionNotDeclarations:
            "move the markers around the whole declaration of the pins: sync replaces all of it"
        case .hostLeftOut(_, let warning): warning?.step
        case .markerInComment: "write each marker in a comment of one line, such as \"// \(MarkedSection.begin)\""
        case .remaining(let difference): difference.hint
        case .unknownFormat, .markers: nil
        }
    }
}
