// Seeds: okhttp* *.zone hpkp* curl* chromium.* pins.json shorthand.json react-native*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Any bytes, with the format recognized by the contents.
enum AnyFormatTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let reading = try? PinSet.read(bytes, with: ConversionInputs(host: "h.example")) else { return }
        precondition(reading.format != nil)
        FormatPromises.check(reading)
    }
}
