internal import Encodings
package import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// Reads pin sets from files in any readable format.
package enum PinSetSource {
    /// - Parameters:
    ///   - path: A file path, or `-` for standard input.
    ///   - format: Nil to detect the format from the contents.
    ///   - namesPath: The path of the file of names in `inputs`, for messages.
    /// - Throws: ``CommandError``; its message begins with `FILE:LINE:COLUMN:` if the position is known.
    package static func read(
        _ path: String, as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs(),
        namesPath: String? = nil, _ console: Console
    ) throws(CommandError) -> PinSetReading {
        try read(try bytes(at: path, console), from: path, as: format, with: inputs, namesPath: namesPath)
    }

    /// The contents of a file; for a folder, its certificates in PEM.
    package static func bytes(at path: String, _ console: Console) throws(CommandError) -> [UInt8] {
        guard path != "-", InputFile.isFolder(path) else { return try InputFile.bytes(at: path, console) }
        let certificates = try AnchorFiles.certificates(at: path, console)
        return Array(certificates.map { PEM.certificate($0.der) }.joined().utf8)
    }

    /// Reads a pin set from bytes.
    ///
    /// - Parameter path: The path of the file, for messages and to find further files next to it.
    package static func read(
        _ bytes: [UInt8], from path: String, as format: PinSetFormat? = nil,
        with inputs: ConversionInputs = ConversionInputs(), namesPath: String? = nil
    ) throws(CommandError) -> PinSetReading {
        let reading = try readWithInputs(bytes, from: path, as: format, with: inputs, namesPath: namesPath).reading
        PinSetTrust.protect(anchorsOf: reading.set, at: path)
        return reading
    }

    /// Reads a pin set from bytes. Also returns the inputs, including files that were found next to the file.
    ///
    /// - Parameter step: The next step after an error; by default, the option of `convert` for a missing input.
    package static func readWithInputs(
        _ bytes: [UInt8], from path: String, as format: PinSetFormat? = nil,
        with inputs: ConversionInputs = ConversionInputs(), namesPath: String? = nil,
        step: (PinSetFormatError) -> String? = { $0.hint(inFile: true) }
    ) throws(CommandError) -> (reading: PinSetReading, inputs: ConversionInputs) {
        var inputs = inputs
        do throws(PinSetFormatError) {
            return (try PinSet.read(bytes, as: format, with: inputs), inputs)
        } catch {
            guard error.need == .names, inputs.names == nil, let names = try namesFile(of: error.format, beside: path)
            else {
                throw CommandError(error, in: error.isInNames ? namesPath ?? path : path, hint: step(error))
            }
            inputs.names = names
        }
        do throws(PinSetFormatError) {
            return (try PinSet.read(bytes, as: format, with: inputs), inputs)
        } catch {
            let names = error.isInNames ? error.format?.traits.sidecar?.path(beside: path) : nil
            throw CommandError(error, in: names ?? path, hint: step(error))
        }
    }

    /// Reads the file of names next to the main file, if it exists: Chromium's `NAME.pins` next to `NAME.json`.
    package static func namesFile(of format: PinSetFormat?, beside path: String) throws(CommandError) -> [UInt8]? {
        guard let names = format?.traits.sidecar?.path(beside: path) else { return nil }
        return InputFile.isReadable(at: names) ? try InputFile.bytes(at: names) : nil
    }
}

extension PinSetFormatError {
    /// Whether the position of the error is in the file of names.
    fileprivate var isInNames: Bool {
        if case .chromium(.names) = reason { true } else { false }
    }
}
