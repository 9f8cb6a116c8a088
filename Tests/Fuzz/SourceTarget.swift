// Seeds: react-native*.ts* app.* *.dart *.py cronet* urlsession*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Source code and configurations in which literals are found: JavaScript, Dart, Python, Java, Kotlin, Swift and NATS.
enum SourceTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let inputs = ConversionInputs(host: "h.example")
        for format in [
            PinSetFormat.reactNative, .reactNativeSSLManager, .expo, .nats, .flutter, .aiohttp, .cronet, .urlsession,
        ] {
            guard let reading = try? PinSet.read(bytes, as: format, with: inputs) else { continue }
            FormatPromises.check(reading)
        }
    }
}
