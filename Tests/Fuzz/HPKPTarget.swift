// Seeds: hpkp*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Public-Key-Pins headers.
enum HPKPTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let inputs = ConversionInputs(host: "h.example")
        guard let reading = try? PinSet.read(bytes, as: .hpkp, with: inputs) else { return }
        FormatPromises.check(reading)
    }
}
