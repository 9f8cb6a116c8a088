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
    /// Whether the file can have further pins that match, which could not be read.
    package let canHaveUnreadPins: Bool
    /// Whether ``set`` has exactly what a platform compares: no pin could not be read, and none is the key of a certificate whose
    /// fingerprint the file contains.
    private let isExact: Bool

    /// - Parameters:
    ///   - path: A file path, or `-` for standard input.
    ///   - steps: How the command takes an input that the format needs. Without a step for it, the file must be converted.
    /// - Throws: ``CommandError``; its message begins with `FILE:LINE:COLUMN:` if the position is known.
    package static func read(
        _ path: String, with inputs: ConversionInputs = ConversionInputs(),
        steps: [PinSetFormatError.Need: String] = [:], _ console: Console
    ) throws(CommandError) -> PinSetFile {
        try PinSetFile(try InputFile.bytes(at: path, console), path: path, with: inputs, steps: steps)
    }

    package init(
        _ bytes: [UInt8], path: String, with inputs: ConversionInputs = ConversionInputs(),
        steps: [PinSetFormatError.Need: String] = [:]
    ) throws(CommandError) {
        self.path = path
        if let format = try? PinSetFormat.recognized(in: bytes), format != .pins {
            let (reading, inputs) = try PinSetSource.readWithInputs(bytes, from: path, as: format, with: inputs) {
                error in
                error.need.flatMap { steps[$0] } ?? error.stepWithoutOptions(for: path)
            }
            set = reading.set
            platformFile = PlatformFile(bytes: bytes, format: format, inputs: inputs)
            namesAnchors = false
            warnings = reading.warnings.map { "\(InputFile.plainName(of: path)): \($0.sentence)" }
            canHaveUnreadPins = reading.warnings.contains(where: \.leavesOutMatchingPins)
            isExact = !reading.warnings.contains { warning in
                if case .certificateAsPin = warning.reason { true } else { warning.leavesOutUnreadPins }
            }
            return
        }
        if let error = Self.error(onOther: bytes, at: path) { throw error }
        warnings = []
        namesAnchors = true
        platformFile = nil
        (canHaveUnreadPins, isExact) = (false, true)
        do throws(PinSetError) {
            set = try PinSet(json: bytes)
        } catch {
            let location =
                error.line == nil ? "\(InputFile.plainName(of: path)): " : "\(InputFile.plainName(of: path)):"
            throw CommandError(location + error.description, hint: error.hint)
        }
        PinSetTrust.protect(anchorsOf: set, at: path)
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

    /// The configuration of the platform whose file this is; nil if several platforms have this format, such as certificates, and if the
    /// set does not have exactly what the platform compares.
    package var ownConfiguration: PlatformConfiguration? {
        let configurations = format.platforms.compactMap { try? configuration(of: $0) }
        let own = configurations.filter(\.isFile)
        if own.count == 1 { return own.first }
        return own.isEmpty && format.platforms.count == 1 && isExact ? configurations.first : nil
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
