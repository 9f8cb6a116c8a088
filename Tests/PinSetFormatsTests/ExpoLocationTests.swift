import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Places of `NSPinnedDomains` in a configuration of Expo. Expo copies `ios.infoPlist` to the Info.plist (docs.expo.dev, app config,
/// `infoPlist`), where App Transport Security reads the key only in `NSAppTransportSecurity` (SecPolicy.c, `parseNSPinnedDomains`).
/// Without the key `expo`, the outermost object is the configuration (packages/@expo/config/src/Config.ts, `reduceExpoObject`).
@Suite struct ExpoLocationTests {
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    /// Replaces `$` by the key with one host.
    private static func file(_ text: String) -> [UInt8] {
        Array(
            text.replacing(
                "$",
                with:
                    "\"NSPinnedDomains\":{\"a.example\":{\"NSPinnedCAIdentities\":[{\"SPKI-SHA256-BASE64\":\"\(pin)\"}]}}"
            ).utf8)
    }

    private func reading(_ text: String) throws -> PinSetReading {
        try PinSet.read(Self.file(text), as: .expo)
    }

    @Test(arguments: [
        "{\"expo\":{\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}}",
        "{\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}",
        "{\"expo\":null,\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}",
        "{ // the app\n  name: \"x\", expo: { ios: { infoPlist: { NSAppTransportSecurity: { a: [1], $, }, }, }, }, }",
        "export default { expo: { ios: { infoPlist: { NSAppTransportSecurity: {$} } } } };",
        "export default ({ config }: ConfigContext): ExpoConfig => ({ ...config, ios: { infoPlist: { NSAppTransportSecurity: {$} } } });",
        "const security = {$};\nmodule.exports = { expo: { ios: { infoPlist: { NSAppTransportSecurity: security } } } };",
        "const extra = { infoPlist: {$} };\nmodule.exports = { ios: { infoPlist: build(extra) } };",
        "module.exports = { ios: { infoPlist: { ...base, NSAppTransportSecurity: isOn ? base : {$} } } };",
        "export default {$};", "module.exports = { NSAppTransportSecurity: {$} };",
        "module.exports = ({ config }) => {\n  return { ...config, ios: { infoPlist: { NSAppTransportSecurity: {$} } } };\n};",
        "function helper() { return { ios: {$} }; }\nmodule.exports = () => ({ ios: { infoPlist: helper() } });",
    ])
    func readsTheRightPlace(text: String) throws {
        let reading = try reading(text)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.warnings.isEmpty, "\(reading.warnings.map(\.message))")
    }

    @Test(arguments: [
        (
            "{\"expo\":{\"android\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}}",
            "expo.android.infoPlist.NSAppTransportSecurity"
        ),
        ("{\"expo\":{\"extra\":{$}}}", "expo.extra"),
        ("module.exports = ({ config }) => { return { ...config, extra: {$} }; };", "extra"),
        ("module.exports = function ({ config }) { if (x) { return { ios: {$} }; } return config; };", "ios"),
        ("export default async function config(): ExpoConfig { return { extra: {$} }; }", "extra"),
        ("export default (): ExpoConfig => { return { extra: {$} }; };", "extra"),
        ("module.exports = { plugins: [[\"expo-build-properties\", { ios: {$} }]] };", "plugins[].ios"),
        ("{\"expo\":{\"ios\":{\"infoPlist\":{$}}}}", "expo.ios.infoPlist"),
        ("{\"expo\":{\"ios\":{\"NSAppTransportSecurity\":{$}}}}", "expo.ios.NSAppTransportSecurity"),
        (
            "{\"expo\":{},\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}",
            "ios.infoPlist.NSAppTransportSecurity"
        ),
        ("{\"expo\":{\"plugins\":[[\"expo-build-properties\",{\"ios\":{$}}]]}}", "expo.plugins[].ios"),
        (
            "{\"expo\":[{\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}]}",
            "expo[].ios.infoPlist.NSAppTransportSecurity"
        ),
        ("export default { expo: { extra: {$} } };", "expo.extra"),
        ("module.exports = ({ config }) => ({ ...config, ios: { infoPlist: {$} } });", "ios.infoPlist"),
        ("module.exports = async config => ({ ...config, extra: {$} });", "extra"),
    ])
    func anotherPlaceIsNotRead(text: String, place: String) throws {
        let reading = try reading(text)
        #expect(reading.set.entries.isEmpty)
        let expected = "\"expo.ios.infoPlist.NSAppTransportSecurity\""
        #expect(
            reading.warnings.map(\.message) == [
                "\"NSPinnedDomains\" on line 1 is in \"\(place)\", not in \(expected); the platform ignores it",
                "the file is valid and pins no host",
            ])
        let configuration = try #require(
            try Platform.apple.configuration(ofFile: Self.file(text), format: .expo))
        let connection = PlatformConnection(
            host: "a.example", chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_800_000_000))
        #expect(configuration.verdict(on: connection).verdict == .notPinned)
    }

    @Test func thePinsOfTheRightPlaceAreRead() throws {
        let text =
            "{\"expo\":{\"extra\":{\"NSPinnedDomains\":{\"b.example\":{}}},\n\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{$}}}}}"
        let reading = try reading(text)
        #expect(reading.set.entries.map(\.host) == ["a.example"])
        #expect(reading.warnings.map(\.message).allSatisfy { $0.hasPrefix("\"NSPinnedDomains\" on line 1 is in") })
    }
}
