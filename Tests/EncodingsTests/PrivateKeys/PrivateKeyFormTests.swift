import Foundation
import TestSupport
import Testing

@testable import Encodings

/// Keys in each form in which people paste them are recognized and hidden, and public files in the same forms are not.
struct PrivateKeyFormTests {
    private static let files =
        ((try? FileManager.default.contentsOfDirectory(atPath: Vectors.folder.appending(path: "material").path())) ?? [])
        .sorted()
    private static let keys =
        files.filter { $0.hasPrefix("private-") && $0.hasSuffix(".der") }
        + ["modern.p12", "legacy.p12", "no-password.p12", "plain.p12"]
    private static let publicFiles = files.filter {
        $0.hasSuffix(".der") && !$0.hasPrefix("private-") || $0.hasPrefix("certificates.p7")
    }

    /// All forms of a short file, and some of a long one, because a build for tests is slow.
    private static func forms(for bytes: [UInt8]) -> [WrittenForm] {
        bytes.count < 200
            ? WrittenForm.allCases : [.base64, .hex, .colons, .xxd, .prefixedLines, .decimal, .signed, .od, .casts]
    }

    @Test func thereAreFiles() {
        #expect(Self.keys.count > 12 && Self.publicFiles.count > 30)
    }

    @Test(arguments: keys) func aKeyIsRecognized(name: String) throws {
        let bytes = try Vectors.bytes(name)
        for form in Self.forms(for: bytes) {
            let text = form.text(of: bytes)
            let kind: PrivateKeyKind = name.hasSuffix(".p12") ? .pkcs12 : .privateKey
            #expect(text.privateKeyKind == kind, "\(form): \(text.prefix(100))")
            #expect("the path \"\(text)\" is unknown".containsPrivateKey, "\(form)")
            #expect(text.inJSON == text.withoutPrivateKeys.inJSON, "\(form)")
            guard bytes.count < 400 else { continue }
            Secret(text, bytes: bytes.count, header: Self.header(of: bytes, form)).expectHidden("\(form) of \(name)")
        }
    }

    /// A message has blanks in place of line ends.
    @Test(arguments: keys) func aDumpOnOneLineIsHidden(name: String) throws {
        let bytes = try Vectors.bytes(name)
        let dump = WrittenForm.od.text(of: bytes)
        let text = "554 \(dump.replacing("\n", with: " ")) end"
        #expect(text.containsPrivateKey)
        // The last line is hidden, too.
        let last = try #require(dump.split(separator: "\n").last { $0.count > 20 }?.suffix(12))
        #expect(!text.withoutPrivateKeys.contains(last), "\(name)")
    }

    /// The files in PEM, and the magic bytes of other programs, in each form.
    @Test(arguments: ["private-p256-pkcs8.pem", "private-rsa2048-encrypted.pem", "refused-openssh-private"])
    func aFileInTextIsRecognized(name: String) throws {
        let bytes = try Vectors.bytes(name)
        #expect(String(decoding: bytes, as: UTF8.self).containsPrivateKey)
        let body = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
        for separator in ["\n", " ", "\\n", "", "\r\n\t"] {
            let text = body.joined(separator: separator)
            #expect(text.containsPrivateKey)
            for start in ["", "-----BEGIN PRIVATE KEY-----\(separator)"] {
                Secret(start + text, bytes: text.utf8.count, header: start.utf8.count + 4)
                    .expectHidden("\(name) with \(separator.debugDescription)")
            }
        }
        // Groups of characters, and what a mail, a listing or a comment has before each line.
        let base64 = body.joined()
        for (size, separator) in [
            (2, " "), (4, " "), (8, "\t"), (32, "\n> "), (32, "\n // "), (40, "\n  7\t"), (30, "\\n 17| "),
        ] {
            let parts = stride(from: 0, to: base64.count, by: size).map { base64.dropFirst($0).prefix(size) }
            let text = parts.joined(separator: separator)
            #expect(text.containsPrivateKey, "\(name) with \(separator.debugDescription)")
            // The end of the cipher of a key of RFC 1421 is not known, so that words are not taken for it.
            guard size > 8 || !name.contains("encrypted") else { continue }
            for start in ["", "-----BEGIN PRIVATE KEY-----\(separator)"] {
                Secret(start + text, bytes: text.utf8.count, header: start.utf8.count + 4)
                    .expectHidden("\(name) with \(separator.debugDescription)")
            }
        }
        for form in Self.forms(for: []) {
            #expect(form.text(of: Array(bytes.prefix(200))).containsPrivateKey, "\(form) of \(name)")
        }
    }

    /// The binary forms of OpenSSH, and the PEM of OpenSSL with a type of key.
    @Test(arguments: WrittenForm.allCases) func otherStartsAreRecognized(form: WrittenForm) throws {
        let body = String(decoding: try Vectors.bytes("refused-openssh-private"), as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let rsa = try Vectors.bytes("private-rsa2048-traditional.pem")
        // The characters of a dump are those of the file.
        for bytes in [try Base64.decode(body), rsa] where form != .pythonBytes {
            #expect(form.text(of: Array(bytes.prefix(120))).containsPrivateKey)
        }
        let publicKey = Array("-----BEGIN RSA PUBLIC KEY-----\nMIIBCgKCAQEA".utf8)
        #expect(!form.text(of: publicKey).containsPrivateKey)
    }

    /// Wherever a text is cut, no five bytes of the key are left.
    @Test(arguments: ["private-ed25519-pkcs8.der", "private-p256-traditional.der"], WrittenForm.allCases)
    func aKeyThatIsCutIsHidden(name: String, form: WrittenForm) throws {
        let bytes = try Vectors.bytes(name)
        let secret = Secret(form.text(of: bytes), bytes: bytes.count, header: Self.header(of: bytes, form))
        for end in stride(from: secret.start, to: secret.text.count, by: name.contains("ed25519") ? 29 : 131) {
            secret.expectHidden(end: end, "\(form) of \(name), cut at \(end)")
        }
    }

    /// The first secret byte is not shown in any form: a text that is too short to be recognized ends before it.
    @Test(
        arguments: keys.filter { name in
            name.hasPrefix("private-") && !["encrypted", "unknown", "public"].contains { name.contains($0) }
        }) func theStartOfAKeyIsBeforeItsSecret(name: String) throws
    {
        let bytes = try Vectors.bytes(name)
        let output = try ChildProcess.output(
            of: ["openssl", "pkey", "-inform", "DER", "-text", "-noout"], input: bytes)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let index = try #require(lines.firstIndex { $0 == "priv:" || $0 == "privateExponent:" })
        let digits = lines[index + 1].split(separator: ":").drop { $0 == "00" }
        let secret = try Hex.decode(Array(digits.prefix(8).joined().utf8))
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: secret) })
        for form in WrittenForm.allCases {
            for count in 1...4 {
                let text = form.text(of: Array(bytes.prefix(start + count)))
                #expect(text.withoutPrivateKeys.contains("…"), "\(form) of \(name): \(text)")
            }
        }
    }

    /// A list is not used after the first line that is recognized.
    @Test(arguments: keys) func linesOfAKeyAreRecognized(name: String) throws {
        let bytes = try Vectors.bytes(name)
        for form in Self.forms(for: bytes) {
            let text = form.text(of: bytes)
            var lines = PrivateKeyLines()
            var shown: [Substring] = []
            for line in text.split(separator: "\n") {
                if lines.containsKey(Array(line.utf8)[...]) { break }
                shown.append(line)
            }
            // The longest header is that of a key of P-256 in PKCS #8.
            #expect(
                shown.joined().utf8.count <= form.text(of: Array(bytes.prefix(40))).utf8.count, "\(form) of \(name)")
        }
    }

    @Test(arguments: publicFiles) func aPublicFileIsNoKey(name: String) throws {
        let bytes = try Vectors.bytes(name)
        // The other certificates differ only in what follows the header.
        let isSpecial = ["request", "public", "certificates", "refused", "v1", "zero", "explicit", "p256"].contains {
            name.contains($0)
        }
        for form in isSpecial ? WrittenForm.allCases : [.base64, .xxd] {
            // The start tells what a file is. Two forms show that no key follows it.
            let text = form.text(of: [.base64, .hex].contains(form) ? bytes : Array(bytes.prefix(160)))
            #expect(!text.containsPrivateKey, "\(form) of \(name): \(text.prefix(200))")
            #expect(text.withoutWholePrivateKeys == text)
            var lines = PrivateKeyLines()
            for line in text.split(separator: "\n") {
                let isKey = lines.containsKey(Array(line.utf8)[...])
                #expect(!isKey, "\(form) of \(name)")
            }
        }
    }

    /// A text in one of the forms, and its parts that a message must not show: five bytes, and at least 12 characters.
    private struct Secret {
        let text: [UInt8]
        let start: Int
        private let length: Int
        private let parts: Set<[UInt8]>

        /// - Parameter header: the number of bytes that are not secret.
        init(_ text: String, bytes count: Int, header: Int) {
            self.text = Array(text.utf8)
            length = max(12, 5 * self.text.count / max(count, 1))
            start = min(self.text.count, header)
            var parts: Set<[UInt8]> = []
            for index in self.text.indices.dropLast(length - 1) where index >= start {
                parts.insert(Array(self.text[index..<index + length]))
            }
            self.parts = parts
        }

        func expectHidden(end: Int? = nil, _ comment: String) {
            let shown = Array(String(decoding: text[..<(end ?? text.count)], as: UTF8.self).withoutPrivateKeys.utf8)
            for index in shown.indices.dropLast(length - 1) where parts.contains(Array(shown[index..<index + length])) {
                Issue.record("\(comment): \(String(decoding: shown[index..<index + length], as: UTF8.self)) is left")
                return
            }
        }
    }

    /// The characters of the first bytes of a key of EC as OpenSSL writes it, before the secret.
    private static func header(of bytes: [UInt8], _ form: WrittenForm) -> Int {
        form.text(of: Array(bytes.prefix(7))).utf8.count
    }
}
