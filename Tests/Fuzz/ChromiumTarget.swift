// Seeds: chromium.*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Chromium's JSON followed by its file of names, separated by a line `%%`.
enum ChromiumTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let names = Array("ISRGRootX1\nsha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\nSpare\n".utf8)
        let parts = bytes.split(separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
        let given =
            parts.count > 1
            ? Array(parts[1]) : names + Array("sha256/hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=\n".utf8)
        // The input is also used as the file of names, with valid JSON.
        let json = Array(
            #"{"pinsets":[{"name":"a","static_spki_hashes":["Spare"]}],"entries":[{"name":"a.example","pins":"a"}]}"#
                .utf8)
        _ = try? PinSet.read(json, as: .chromium, with: ConversionInputs(names: bytes))
        guard
            let reading = try? PinSet.read(
                Array(parts.first ?? []), as: .chromium, with: ConversionInputs(names: given))
        else {
            return
        }
        FormatPromises.check(reading)
    }
}
