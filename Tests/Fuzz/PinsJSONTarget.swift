// Seeds: pins.json shorthand.json
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// pins.json. If a parsed set is written and read again, the result is the same set.
enum PinsJSONTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let reading = try? PinSet.read(bytes, as: .pins) else { return }
        precondition(reading.warnings.isEmpty)
        FormatPromises.check(reading)
        guard let text = try? reading.set.written(as: .pins),
            let again = try? PinSet.read(text.files[0].bytes, as: .pins),
            let twice = try? again.set.written(as: .pins)
        else { preconditionFailure("what was written is not read") }
        precondition(text.files[0].bytes == twice.files[0].bytes)
    }
}
