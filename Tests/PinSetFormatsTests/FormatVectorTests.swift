import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Typical files in every format. Each pins example.com with the same two keys.
@Suite struct FormatVectorTests {
    static let folder = Vectors.folder.appending(path: "formats")

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    }

    @Test(
        arguments: [
            ("okhttp.kt", PinSetFormat.okhttp), ("okhttp.java", .okhttp), ("okhttp-failure.txt", .okhttp),
            ("hpkp.txt", .hpkp),
            ("curl.txt", .curl), ("tlsa.zone", .tlsa), ("chromium.json", .chromium), ("pins.json", .pins),
            ("shorthand.json", .pins), ("react-native.json", .reactNative),
            ("react-native-ssl-manager.json", .reactNativeSSLManager), ("react-native.tsx", .reactNative),
            ("react-native-ssl-manager.ts", .reactNativeSSLManager), ("app.json", .expo), ("app.config.js", .expo),
            ("kubeadm.yaml", .kubeadm), ("kubeadm.sh", .kubeadm), ("openconnect.sh", .openconnect),
            ("openconnect.conf", .openconnect), ("envoy.yaml", .envoy), ("envoy.json", .envoy), ("stubby.yml", .stubby),
            ("elastic.yml", .elastic), ("nats.conf", .nats),
        ])
    func readsTheSamePins(name: String, format: PinSetFormat) throws {
        let inputs = ConversionInputs(host: "example.com", names: try bytes("chromium.pins"))
        let reading = try PinSet.read(try bytes(name), with: inputs)
        #expect(reading.format == format)
        #expect(reading.set.entries.map(\.host) == ["example.com"])
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [OkHttpFormatTests.x1, OkHttpFormatTests.x2])
        let subdomains = reading.set.entries.first?.subdomains
        let coversAll = [
            "okhttp.kt", "okhttp.java", "hpkp.txt", "chromium.json", "pins.json", "react-native.json",
            "react-native.tsx", "react-native-ssl-manager.json", "react-native-ssl-manager.ts",
        ]
        let coversOne = ["app.json", "app.config.js"]
        #expect(
            subdomains == (coversAll.contains(name) ? .all : coversOne.contains(name) ? .one : PinSet.Subdomains.none))
        // To pins.json, which can express everything, and back.
        let again = try PinSet.read(try reading.set.written(as: .pins).files[0].bytes)
        #expect(Meaning(again.set) == Meaning(reading.set))
    }

    /// One pin in 64 begins with a slash. After "sha256/" it looks like a pin of curl.
    @Test(arguments: [
        // Entrust Root Certification Authority - EC1, GLOBALTRUST 2020, HARICA TLS ECC Root CA 2021.
        "/qK31kX7pz11PB7Jp4cMQOH3sMVh6Se5hb9xGGbjbyI=", "/uivkpF1aH9GOKP8mD247NDl4qg+c38/t3tMIvy6wKY=",
        "/HhDAOyN9NPRutdjg1GCkY1Sqf8COL32laHNm9uYMhw=",
    ]) func pinsThatBeginWithASlash(pin: String) throws {
        let pins = "[\"\(OkHttpFormatTests.x1)\", \"\(pin)\"]"
        let set = try PinSet(json: Array("{ \"version\": 1, \"hosts\": { \"example.com\": \(pins) } }".utf8))
        for format in [PinSetFormat.okhttp, .hpkp, .curl, .android, .trustkit, .reactNative] {
            var inputs = ConversionInputs(host: "example.com")
            inputs.date = Timestamp(rfc3339: "2026-11-21")
            let written = try set.written(as: format, with: inputs).files[0].bytes
            let reading = try PinSet.read(written, with: inputs)
            #expect(reading.format == format)
            #expect(reading.set.entries.first?.pins.map(\.pin.base64).contains(pin) == true, "\(format)")
        }
        let failure = try PinSet.read(
            Array("Certificate pinning failure!\n  Pinned certificates for example.com:\n    sha256/\(pin)\n".utf8))
        #expect(failure.format == .okhttp)
    }

    /// The readers accept each sample with only the files next to it, and its format is recognized from its contents.
    @Test func readsEverySample() throws {
        var formats: Set<PinSetFormat> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path()).sorted() {
            // Parts of property lists, the names file of Chromium's JSON, and source code that only a test compiles.
            let isOther = name.hasPrefix("plist/") || name.hasSuffix(".pins") || name.hasPrefix("AppleStubs")
            let file = Self.folder.appending(path: name)
            guard !isOther, try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                continue
            }
            let inputs = ConversionInputs(host: "example.com", names: try bytes("chromium.pins"))
            let reading = try PinSet.read(try bytes(name), with: inputs)
            #expect(!reading.set.entries.isEmpty)
            let format = try #require(reading.format)
            formats.insert(format)
            let again = try PinSet.read(try reading.set.written(as: .pins).files[0].bytes)
            #expect(Meaning(again.set) == Meaning(reading.set))
        }
        let unread: Set<PinSetFormat> = [
            .wultra, .alamofire, .trustkitSwift, .certificatesPEM, .flutter, .aiohttp,
            .openfortivpn,
        ]
        #expect(formats == Set(PinSetFormat.allCases).subtracting(unread))
    }
}
