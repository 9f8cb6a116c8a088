import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Names of a file in findings.
@Suite struct LintNameTests {
    private static let key =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/IlpPKb37jwImIB6A2CQcOa3Ba6hG2ci3BJcBmdM3OhRANCAATpCyiRSCULXp5uyMgK2n"

    /// A user, a password and a private key in place of a host are not shown, also if the finding is about no host.
    @Test(arguments: [
        "https://anna:hunter22@host.localx", "anna:hunter22@host.localx", "Anna:hunter22@Host.example", key,
    ])
    func findingsShowNoSecret(host: String) throws {
        let hashes = "<array><string>\(Lint.a)</string><string>\(Lint.b)</string></array>"
        let entry = "<key>\(host)</key><dict><key>TSKPublicKeyHashes</key>\(hashes)</dict>"
        func trustKit(_ hosts: String) -> String {
            "<plist version=\"1.0\"><dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>\(hosts)</dict></dict></dict></plist>"
        }
        func apple(_ hosts: String) -> String {
            "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>\(hosts)</dict></dict></dict></plist>"
        }
        let pin = "<pin-set><pin digest=\"SHA-256\">\(Lint.a)</pin></pin-set><trustkit-config enforcePinning=\"true\"/>"
        let domain = "<domain-config><domain>\(host)</domain>\(pin)</domain-config>"
        let files: [(PinSetFormat, String)] = [
            (.trustkit, trustKit(entry)), (.trustkit, trustKit(entry + entry)),
            (.android, "<network-security-config>\(domain)</network-security-config>"),
            (.android, "<network-security-config>\(domain)\(domain)</network-security-config>"),
            (.pins, Lint.hosts("\"\(host)\":[\"\(Lint.a)\"]", "\"\(host)\":[\"\(Lint.a)\"]")),
            (.pins, Lint.hosts("\"**.\(host)\":[\"\(Lint.a)\"]")),
            (.pins, "{\"version\":1,\"hosts\":{\"a.example\":[\"\(Lint.a)\"]},\"\(host)\":[\"\(Lint.a)\"]}"),
            (.apple, apple("<key>\(host)</key><string>x</string>")),
            (.reactNative, "{\"x\":{\"publicKeyHashes\":[\"\(Lint.a)\"]},\"publicKeyHashes\":{\"\(host)\":5}}"),
            (.stubby, "upstream_recursive_servers:\n  - \"\(host)\": a\n    \"\(host)\": b\n"),
        ]
        for (format, text) in files {
            let findings = try Lint.findings(text, as: format)
            #expect(!findings.isEmpty)
            for finding in findings {
                let shown = "\(finding) \(finding.hint ?? "") \(finding.host ?? "")"
                #expect(!shown.contains("hunter22") && !shown.contains(Self.key.suffix(60)))
            }
        }
    }

    /// Each fingerprint has another host. The limit is that of ``GrowthTests``.
    @Test(.notWithSanitizer) func hostsOfFingerprintsTakeLinearTime() throws {
        func file(_ count: Int) -> [UInt8] {
            let list = (0..<count).map { number in
                let fingerprint = Pin(subjectPublicKeyInfo: Array("\(number)".utf8)).base64
                return "{\"name\":\"h\(number).example\",\"fingerprint\":\"\(fingerprint)\",\"expires\":1900000000}"
            }
            return Array("{\"fingerprints\":[\(list.joined(separator: ","))]}".utf8)
        }
        let (small, large) = (file(500), file(4000))
        func read(_ file: [UInt8]) { #expect(throws: Never.self) { try LintInput(file, as: .wultra) } }
        read(small)
        #expect(Work.growth(small: { read(small) }, large: { read(large) }) < 30)
    }
}
