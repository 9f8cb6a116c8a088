internal import Encodings
internal import Pinning

/// A list of formats, in the order of help and messages.
public struct FormatRegistry: Sendable {
    public let formats: [PinSetFormat]

    package init(_ formats: [PinSetFormat]) { self.formats = formats }

    /// Every platform that uses a format, once.
    public var platforms: [Platform] {
        var platforms: [Platform] = []
        for platform in formats.flatMap(\.traits.platforms) where !platforms.contains(platform) {
            platforms.append(platform)
        }
        return platforms
    }

    public func format(named name: String) -> PinSetFormat? { formats.first { $0.rawValue == name } }

    /// The format of a file with this name; nil if it may have several formats.
    package func format(forFileName fileName: String) -> PinSetFormat? {
        if let format = formats.first(where: { $0.fileName == fileName && $0.traits.hasUniqueFileName }) {
            return format
        }
        return formats.first { $0.traits.fileExtension.map(fileName.hasSuffix) ?? false }
    }

    /// Detects the format of a file from its contents.
    ///
    /// - Throws: `PinSetFormatError` if no format matches, or several do.
    package func recognized(in bytes: [UInt8]) throws(PinSetFormatError) -> PinSetFormat {
        guard bytes.contains(where: { !$0.isWhiteSpace }) else {
            throw PinSetFormatError(format: nil, message: "a pin set is expected, and there is nothing")
        }
        guard bytes.count <= PinSetFormat.largestSource else {
            throw PinSetFormatError(
                format: nil,
                message:
                    "the pin set has \(bytes.count) bytes, and the most that is read is \(PinSetFormat.largestSource)")
        }
        let file = FileContents(bytes)
        let likely = formats.filter { $0.codec.recognizes(file) }
        // A write-only format counts only if no other matches: its error says that it is not read.
        let readable = likely.filter { $0.traits.isReadable }
        let found = readable.isEmpty ? likely : readable
        let names = found.map { $0.rawValue.quotedExcerpt }
        switch found.count {
        case 1: return found[0]
        case 0:
            let tried = formats.filter { $0.traits.isReadable }.map(\.rawValue).joined(separator: ", ")
            throw PinSetFormatError(
                format: nil, message: "this is no pin set in any known format; tried \(tried)",
                hint: "name the format to see what is wrong with the file", need: .format)
        default:
            throw PinSetFormatError(
                format: nil, message: "this may be \(names.joined(conjunction: "or"))",
                hint: "name the format", need: .format)
        }
    }
}
