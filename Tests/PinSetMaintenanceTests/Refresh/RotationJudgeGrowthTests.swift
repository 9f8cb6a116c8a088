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
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let chain = CertificateChain(path: path, served: path, failures: [])
        func prepare(_ count: Int) throws -> () throws -> Void {
            let spares = (0..<count).map { Pin(subjectPublicKeyInfo: Array("\($0)".utf8)) }
            let pins = spares + [path[2].pin]
            let configuration = try #require(try Self.configuration(shape, pins.map(\.base64)))
            #expect(!configuration.traps.isEmpty)
            let entry = try PinSet.Entry(
                host: "www.example.com", pins: pins.map { PinSet.PinnedKey(pin: $0, role: .any) })
            return {
                let connection = PlatformConnection(host: entry.name, chain: chain, at: Timestamp(secondsSince1970: 0))
                let judge = RotationJudge(
                    configuration: configuration, entry: entry, host: entry.name, chains: [connection.chain],
                    now: connection.now)
                let forecast = judge.forecast
                #expect(forecast.intermediate.code == "yes")
                #expect(forecast.root == .ifBackupTakesOver(judge.entry.pins.dropLast()))
            }
        }
        let (few, many) = (try prepare(400), try prepare(3200))
        let growth = try Work.growth(small: few, large: many)
        #expect(growth < 30)
    }

    /// The string of curl contains a pin in hexadecimal digits, which never matches. curl compares only the leaf.
    @Test func verdictsOnAStringOfCurl() throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let chain = CertificateChain(path: path, served: path, failures: [])
        func prepare(_ count: Int) throws -> () throws -> Void {
            let pins = (0..<count).map { Pin(subjectPublicKeyInfo: Array("\($0)".utf8)) } + [path[0].pin]
            let text = (pins.map(\.base64) + [String(repeating: "ab", count: 32)]).map { "sha256//\($0)" }
                .joined(separator: ";")
            let configuration = try #require(
                try Platform.curl.configuration(
                    ofFile: Array("curl --pinnedpubkey '\(text)' https://www.example.com/\n".utf8), format: .curl))
            #expect(!configuration.traps.isEmpty)
            let entry = try PinSet.Entry(
                host: "www.example.com", pins: pins.map { PinSet.PinnedKey(pin: $0, role: .any) })
            return {
                let connection = PlatformConnection(host: entry.name, chain: chain, at: Timestamp(secondsSince1970: 0))
                let judge = RotationJudge(
                    configuration: configuration, entry: entry, host: entry.name, chains: [connection.chain],
                    now: connection.now)
                #expect(judge.forecast.leafWithSameKey.code == "yes")
            }
        }
        let (few, many) = (try prepare(100), try prepare(800))
        let growth = try Work.growth(small: few, large: many)
        #expect(growth < 30)
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
