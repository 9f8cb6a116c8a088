import TestSupport
import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// A platform judges each pin of a file with a mistake. The work is proportional to the number of pins.
///
/// For eight times the pins, the ratio is about 8 if the work is linear, and 64 if it is quadratic.
@Suite(.notWithSanitizer) struct RotationJudgeGrowthTests {
    enum Shape: CaseIterable, Sendable {
        case android, okhttp, okhttpInOneCall, trustkit, apple
    }

    @Test(arguments: Shape.allCases) func verdictsOnManyPins(shape: Shape) throws {
        let growth = try Self.growth(400, 3200, pinning: 2) { pins in
            try Self.configuration(shape, pins.map(\.base64))
        } check: { judge in
            #expect(judge.forecast.intermediate.code == "yes")
            #expect(judge.forecast.root == .ifBackupTakesOver(judge.entry.pins.dropLast()))
        }
        #expect(growth < 30)
    }

    /// The string of curl contains a pin in hexadecimal digits, which never matches. curl compares only the leaf.
    @Test func verdictsOnAStringOfCurl() throws {
        let growth = try Self.growth(100, 800, pinning: 0) { pins in
            let text = (pins.map(\.base64) + [String(repeating: "ab", count: 32)]).map { "sha256//\($0)" }
                .joined(separator: ";")
            let file = "curl --pinnedpubkey '\(text)' https://www.example.com/\n"
            return try Platform.curl.configuration(ofFile: Array(file.utf8), format: .curl)
        } check: { judge in
            #expect(judge.forecast.leafWithSameKey.code == "yes")
        }
        #expect(growth < 30)
    }

    /// A host whose servers have one key each, all of them pinned.
    @Test func forecastOfManyChains() throws {
        func prepare(_ count: Int) throws -> () throws -> Void {
            let pins = (0..<count).map { Pin(subjectPublicKeyInfo: Array("\($0)".utf8)) }
            let entry = try PinSet.Entry(
                host: "www.example.com", pins: pins.map { PinSet.PinnedKey(pin: $0, role: .leaf) })
            let authority = Pin(subjectPublicKeyInfo: [1])
            let chains = pins.map { pin in
                [(Role.leaf, pin), (.intermediate, authority), (.root, authority)].enumerated().map {
                    PlatformConnection.Link(
                        certificate: ChainPin(role: $1.0, position: $0, pin: $1.1))
                }
            }
            let configuration = Platform.curl.configuration(of: try PinSet(entries: [entry]))
            return {
                let own = try #require(
                    RotationForecast(
                        of: entry, chainPins: chains.map { $0.map(\.certificate) }, at: Timestamp(secondsSince1970: 0)))
                let forecast = PlatformForecast(
                    on: configuration, of: entry, comparedWith: own, chains: chains, at: Timestamp(secondsSince1970: 0))
                #expect(forecast?.forecast.leafWithSameKey.code == "yes")
                #expect(forecast?.forecast.leafWithNewKey == .fails)
            }
        }
        #expect(try Work.growth(small: prepare(100), large: prepare(800)) < 20)
    }

    /// The growth of the work for a forecast.
    ///
    /// - Parameters:
    ///   - position: the certificate of the chain whose key is pinned, after the other pins.
    ///   - configuration: makes a file with these pins of a host, and with a mistake.
    private static func growth(
        _ few: Int, _ many: Int, pinning position: Int, _ configuration: ([Pin]) throws -> PlatformConfiguration?,
        check: @escaping (RotationJudge) -> Void
    ) throws -> Double {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let chain = CertificateChain(path: path, served: path, failures: [])
        func prepare(_ count: Int) throws -> () throws -> Void {
            let pins = (0..<count).map { Pin(subjectPublicKeyInfo: Array("\($0)".utf8)) } + [path[position].pin]
            let configuration = try #require(try configuration(pins))
            #expect(!configuration.traps.isEmpty)
            let entry = try PinSet.Entry(
                host: "www.example.com", pins: pins.map { PinSet.PinnedKey(pin: $0, role: .any) })
            return {
                let connection = PlatformConnection(host: entry.name, chain: chain, at: Timestamp(secondsSince1970: 0))
                check(
                    RotationJudge(
                        configuration: configuration, entry: entry, host: entry.name, chains: [connection.chain],
                        now: connection.now))
            }
        }
        return try Work.growth(small: prepare(few), large: prepare(many))
    }

    /// A file with these pins of a host, and with a mistake.
    private static func configuration(_ shape: Shape, _ pins: [String]) throws -> PlatformConfiguration? {
        func list(_ separator: String = "", _ part: (String) -> String) -> String {
            pins.map(part).joined(separator: separator)
        }
        switch shape {
        case .android:
            let file = """
                <network-security-config><domain-config><domain includeSubdomains="yes">www.example.com</domain><pin-set>
                \(list { "<pin digest=\"SHA-256\">\($0)</pin>\n" })</pin-set></domain-config></network-security-config>
                """
            return try Platform.android.configuration(ofFile: Array(file.utf8), format: .android)
        case .okhttp, .okhttpInOneCall:
            let calls =
                shape == .okhttp
                ? list { ".add(\"*.example.com\", \"sha256/\($0)\")\n" }
                : ".add(\"*.example.com\", \(list(",\n") { "\"sha256/\($0)\"" }))\n"
            let file = "val pinner = CertificatePinner.Builder()\n\(calls).build()\n"
            return try Platform.okhttp.configuration(ofFile: Array(file.utf8), format: .okhttp)
        case .trustkit:
            let file = """
                <plist><dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>www.example.com</key><dict>
                <key>TSKExpirationDate</key><string>soon</string>
                <key>TSKPublicKeyHashes</key><array>\(list { "<string>\($0)</string>\n" })</array></dict></dict></dict></dict></plist>
                """
            return try Platform.trustkit.configuration(ofFile: Array(file.utf8), format: .trustkit)
        case .apple:
            let pin = { (pin: String) in "<dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict>\n" }
            let file = """
                <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
                <key>www.example.com</key><dict><key>NSPinnedCAIdentities</key><array>\(list("", pin))</array></dict>
                <key>www.example.com.</key><dict><key>NSPinnedCAIdentities</key><array>\(list("", pin))</array></dict>
                </dict></dict></dict></plist>
                """
            return try Platform.apple.configuration(ofFile: Array(file.utf8), format: .apple)
        }
    }
}
