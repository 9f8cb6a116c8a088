package import PinSetCodec

/// Why a copy cannot be compared with its set, or not be written.
package indirect enum PinSetCopyError: Error, Hashable, Sendable {
    /// The set cannot be written in the format, or the copy cannot be read in it.
    case format(PinSetFormatError)
    /// There is no file, and its name does not determine a format.
    case unknownFormat
    /// Hosts that are not in the set are to be kept, in a format that is not written into existing files.
    case othersNotKept(PinSetFormat)
    /// The file may contain more than what pinctl writes.
    case notGenerated(isSource: Bool)
    /// The file is in another language than the one that the format writes.
    case language(PinSetFormat, found: String, written: FormatTraits.Language)
    /// The file does not have exactly one begin marker followed by one end marker.
    case markers(line: Int?)
    /// A written copy would still differ from the set.
    case remaining(CopyDifference)

    /// Line of the copy, from 1.
    package var line: Int? {
        switch self {
        case .format(let error): error.line
        case .markers(let line): line
        case .remaining(let difference): difference.line
        case .unknownFormat, .othersNotKept, .notGenerated, .language: nil
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
}
