import Foundation
import KeyFiles
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// Files without a pin, with their messages.
@Suite struct UnsupportedFileTests {
    @Test(arguments: [
        ("refused-empty", "the file is empty"),
        ("refused-white-space", "the file contains only white space"),
        ("refused-crl.pem", "this is a certificate revocation list: expected a certificate or a key"),
        ("refused-crl.der", "this is a certificate revocation list: expected a certificate or a key"),
        ("refused-parameters.pem", "this is a set of parameters without a key: expected a certificate or a key"),
        ("refused-gzip", "this is gzip data: expected a certificate or a key"),
        ("refused-zip", "this is a ZIP archive: expected a certificate or a key"),
        ("refused-openssh-private", "this is an OpenSSH private key: expected a certificate or a key"),
        ("refused-openssh-public", "this is an SSH public key: expected a certificate or a key"),
        ("refused-java-key-store", "this is a Java key store: expected a certificate or a key"),
        ("refused-pgp-public.asc", "this is a PGP key or message: expected a certificate or a key"),
        ("refused-utf16", "this is text in UTF-16: expected a certificate or a key"),
        ("refused-sha256-hex", "this is a digest: expected a certificate or a key"),
        ("refused-sha256-base64", "this is a digest: expected a certificate or a key"),
        ("refused-sha256-binary", "this is a digest: expected a certificate or a key"),
        ("refused-trailing.der", "3 bytes after the end of the object"),
    ])
    func namesTheTypeOfTheFile(file: String, message: String) throws {
        let found = try KeyFile.read(Vectors.bytes(file))
        #expect(found.map { Self.message($0) } == [message])
    }

    @Test(arguments: [
        ("ffd8ffe000104a46", "this is a JPEG image"), ("89504e470d0a1a0a", "this is a PNG image"),
        ("474946383961", "this is a GIF image"), ("255044462d312e37", "this is a PDF document"),
        ("fd377a585a00", "this is xz data"), ("28b52ffd00", "this is Zstandard data"),
        ("425a6839", "this is bzip2 data"),
        ("7f454c46", "this is an executable file"), ("cececece00", "this is a Java key store"),
        ("53514c69746520666f726d6174203300", "this is an SQLite database"),
        ("4d004900490042003000", "this is text in UTF-16"), ("2d002d002d002d00", "this is text in UTF-16"),
        ("0000000000000000", "this is neither a certificate nor a key"),
        ("00", "this is neither a certificate nor a key"),
    ])
    func recognizesFormatsByTheirFirstBytes(hex: String, start: String) throws {
        let found = KeyFile.read(try Hex.decode(hex.utf8))
        #expect(found.count == 1)
        #expect(found.first.flatMap { Self.message($0) }?.hasPrefix(start) == true, "\(found)")
    }

    @Test(arguments: [
        ("<!DOCTYPE html>\n<html>", "this is HTML or XML"), ("\n  <?xml version=\"1.0\"?>", "this is HTML or XML"),
        ("{\"pins\": []}", "this is JSON"), ("ecdsa-sha2-nistp256 AAAA", "this is an SSH public key"),
        ("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA", "this is an SSH public key"),
        ("PuTTY-User-Key-File-3: ssh-ed25519", "this is a PuTTY private key"),
        ("-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nAAAA\n=AAAA\n-----END PGP MESSAGE-----", "this is a PGP key"),
        ("sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "this is a digest"),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709  file", "this is a digest"),
        ("hello", "this is neither a certificate nor a key"), ("0", "this is neither a certificate nor a key"),
        ("aGVsbG8gd29ybGQsIGFuZCBtb3Jl", "this is base64, but not of"), ("MA==", "this is base64, but not of"),
        ("-----BEGIN CERTIFICATE-----\nMIIB", "line 2: expected \"-----END CERTIFICATE-----\""),
        (
            "-----BEGIN SOMETHING-----\nAAAA\n-----END SOMETHING-----",
            "expected SEQUENCE at byte 0, found end-of-contents"
        ),
        (
            "-----BEGIN SOMETHING-----\nMAUEA0FCQw==\n-----END SOMETHING-----",
            "the PEM block \"SOMETHING\" contains neither a certificate nor a key"
        ),
        (
            "-----BEGIN PUBLIC KEY-----\nMIIBIjAN\n-----END PUBLIC KEY-----",
            "truncated: 288 more bytes expected"
        ),
    ])
    func recognizesTexts(text: String, start: String) {
        let found = KeyFile.read(Array(text.utf8))
        #expect(found.count == 1)
        #expect(found.first.flatMap { Self.message($0) }?.hasPrefix(start) == true, "\(found)")
    }

    @Test func reportsMissingBytes() throws {
        let whole = try Vectors.bytes("cert-p256.der").count
        #expect(
            try KeyFile.read(Vectors.bytes("refused-truncated.der")).map { Self.message($0) }
                == ["truncated: \(whole - 200) more bytes expected"])
        let text = try Vectors.bytes("refused-truncated.pem")
        let lines = text.count { $0 == UInt8(ascii: "\n") }
        #expect(
            KeyFile.read(text).map { Self.message($0) }
                == ["line \(lines + 1): expected \"-----END CERTIFICATE-----\" for block 1"])
    }

    @Test func reportsBER() throws {
        let der = try Vectors.bytes("cert-p256.der")
        let found = KeyFile.read([0x30, 0x80] + der[4...] + [0, 0])
        #expect(found.map { Self.message($0) } == ["BER, not DER: indefinite length at byte 0"])
    }

    @Test func reportsEmptyContainers() throws {
        // ContentInfo of a SignedData without certificates (RFC 2315, section 9.1).
        let empty = try Hex.decode("302306092a864886f70d010702a01630140201013100300b06092a864886f70d0107013100".utf8)
        #expect(KeyFile.read(empty).map { Self.message($0) } == ["there is no certificate or key in this PKCS#7 file"])
    }

    @Test func limitsThePrivateKeySize() {
        // A PrivateKeyInfo with an unknown algorithm that is far too long.
        let key = DERWriter.element(0x04, [UInt8](repeating: 0, count: 70_000))
        let bytes = DERWriter.sequence([0x02, 0x01, 0x00], DERWriter.element(0x30, [0x06, 0x01, 0x2A])[...], key[...])
        #expect(KeyFile.read(bytes).map { Self.message($0) } == ["too large: at most 65536 bytes are expected"])
    }

    private static func message(_ result: Result<KeyFileObject, KeyFileError>) -> String? {
        guard case .failure(let error) = result else { return nil }
        return error.message
    }
}
