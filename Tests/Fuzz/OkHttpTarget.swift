// Seeds: okhttp*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Kotlin and Java source, and OkHttp's failure text.
enum OkHttpTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let inputs = ConversionInputs(host: "h.example")
        guard let reading = try? PinSet.read(bytes, as: .okhttp, with: inputs) else { return }
        FormatPromises.check(reading)
    }
}
