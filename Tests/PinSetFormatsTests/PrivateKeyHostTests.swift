import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// A private key in place of a host is an error of each reader, which names the place and does not show the key.
@Suite struct PrivateKeyHostTests {
    private static let one = "doqV9xMo8MAv8x/BtTYbIu9wZF/f0Kj19EQqf9Pmf5Y="
    private static let other = "Qi6DIFri1DQAJoc2XKnu3AEZBcvGus8854ebIV3+fvI="

    /// The start of an Ed25519 key (RFC 8410, section 7) with 12 bytes of its secret.
    private static let digits = "302e020100300506032b657004220420d4735e3a265e16eee03f5971"
    /// The same in base64, with 29 bytes of the secret.
    private static let base64 = "MC4CAQAwBQYDK2VwBCIEINRzXjomXhbu4D9ZcYubXQMBnAfYtsUfkNo6Zm7s"

    /// A label that no other part of a written file contains.
    private static let label = String(repeating: "x", count: 60)

    private static func set() throws -> PinSet {
        let pins = [one, other].map { "\"\($0)\"" }.joined(separator: ",")
        return try PinSet(json: Array("{\"version\":1,\"hosts\":{\"\(label).example.com\":[\(pins)]}}".utf8))
    }

    /// At most four characters of the key are shown, also in lower case.
    private static func expectHidden(_ error: PinSetFormatError?) {
        let text = ((error?.description ?? "") + (error?.hint ?? "")).lowercased()
        #expect(!text.contains("302e0") && !text.contains("d4735"), "\(text)")
        #expect(!text.contains("mc4ca") && !text.contains("rzxjo"), "\(text)")
    }

    @Test(arguments: RoundTripTests.formats, [digits, base64])
    func isRefusedByEachReader(format: PinSetFormat, key: String) throws {
        let writing = try Self.set().written(as: format)
        let text = String(decoding: writing.main, as: UTF8.self)
        let names = writing.files.first { $0.name == "transport_security_state_static.pins" }?.bytes
        // The files of some formats have no host.
        let host = text.contains(Self.label) ? nil : "\(key).example.com"
        let file = Array(text.replacing(Self.label, with: key).utf8)
        let error = #expect(throws: PinSetFormatError.self) {
            try PinSet.read(
                file, as: format == .trustkitSwift ? .trustkit : format,
                with: ConversionInputs(host: host, names: names))
        }
        #expect(error?.message.contains("a private key") == true, "\(error?.message ?? "")")
        #expect(error?.hint?.hasPrefix("remove it") == true)
        #expect(error?.line != nil)
        Self.expectHidden(error)
    }

    /// Hosts in patterns, messages, comments, wildcards and endpoints.
    @Test(
        arguments: [
            (.okhttp, "CertificatePinner.Builder().add(\"**.KEY.test\", \"sha256/PIN\").build()"),
            (.okhttp, "Certificate pinning failure!\n  Pinned certificates for KEY:\n    sha256/PIN\n"),
            (.openconnect, "# host: KEY\nopenconnect --servercert pin-sha256:PIN\n"),
            (.pins, "{\"version\":1,\"hosts\":{\"*.KEY\":[\"PIN\"]}}"),
            (.pins, "{\"version\":1,\"hosts\":{\"h.test\":{\"endpoints\":[\"KEY.h.test:1\"],\"pins\":[\"PIN\"]}}}"),
        ] as [(PinSetFormat, String)])
    func isRefusedInOtherPlaces(format: PinSetFormat, text: String) {
        for key in [Self.digits, Self.base64] {
            let file = text.replacing("KEY", with: key).replacing("PIN", with: Self.one)
            let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(file.utf8), as: format) }
            #expect(error?.message.contains("contains a private key") == true, "\(error?.message ?? "")")
            #expect(error?.line != nil)
            Self.expectHidden(error)
        }
    }

    // MARK: Names of a zone

    /// An EC key on P-256 as `openssl genpkey` writes it, in base64.
    private static let key =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/IlpPKb37jwImIB6A2CQcOa3Ba6hG2ci3BJcBmdM3OhRANCAATpCyiRSCULXp5uyMgK2n"

    /// A key over several lines in place of the name of a record. Without the lines before it, its last line is not recognized.
    @Test(arguments: [20, 48, 64], ["", "key=", "_443._tcp.", "$ORIGIN "])
    func isRefusedInNamesOfRecords(width: Int, prefix: String) throws {
        let lines = stride(from: 0, to: Self.key.count, by: width).map { Self.key.dropFirst($0).prefix(width) }
        let last = try #require(lines.last)
        let record = "IN TLSA 2 1 1 \(TextFormatTests.x1Hex)"
        for end in [" ", "\n ", ". "] {
            let zone = prefix + lines.joined(separator: "\n") + end + record + "\n"
            let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(Array(zone.utf8), as: .tlsa) }
            #expect(error?.message == "a name is a part of a private key")
            #expect(error?.line == 1)
            #expect(error?.description.contains(last.prefix(8)) == false)
        }
    }

    /// The public key of a DKIM record (RFC 6376, section 3.6.1) and a digest are no private keys.
    @Test func namesBesideOtherKeysAreRead() throws {
        let record = "_443._tcp.h.example. IN TLSA 2 1 1 \(TextFormatTests.x1Hex)\n"
        let key =
            "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu9Vn0LLrHlBB1iX7XqZsZsxkIhCPmgk1r3FvZkRTxzGd2Yp6v0fLRhJtW8O0tFh"
        let zone =
            "s._domainkey.h.example. IN TXT \"v=DKIM1; p=\(key)\"\n\(TextFormatTests.x1Hex) IN A 192.0.2.1\n\(record)"
        #expect(try PinSet.read(Array(zone.utf8), as: .tlsa).set.entries.map(\.name) == ["h.example"])
    }
}
