// Seeds: *.zone
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// TLSA records of a zone.
enum TLSATarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let inputs = ConversionInputs(host: "h.example")
        guard let reading = try? PinSet.read(bytes, as: .tlsa, with: inputs) else { return }
        FormatPromises.check(reading)
    }
}
