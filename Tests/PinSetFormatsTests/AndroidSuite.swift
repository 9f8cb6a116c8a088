@testable import PinSetCodec
@testable import PinSetFormats

/// Tests of the format for Android.
protocol AndroidSuite {}

extension AndroidSuite {
    typealias Apple = AppleFormatTests

    static func read(_ text: String) throws(PinSetFormatError) -> PinSetReading {
        try AndroidFormat.read(Array("<network-security-config>\n\(text)</network-security-config>".utf8))
    }

    static func part(_ host: String, _ pins: String...) -> String {
        let pins = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        return "<domain-config><domain>\(host)</domain><pin-set>\(pins)</pin-set></domain-config>"
    }
}
