internal import Encodings
internal import KeyFiles
internal import Pinning

/// A list of formats, in the order of help and messages.
public struct FormatRegistry: Sendable {
    public let formats: [PinSetFormat]

    package init(_ formats: [PinSetFormat]) { self.formats = formats }

    /// The platforms of all formats, without repetitions.
    public var platforms: [Platform] {
        var platforms: [Platform] = []
        for platform in formats.flatMap(\.traits.platforms) where !platforms.contains(platform) {
            platforms.append(platform)
        }
        return platforms
    }

    public func format(named name: String) -> PinSetFormat? { formats.first { $0.rawValue == name } }

    /// The format that files with this name always have; nil if a file with this name can have several formats.
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
            throw PinSetFormatError(.empty, format: nil)
        }
        guard bytes.count <= PinSetFormat.maximumSourceSize else {
            let reason = PinSetFormatError.Reason.tooLarge(bytes: bytes.count, maximum: PinSetFormat.maximumSourceSize)
            throw PinSetFormatError(reason, format: nil)
        }
        let file = FileContents(bytes)
        let likely = formats.filter { $0.codec.recognizes(file) }
        // A write-only format counts only if no readable format matches: its error explains that pinctl cannot read it.
        let readable = likely.filter { $0.traits.isReadable }
        let found = readable.isEmpty ? likely : readable
        switch found.count {
        case 1: return found[0]
        case 0:
            let reason: PinSetFormatError.Reason =
                OtherFile(bytes).map { .otherFile($0) } ?? .unknownFormat(tried: formats.filter(\.traits.isReadable))
            throw PinSetFormatError(reason, format: nil)
        default: throw PinSetFormatError(.severalFormats(found), format: nil)
        }
    }
}
