import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Findings from the comparison of pins with a chain: a chain of Scripts/pki, and hashes of it from openssl.
@Suite struct LintChainTests {
    private let authorities: TestAuthorities
    private let chain: CertificateChain

    init() throws {
        authorities = try TestAuthorities.shared()
        chain = try Self.chain(authorities)
    }

    private static func chain(_ authorities: TestAuthorities, anchors: String = "root") throws -> CertificateChain {
        try CertificateChain(
            validating: authorities.certificates("leaf.chain.pem"), to: authorities.anchors(anchors),
            for: .name("localhost"))
    }

    private func openssl(_ script: String) throws -> String {
        try Shell.run(script, in: authorities.folder).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func pin(_ name: String) throws -> String { try authorities.certificate(name).pin.base64 }

    /// Codes of errors and warnings.
    private func codes(_ pins: String..., chain other: CertificateChain? = nil) throws -> [LintCode] {
        let text = Lint.hosts("\"localhost\": [\(pins.joined(separator: ","))]")
        return try Lint.findings(text, chains: ["localhost": other ?? chain])
            .filter { $0.severity != .note }.map(\.code)
    }

    @Test func acceptsSetWithBackup() throws {
        #expect(try codes(Lint.key(pin("root"), role: "root"), Lint.backup(Lint.a)) == [])
    }

    @Test func identifiesHashesOfOtherData() throws {
        let hash = "openssl dgst -sha256 -binary | openssl base64"
        let certificate = try openssl("openssl x509 -in leaf.pem -outform DER | \(hash)")
        // The last 65 bytes of a key on P-256 are its point.
        let bits = try openssl(
            "openssl x509 -in leaf.pem -noout -pubkey | openssl pkey -pubin -outform DER | tail -c 65 | \(hash)")
        let text = try openssl("openssl x509 -in leaf.pem -noout -pubkey | \(hash)")
        let whole = try openssl("openssl x509 -in intermediate.pem | \(hash)")
        let right = try Lint.key(pin("root"))
        #expect(try codes(right, Lint.key(certificate)) == [.certificateHash])
        #expect(try codes(right, Lint.key(bits)) == [.bitStringHash])
        #expect(try codes(right, Lint.key(text)) == [.textHash])
        #expect(try codes(right, Lint.key(whole)) == [.textHash])
        #expect(try codes(right, Lint.key(Lint.a)) == [])
        // Without the chain, the hash is unknown.
        #expect(try Lint.codes(Lint.pins(Lint.key(certificate), Lint.key(bits))) == [])
    }

    @Test func namesMistypedKey() throws {
        let root = try pin("root")
        let mistyped = (root.hasPrefix("AAAA") ? "BBBB" : "AAAA") + root.dropFirst(4)
        #expect(try codes(Lint.key(root), Lint.key(mistyped)) == [.nearMiss])
    }

    @Test func reportsPinsOfCurrentChain() throws {
        #expect(try codes(Lint.key(pin("leaf")), Lint.key(pin("root"))) == [.noBackup])
        #expect(try codes(Lint.key(pin("leaf")), Lint.key(pin("root")), Lint.backup(Lint.a)) == [])
        #expect(try codes(Lint.key(Lint.a), Lint.key(Lint.b)) == [.liveMismatch])
        // A key that was replaced is no backup.
        let gone = Lint.key(Lint.a, ", \"goneSince\": \"2026-11-01\"")
        #expect(try codes(Lint.key(pin("leaf")), Lint.key(pin("root")), gone) == [.noBackup])
        #expect(try codes(Lint.key(pin("root")), Lint.backup(pin("leaf"))) == [.backupInUse])
        // The backup is in the chain, but at no position of its role.
        #expect(
            try codes(
                Lint.key(pin("root")), Lint.key(pin("intermediate"), ", \"role\": \"leaf\", \"state\": \"backup\""))
                == [.noBackup, .wrongRole])
        #expect(
            try codes(Lint.key(pin("root")), Lint.backup(Lint.a), Lint.key(pin("leaf"), ", \"state\": \"retired\""))
                == [.retiredInUse])
        #expect(
            try codes(Lint.key(pin("root")), Lint.key(pin("leaf"), role: "root"), Lint.backup(Lint.a)) == [.wrongRole])
        #expect(try codes(Lint.key(pin("leaf"), role: "ca"), Lint.backup(Lint.a)) == [.liveMismatch, .wrongRole])
    }

    /// If the set does not have the role of a key, the linter uses the role in the chain.
    @Test func usesRoleFromChain() throws {
        #expect(try codes("\"\(pin("leaf"))\"") == [.noBackup, .leafOnly])
        #expect(try codes("\"\(pin("root"))\"") == [.noBackup, .rootOnly])
        #expect(try codes("\"\(pin("intermediate"))\"") == [.noBackup, .intermediateOnly])
    }

    /// An untrusted chain can be from an interceptor.
    @Test func comparesNothingWithUntrustedChain() throws {
        let untrusted = try Self.chain(authorities, anchors: "other-root")
        #expect(try codes(Lint.key(Lint.a), Lint.key(Lint.b), chain: untrusted) == [.untrustedChain])
        #expect(try codes("\"\(pin("leaf"))\"", "\"\(Lint.a)\"", chain: untrusted) == [.untrustedChain])
    }

    /// Amazon Root CA 4 expires in 2040: `openssl x509 -in Amazon_Root_CA_4.crt -noout -enddate`.
    @Test func reportsExpiryOfAuthority() throws {
        let pin = "9+ze1cZgR9KO1kZrVDxA4HQ6voHRCSVNz4RdTCx4U8U="
        let text = Lint.pins(Lint.key(pin, role: "root"), Lint.backup(Lint.a))
        func codes(_ day: String) throws -> [LintCode] {
            let now = try #require(Timestamp(rfc3339: day))
            return Linter(at: now).findings(in: try LintInput(Array(text.utf8))).map(\.code)
        }
        #expect(try codes("2040-04-01") == [])
        #expect(try codes("2040-05-10") == [.authorityExpiresSoon])
        #expect(try codes("2040-06-01") == [.authorityExpired])
    }
}
