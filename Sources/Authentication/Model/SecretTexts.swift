internal import Encodings
internal import OpenSSL

/// The passwords of a run, which a server or a proxy can repeat in the text of its answer.
package struct SecretTexts: Sendable {
    /// A shorter password is not replaced, because it also occurs in other words.
    private static let minimumLength = 4

    /// The text that replaces a password.
    private static let mask = "***"

    private let credentials: [PasswordCredential]

    package init(_ credentials: [PasswordCredential]) { self.credentials = credentials }

    /// The text with ``mask`` in place of each password: as it is, with its user, as Basic sends it in base64 (RFC 7617), in a URL
    /// (RFC 3986, section 2.1), and with the escapes of a message. Upper and lower case of ASCII are equal, because host names are
    /// written in lower case.
    package func masking(_ text: String) -> String {
        guard !credentials.isEmpty else { return text }
        return credentials.reduce(text) { Self.masking($0, $1) }
    }

    private static func masking(_ text: String, _ credential: PasswordCredential) -> String {
        credential.withPassword { password in
            guard password.count >= minimumLength else { return text }
            var forms = forms(of: password, user: credential.user)
            defer { for index in forms.indices { SecretBytes.wipe(&forms[index]) } }
            // The longest form first, so that no part of it is left.
            forms.sort { $0.count > $1.count }
            var bytes = Array(text.utf8)
            var isChanged = false
            for form in forms where bytes.count >= form.count {
                guard let masked = masking(bytes, form) else { continue }
                bytes = masked
                isChanged = true
            }
            return isChanged ? String(decoding: bytes, as: UTF8.self) : text
        }
    }

    private static func forms(of password: [UInt8], user: String) -> [[UInt8]] {
        let pair = Array(user.utf8) + [UInt8(ascii: ":")] + password
        let text = String(decoding: password, as: UTF8.self)
        let excerpt = text.quotedExcerpt.utf8.dropFirst().dropLast()
        return [password, pair, Array(text.escaped.utf8), Array(excerpt)]
            + [password, pair].flatMap { bytes in
                let encoded = Base64.encode(bytes).utf8
                return [Array(encoded), encoded.filter { $0 != UInt8(ascii: "=") }, percentEncoded(bytes)]
            }
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in
            byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercased)
                || "-._~".utf8.contains(byte)
                ? [byte] : Array("%\(Hex.encode([byte]))".utf8)
        }
    }

    /// - Returns: nil if the text does not contain the form.
    private static func masking(_ text: [UInt8], _ form: [UInt8]) -> [UInt8]? {
        guard let first = form.first?.lowercased else { return nil }
        var output: [UInt8] = []
        var start = 0
        var index = 0
        while index <= text.count - form.count {
            guard text[index].lowercased == first,
                zip(text[index...], form).allSatisfy({ $0.lowercased == $1.lowercased })
            else {
                index += 1
                continue
            }
            output += text[start..<index] + Array(mask.utf8)
            index += form.count
            start = index
        }
        return start == 0 ? nil : output + text[start...]
    }
}
