internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Properties of every parsed set.
enum FormatPromises {
    /// Checks that the set can be written as pins.json and read again, and that each other format writes it or throws an error.
    static func check(_ reading: PinSetReading) {
        for warning in reading.warnings { precondition(!warning.message.isEmpty && !warning.message.hasSuffix(".")) }
        guard let text = try? reading.set.written(as: .pins),
            let again = try? PinSet.read(text.files[0].bytes, as: .pins)
        else {
            preconditionFailure("a set that was read cannot be written")
        }
        precondition(again.set.entries.map(\.name) == reading.set.entries.map(\.name))
        precondition(again.set.entries.map { $0.pins.map(\.pin) } == reading.set.entries.map { $0.pins.map(\.pin) })
        for format in [PinSetFormat.okhttp, .tlsa, .hpkp, .curl, .chromium, .cronet, .urlsession, .reactNative] {
            guard let writing = try? reading.set.written(as: format) else { continue }
            guard format == .okhttp, !reading.set.entries.isEmpty else { continue }
            guard let back = try? PinSet.read(writing.files[0].bytes, as: format) else {
                preconditionFailure("what was written for OkHttp is not read")
            }
            precondition(back.set.entries.map(\.name) == reading.set.entries.map(\.name))
        }
    }
}
