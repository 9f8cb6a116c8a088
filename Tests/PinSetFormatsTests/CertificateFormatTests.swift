import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Formats with fingerprints of certificates, and certificate files.
@Suite struct CertificateFormatTests: FormatSuite {
    /// aiohttp, client_reqrep.py (`Fingerprint.__init__`): 32 bytes; 16 and 20 bytes are a ValueError.
    @Test func aiohttpReadsFingerprints() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let escaped = certificate.sha256.map { "\\x" + Hex.encode([$0]) }.joined()
        let inputs = ConversionInputs(certificates: [certificate])
        for expression in ["b'\(escaped)'", "bytes.fromhex(\"\(hex)\")", "binascii.unhexlify('\(hex)')"] {
            let text = """
                import aiohttp
                # aiohttp.Fingerprint(b"x") is a comment
                async with session.get('https://h.example/x', ssl=aiohttp.Fingerprint(\(expression))) as r: pass
                """
            let reading = try PinSet.read(Array(text.utf8), with: inputs)
            #expect(reading.format == .aiohttp)
            #expect(summary(reading) == ["h.example leaf \(certificate.pin.base64)"])
        }
        let short = "import aiohttp\naiohttp.Fingerprint(b'0123456789abcdef')"
        #expect(
            try error(short, as: .aiohttp, host: "h.example").message.hasSuffix(
                "line 2 is not read: aiohttp rejects a fingerprint of 16 bytes"))
    }

    /// Only `bytes.fromhex` skips white space, and only between two bytes. With the other texts, Python raises an error.
    /// Only Python knows the value of an expression, which is read as the given host.
    @Test(arguments: [
        ("{f\"{env}.h.example\": PIN}", #"f"{env}.h.example""#), ("{\"x.\" \"h.example\": PIN}", "\"h.example\""),
        ("{\"x.\" + \"h.example\": PIN}", "\"h.example\""), ("{HOST: PIN}", "HOST"),
        ("get(f\"https://{env}.h.example/\", ssl=PIN)", "f\"https://{env}.h.example/\""), ("get(url, ssl=PIN)", "url"),
        ("TCPConnector(ssl=PIN)", nil), ("{\n  \"h.example\": PIN}", nil), ("{'a': 1, 'h.example': PIN}", nil),
    ])
    func aiohttpNamesExpressionsForHosts(text: String, expression: String?) throws {
        let pin = "aiohttp.Fingerprint(bytes.fromhex(\"\(Self.hex)\"))"
        var warnings = ConversionWarnings()
        let entries = try AIOHTTPFormat.entries(
            in: Array(text.replacing("PIN", with: pin).utf8), host: "h.example", &warnings)
        #expect(entries.map(\.host) == ["h.example"])
        #expect(warnings.list.map(\.reason) == (expression.map { [.patternAsHost($0, line: 1)] } ?? []))
    }

    @Test func aiohttpReadsWhiteSpaceAsPython() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let inputs = ConversionInputs(host: "h.example", certificates: [certificate])
        func reading(_ expression: String) throws -> PinSetReading {
            let text = """
                import aiohttp
                a = aiohttp.Fingerprint(\(expression))
                b = aiohttp.Fingerprint(bytes.fromhex("\(hex)"))
                """
            return try PinSet.read(Array(text.utf8), as: .aiohttp, with: inputs)
        }
        let (spaced, divided) = ("\(hex.prefix(2)) \(hex.dropFirst(2))", "\(hex.prefix(1)) \(hex.dropFirst(1))")
        for (expression, isRead) in [
            ("bytes.fromhex(\"\(spaced) \")", true), ("binascii.unhexlify(\"\(spaced)\")", false),
            ("bytes.fromhex(\"\(divided)\")", false),
        ] {
            let found = try reading(expression)
            #expect(summary(found) == ["h.example leaf \(certificate.pin.base64)"])
            let isUnknown = found.warnings.contains {
                if case .unknownPin(_, line: 2) = $0.reason { true } else { false }
            }
            #expect(isUnknown != isRead, "\(expression): \(found.warnings)")
        }
    }

    /// openfortivpn, src/config.c (`add_trusted_cert`) and src/tunnel.c: memcmp with lower-case digits.
    @Test func openfortivpnReadsLowerCaseDigitsOnly() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let inputs = ConversionInputs(certificates: [certificate])
        let text = "host = h.example\nport = 443\ntrusted-cert = \(hex)\n"
        #expect(
            summary(try PinSet.read(Array(text.utf8), with: inputs)) == ["h.example leaf \(certificate.pin.base64)"])
        let command = "openfortivpn h.example:443 --trusted-cert \(hex)00\n"
        #expect(
            summary(try PinSet.read(Array(command.utf8), with: inputs)) == ["h.example leaf \(certificate.pin.base64)"])
        let upper = try error("host=h.example\ntrusted-cert = \(hex.uppercased())\n", as: .openfortivpn)
        #expect(
            upper.message.hasSuffix("\"\(hex.uppercased())\" on line 2 never matches a certificate; it is left out"))
    }

    /// http_certificate_pinning, lib/http_certificate_pinning.dart: colons are removed, white space and case do not matter.
    @Test func flutterReadsCalls() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let colons = stride(from: 0, to: 64, by: 2).map { String(Array(hex)[$0..<$0 + 2]) }.joined(separator: ":")
        let inputs = ConversionInputs(host: "given.example", certificates: [certificate])
        let calls = [
            ("CertificatePinningInterceptor(allowedSHAFingerprints: ['\(colons.uppercased())'])", "given.example"),
            (
                "HttpCertificatePinning.check(serverURL: \"https://h.example/\", allowedSHAFingerprints: const <String>['\(hex)'], timeout: 5)",
                "h.example"
            ),
            (
                "final client = SecureHttpClient.build(pins);\nconst pins = [\"\(colons.replacing(":", with: " "))\"];",
                "given.example"
            ),
        ]
        for (call, host) in calls {
            let reading = try PinSet.read(Array("void main() { \(call); }".utf8), with: inputs)
            #expect(reading.format == .flutter)
            #expect(summary(reading) == ["\(host) leaf \(certificate.pin.base64)"])
        }
        // With SHA.SHA1, the package compares SHA-1 (enum `SHA`).
        let mixed =
            "HttpCertificatePinning.check(serverURL: 'https://h.example', sha: SHA.SHA1, allowedSHAFingerprints: ['\(hex)'])"
        let never = try error(mixed, as: .flutter)
        #expect(never.message.contains("never matches a certificate"), "\(never)")
        let same = try PinSet.read(
            Array(mixed.replacing("SHA1", with: "SHA256").utf8), as: .flutter, with: inputs)
        #expect(summary(same) == ["h.example leaf \(certificate.pin.base64)"])
        let unknown = try error("check(allowedSHAFingerprints: [a, 'AA BB'])", as: .flutter, host: "h.example")
        #expect(unknown.message.hasSuffix("the pin on line 1, \"a\", has no value in this file; it is left out"))
    }

    /// A written file has the fingerprints of the given certificates, and reads back.
    @Test(arguments: [PinSetFormat.flutter, .aiohttp, .openfortivpn])
    func fingerprintsComeBack(format: PinSetFormat) throws {
        let certificate = try Certificate(der: Self.certificate())
        let set = try PinSet(entries: [
            PinSet.Entry(host: "h.example", pins: [.init(pin: certificate.pin, role: .leaf)]),
            PinSet.Entry(host: "i.example", pins: [.init(pin: certificate.pin, role: .leaf)]),
        ])
        #expect(throws: PinSetFormatError.self) { try set.written(as: format) }
        let inputs = ConversionInputs(certificates: [certificate])
        let writing = try set.written(as: format, with: inputs)
        #expect(String(decoding: writing.main, as: UTF8.self).contains(Hex.encode(certificate.sha256)))
        let others = writing.warnings.filter { if case .pinAsCertificates = $0.reason { false } else { true } }
        let isWeak = format == .openfortivpn
        #expect(others.map(\.reason) == (isWeak ? [.validChainsNotCompared, .validChainsNotCompared] : []))
        let reading = try PinSet.read(writing.main, with: inputs)
        #expect(reading.format == format)
        #expect(reading.set.entries.map(\.host) == ["h.example", "i.example"])
        #expect(reading.set.entries.allSatisfy { $0.pins.map(\.pin) == [certificate.pin] })
        let codec = try #require(format.codec as? any FingerprintWritingCodec.Type)
        let isGenerated = codec.isGenerated(writing.main)
        let isGeneratedWithMore = codec.isGenerated(writing.main + Array("# more\n".utf8))
        #expect(isGenerated && !isGeneratedWithMore)
    }

    @Test func certificatesAreRead() throws {
        let der = try Self.certificate()
        let pem = Array(PEM.certificate(der).utf8)
        for bytes in [der, pem, Array("text\n".utf8) + pem] {
            let reading = try PinSet.read(bytes, with: ConversionInputs(host: "h.example"))
            #expect(reading.format == .certificates)
            let key = try #require(reading.set.entries.first?.pins.first)
            // openssl x509 -in ISRG_Root_X1.pem -noout -subject -enddate
            #expect(key.label == "ISRG Root X1" && key.role == .root)
            #expect(key.notAfter == Timestamp(rfc3339: "2035-06-04T11:04:38Z"))
            #expect(key.pin.base64 == OkHttpFormatTests.x1)
        }
        #expect(try PinSet.read(der + der, with: ConversionInputs(host: "h.example")).set.entries[0].pins.count == 1)
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(der) }
        #expect(error?.need == .host)
    }

    @Test func certificatesAreWritten() throws {
        let certificate = try Certificate(der: Self.certificate())
        let set = try PinSet(entries: [PinSet.Entry(host: "h.example", pins: [.init(pin: certificate.pin)])])
        let inputs = ConversionInputs(certificates: [certificate])
        #expect(try set.written(as: .certificates, with: inputs).files.map(\.bytes) == [certificate.der])
        let pem = try set.written(as: .certificatesPEM, with: inputs)
        #expect(pem.main == Array(PEM.certificate(certificate.der).utf8))
        #expect(throws: PinSetFormatError.self) { try set.written(as: .certificates) }
        let other = try PinSet(entries: [PinSet.Entry(host: "h.example", pins: [.init(pin: .numbered(1))])])
        #expect(throws: PinSetFormatError.self) { try other.written(as: .certificates, with: inputs) }
    }
}
