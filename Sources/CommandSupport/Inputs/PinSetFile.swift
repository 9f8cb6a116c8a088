internal import Encodings
internal import FileConflicts
package import PinSetCodec
internal import PinSetFormats
package import Pinning

/// A pin set and the file that it was read from.
package struct PinSetFile {
    package let set: PinSet
    /// Sentences about contents of the file that a pin set cannot represent.
    package let warnings: [String]
    /// The path as given.
    package let path: String
    /// Whether the file format has a field for trust anchors.
    package let namesAnchors: Bool
    /// The format of the file.
    package var format: PinSetFormat { platformFile?.format ?? .pins }
    /// The file, if it has the format of a platform, with the inputs that were needed to read it; nil for pins.json.
    private let platformFile: PlatformFile?

    /// - Parameter path: A file path, or `-` for standard input.
    /// - Throws: ``CommandError``; its message begins with `FILE:LINE:COLUMN:` if the position is known.
    package static func read(
        _ path: String, with inputs: ConversionInputs = ConversionInputs(), _ console: Console
    ) throws(CommandError) -> PinSetFile {
        try PinSetFile(try InputFile.bytes(at: path, console), path: path, with: inputs)
    }

    package init(
        _ bytes: [UInt8], path: String, with inputs: ConversionInputs = ConversionInputs()
    ) throws(CommandError) {
        self.path = path
        if let format = try? PinSetFormat.recognized(in: bytes), format != .pins {
            let (reading, inputs) = try PinSetSource.readWithInputs(bytes, from: path, as: format, with: inputs)
            set = reading.set
            platformFile = PlatformFile(bytes: bytes, format: format, inputs: inputs)
            namesAnchors = false
            warnings = reading.warnings.map { "\(InputFile.plainName(of: path)): \($0.sentence)" }
            return
        }
        warnings = []
        namesAnchors = true
        platformFile = nil
        do throws(PinSetError) {
            set = try PinSet(json: bytes)
        } catch {
            let location =
                error.line == nil ? "\(InputFile.plainName(of: path)): " : "\(InputFile.plainName(of: path)):"
            throw CommandError(location + error.description, hint: error.hint ?? Self.hint(on: bytes))
        }
    }

    /// The configuration of a platform. It comes from the file if the platform reads the file's format, otherwise from what
    /// `convert` writes for the set.
    package func configuration(of platform: Platform) throws(CommandError) -> PlatformConfiguration {
        guard let file = platformFile else { return platform.configuration(of: set) }
        do throws(PinSetFormatError) {
            return try platform.configuration(ofFile: file.bytes, format: file.format, with: file.inputs)
                ?? platform.configuration(of: set)
        } catch {
            throw CommandError(error, in: path)
        }
    }

    /// A hint for a file that is not a pin set.
    private static func hint(on bytes: [UInt8]) -> String? {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        guard first != UInt8(ascii: "{") else { return nil }
        return #"use a pin set in JSON such as { "version": 1, "hosts": { "api.example.com": ["sha256/…"] } },"#
            + " or in another format that pinctl convert reads"
    }

    /// The name of the file in a sentence.
    package var name: String { path == "-" ? "the pin set" : path.quoted }

    /// The location of an entry, such as `pins.json:4:5`.
    package func location(of entry: PinSet.Entry) -> String {
        guard let position = entry.position else { return InputFile.plainName(of: path) }
        return "\(InputFile.plainName(of: path)):\(position.line):\(position.column)"
    }

    /// Resolves a path in the set, which is relative to the set's folder.
    package func resolved(_ other: String) -> String { Self.resolved(other, beside: path) }

    package static func resolved(_ other: String, beside path: String) -> String {
        if other.begins(with: "/") { return other }
        let folder = FilePath.folderPrefix(of: path)
        return folder.isEmpty && other == "-" ? "./-" : folder + other
    }
}
