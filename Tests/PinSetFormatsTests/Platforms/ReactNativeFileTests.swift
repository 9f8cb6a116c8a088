import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Files for React Native libraries in which one host makes a library reject the pins of all hosts.
@Suite struct ReactNativeFileTests {
    private static let good = "\"sha256/<leaf>\",\"sha256/<spare>\""

    /// The pins of another host beside those of example.com, which match.
    private static func manager(
        _ other: String, settings: String = "", is verdict: PlatformVerdict.Verdict, _ rule: String
    ) -> PlatformFileCase {
        PlatformFileCase(
            .reactNativeSSLManager, .reactNativeSSLManager,
            "{\"sha256Keys\":{\"example.com\":[\(good)],\"a.example.com\":[\(other)]},\"domains\":{\(settings)}}",
            is: verdict, rule)
    }

    private static func managerCode(_ other: String, is verdict: PlatformVerdict.Verdict, _ rule: String)
        -> PlatformFileCase
    {
        PlatformFileCase(
            .reactNativeSSLManager, .reactNativeSSLManager,
            "setSSLConfig({ sha256Keys: { \"example.com\": [\(good)], \"a.example.com\": [\(other)] } });\n",
            is: verdict, rule)
    }

    /// react-native-ssl-manager 2.2.0: in ios/SharedLogic.swift, `validateAndCleanPins` throws for an empty list and for each text but
    /// `sha256/` with 44 characters of base64, and `bootstrapIfEnabled` ignores the error. TrustKit raises an exception for other
    /// texts than 32 bytes (parse_configuration.m). In android/…/SslPinningFactory.kt, an exception of OkHttp leads to a client
    /// without pins; PinningClientConfigurator.kt adds only hosts that are enforced and not expired. `setSSLConfig` throws for
    /// the same pins as iOS (src/config.ts, `normalizeSslConfig`).
    @Test(arguments: [
        manager(good, is: .accepts, "iOS accepts"),
        manager("", is: .refusesConfig, "iOS: the list of pins of a.example.com is empty"),
        manager("\"bad\"", is: .refusesConfig, "iOS: the pin \"bad\" of a.example.com"),
        manager("\"bad\"", is: .refusesConfig, "Android: OkHttp does not accept the pin \"bad\""),
        manager("\(good),\"<root>\"", is: .refusesConfig, "Android: OkHttp"),
        manager("\(good),\"sha256/AAAA\"", is: .refusesConfig, "iOS: the pin \"sha256/AAAA\""),
        manager("\(good),\" sha256/<root> \"", is: .refusesConfig, "Android: OkHttp"),
        manager("\"sha256/<root>\"", is: .refusesConfig, "a.example.com has one"),
        // 44 digits are 33 bytes.
        manager(
            "\"sha256/\(String(repeating: "A", count: 44))\"", is: .refusesConfig, "is not base64 of 32 bytes"),
        managerCode(good, is: .accepts, "iOS accepts"),
        managerCode("", is: .refusesConfig, "Android: the library does not use the configuration"),
        // The list can have pins that only JavaScript knows.
        managerCode("process.env.PIN", is: .accepts, "iOS accepts"),
    ])
    func judgesTheSSLManager(row: PlatformFileCase) throws { try row.check() }

    /// The same sources: hosts that only report or are expired are not given to OkHttp, and neither is an empty list.
    @Test(arguments: [
        ("\"bad\"", "\"enforcePinning\":false", false), ("\"bad\"", "\"expirationDate\":\"2026-11-20\"", false),
        ("\"bad\"", "\"expirationDate\":\"2026-11-22\"", true), ("\"bad\"", "", true), ("", "", false),
        ("\(good),\"sha256/AAAA\"", "", false),
    ])
    func rejectsOnAndroid(other: String, settings: String, isRejected: Bool) throws {
        let row = Self.manager(other, settings: "\"a.example.com\":{\(settings)}", is: .refusesConfig, "iOS: ")
        try row.check()
        let connection = try PlatformCase(
            "unused.example | spare", host: "example.com", is: .refusesConfig, now: row.now
        )
        .connection()
        let rule = try #require(try row.configuration()).verdict(on: connection).rule
        #expect(rule.contains("Android: ") == isRejected, "\(rule)")
    }

    private static func options(_ other: String, is verdict: PlatformVerdict.Verdict, _ rule: String)
        -> PlatformFileCase
    {
        PlatformFileCase(
            .reactNative, .reactNative,
            "{\"example.com\":{\"publicKeyHashes\":[\"<leaf>\",\"<spare>\"]},\"a.example.com\":{\"publicKeyHashes\":[\(other)]}}",
            is: verdict, rule)
    }

    /// react-native-ssl-public-key-pinning 1.2.6: ios/SslPublicKeyPinning.mm and SslPublicKeyPinningModule.java catch the exceptions of
    /// TrustKit (parse_configuration.m) and of OkHttp (CertificatePinner.kt), and then pin no host.
    @Test(arguments: [
        options("\"<leaf>\",\"<spare>\"", is: .accepts, "iOS accepts"),
        options("", is: .notPinned, "iOS not-pinned: an enforced entry needs two pins, but a.example.com has none"),
        options("", is: .notPinned, "Android accepts"),
        options(
            "\"bad\"", is: .notPinned, "iOS not-pinned: the pin \"bad\" of a.example.com is not base64 of 32 bytes"),
        options("\"bad\"", is: .notPinned, "Android accepts"),
        options("\"b!d\"", is: .notPinned, "Android not-pinned: OkHttp does not accept the pin \"sha256/b!d\""),
    ])
    func judgesPublicKeyPinning(row: PlatformFileCase) throws { try row.check() }

    /// The same sources: because of an empty list, the libraries use no pin of the file on iOS.
    @Test func anEmptyListRejectsTheFile() throws {
        let pins = PlatformFileCase.filled(Self.good)
        let plain = pins.replacing("sha256/", with: "")
        for (text, format) in [
            ("{\"sha256Keys\":{\"a.example\":[\(pins)],\n\"b.example\":[]}}", PinSetFormat.reactNativeSSLManager),
            (
                "{\"a.example\":{\"publicKeyHashes\":[\(plain)]},\n\"b.example\":{\"publicKeyHashes\":[]}}",
                .reactNative
            ),
            ("initializeSslPinning({\n'b.example': { publicKeyHashes: [] } });", .reactNative),
        ] {
            let warnings = try PinSet.read(Array(text.utf8), as: format).warnings
            let lines = warnings.compactMap { warning -> Int? in
                if case .fileRejected(_, _, let line) = warning.reason { line } else { nil }
            }
            #expect(lines == [2], "\(warnings.map(\.message))")
            #expect(warnings.contains { $0.harm == .blocks })
            let full = try PinSet.read(Array(text.replacing("[]", with: "[\(pins)]").utf8), as: format).warnings
            #expect(full.allSatisfy { if case .fileRejected = $0.reason { false } else { true } })
        }
        let unread = "initializeSslPinning({\n'b.example': { publicKeyHashes: [process.env.PIN] } });"
        #expect(
            try PinSet.read(Array(unread.utf8), as: .reactNative).warnings.allSatisfy { $0.harm != .blocks })
    }
}
