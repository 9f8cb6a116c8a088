internal import Arguments
internal import Pinning

/// Pin sets in files, in any format that is read.
enum PinSetSource {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - format: nil where the contents are to tell.
    /// - Throws: ``CommandError`` that begins with `FILE:LINE:COLUMN:` where there is a place.
    static func read(
        _ path: String, as format: PinSetFormat? = nil, with companions: PinSetCompanions = PinSetCompanions(),
        _ console: Console
    ) throws(CommandError) -> PinSetReading {
        try read(try InputFile.bytes(at: path, console), from: path, as: format, with: companions)
    }

    /// The same of contents that were read already.
    static func read(
        _ bytes: [UInt8], from path: String, as format: PinSetFormat? = nil,
        with companions: PinSetCompanions = PinSetCompanions()
    ) throws(CommandError) -> PinSetReading {
        var companions = companions
        do throws(PinSetFormatError) {
            return try PinSet.read(bytes, as: format, with: companions)
        } catch {
            guard error.need == .names, companions.names == nil, let names = try namesFile(beside: path) else {
                throw CommandError(error, in: path)
            }
            companions.names = names
        }
        do throws(PinSetFormatError) {
            return try PinSet.read(bytes, as: format, with: companions)
        } catch {
            throw CommandError(error, in: path)
        }
    }

    /// Chromium keeps `NAME.pins` beside `NAME.json`.
    static func namesFile(beside path: String) throws(CommandError) -> [UInt8]? {
        guard path.hasSuffix(".json") else { return nil }
        let names = String(path.dropLast(".json".count)) + ".pins"
        return InputFile.isReadable(at: names) ? try InputFile.bytes(at: names) : nil
    }
}

extension CommandError {
    /// An error in the contents of a file.
    init(_ error: PinSetFormatError, in path: String) {
        let name = InputFile.place(of: path)
        let place = error.line == nil ? "\(name): " : "\(name):"
        self.init(place + error.description, hint: error.hint(inFile: true))
    }
}

extension PinSetFormatError {
    /// The next step: the option that gives what is lacking.
    func hint(inFile isReading: Bool) -> String? {
        switch need {
        case .format: "--from-format FORMAT says which it is"
        case .host: isReading ? "--host NAME gives it" : "--host NAME says which"
        case .certificates: "--certificates FILE|FOLDER gives them"
        case .names: "--names FILE gives them"
        case nil: hint
        }
    }
}
