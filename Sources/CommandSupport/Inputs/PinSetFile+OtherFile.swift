internal import Encodings
internal import PinSetCodec
internal import PinSetFormats

extension PinSetFile {
    /// The error for a file that is no JSON, and no pin set in another format; nil for JSON, whose reader names the mistake.
    package static func error(onOther bytes: [UInt8], at path: String) -> CommandError? {
        let first = bytes.drop { " \t\r\n".utf8.contains($0) || "\u{FEFF}".utf8.contains($0) }.first
        guard first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return nil }
        do throws(PinSetFormatError) {
            _ = try PinSetFormat.recognized(in: bytes)
            return nil
        } catch {
            let name = InputFile.plainName(of: path)
            switch error.reason {
            case .unknownFormat:
                return CommandError("\(name): the file is not a pin set in a known format", hint: example)
            case .severalFormats:
                let words = ["pinctl", "convert", ShellCommand.path(path), "--from-format", "FORMAT", "--to", "pins"]
                return CommandError("\(name): \(error.message)", hint: "convert it first: \(ShellCommand.line(words))")
            default: return CommandError("\(name): \(error.message)", hint: error.hint ?? example)
            }
        }
    }

    private static let example =
        #"use a pin set in JSON such as { "version": 1, "hosts": { "api.example.com": ["sha256/…"] } },"#
        + " or in another format that pinctl convert reads"
}
