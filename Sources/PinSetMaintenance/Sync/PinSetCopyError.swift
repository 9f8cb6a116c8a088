package import PinSetCodec

/// The reason why a copy cannot be compared with its set or cannot be written.
package indirect enum PinSetCopyError: Error, Hashable, Sendable {
    /// The set cannot be written in the format, or the copy cannot be read in it.
    case format(PinSetFormatError)
    /// There is no file, and its name does not determine a format.
    case unknownFormat
    /// The manifest requires to keep hosts that are not in the set, but the format cannot be written into existing files.
    case othersNotKept(PinSetFormat)
    /// The file may contain more than the text that pinctl writes.
    case notGenerated(isSource: Bool)
    /// The companion file with this name may contain more than the text that pinctl writes.
    case companionNotGenerated(String)
    /// The file is in another language than the one that the format writes.
    case language(PinSetFormat, found: String, written: FormatTraits.Language)
    /// The file does not have exactly one begin marker followed by one end marker.
    case markers(line: Int?)
    /// The text between the markers is not a part of the program, for example because it is in a comment.
    case sectionNotRead(line: Int)
    /// The text between the markers is a part of an expression, which generated declarations cannot replace.
    case sectionInExpression(line: Int)
    /// The text between the markers is not only declarations, so that declarations cannot replace it.
    case sectionNotDeclarations(line: Int)
    /// The copy pins a host of the set that the format leaves out, so that writing the copy would remove its pins. The warning has
    /// the reason.
    case hostLeftOut(host: String, ConversionWarning?)
    /// A marker is in a comment of several lines, or in a string, parts of which sync would replace.
    case markerInComment(line: Int)
    /// The written copy would still differ from the set.
    case remaining(CopyDifference)

    /// Line of the copy, from 1.
    package var line: Int? {
        switch self {
        case .format(let error): error.line
        case .markers(let line): line
        case .sectionNotRead(let line), .sectionInExpression(let line), .sectionNotDeclarations(let line),
            .markerInComment(let line):
            line
        case .remaining(let difference): difference.line
        case .unknownFormat, .othersNotKept, .notGenerated, .companionNotGenerated, .language, .hostLeftOut: nil
        }
    }

    /// The missing input.
    package var need: PinSetFormatError.Need? {
        switch self {
        case .format(let error): error.need
        case .unknownFormat: .format
        default: nil
        }
    }

    /// The warning about the host that the format leaves out.
    package var warning: ConversionWarning? {
        switch self {
        case .format(let error): error.warning
        case .hostLeftOut(_, let warning): warning
        default: nil
        }
    }
}
