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

    /// The text with ``mask`` in place of each password: as it is, with its user, as Basic sends it in base64 (RFC 7617), in
    /// base64url (RFC 4648, section 5), and with the escapes of a message. In each of these forms, any byte can be percent-encoded, once
    /// or twice (RFC 3986, section 2.1), and a space can be a plus sign, as in a form. Upper and lower case are equal.
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
            var views = FoldedText.views(of: Array(text.utf8))
            var isChanged = false
            for form in forms {
                // A form can be in one view and not in another, such as a password that contains a percent sign.
                while let masked = views.lazy.compactMap({ $0.replacing(form, with: Array(mask.utf8)) }).first {
                    views = FoldedText.views(of: masked)
                    isChanged = true
                }
            }
            return isChanged ? String(decoding: views[0].source, as: UTF8.self) : text
        }
    }

    private static func forms(of password: [UInt8], user: String) -> [[UInt8]] {
        let pair = Array(user.utf8) + [UInt8(ascii: ":")] + password
        let text = String(decoding: password, as: UTF8.self)
        let excerpt = text.quotedExcerpt.utf8.dropFirst().dropLast()
        let encoded = [password, pair].flatMap { bytes in
            let text = Array(Base64.encode(bytes).utf8)
            return [text, text.map(urlCharacter)].flatMap { [$0, $0.filter { $0 != UInt8(ascii: "=") }] }
        }
        return ([password, pair, Array(text.escaped.utf8), Array(excerpt)] + encoded).map { FoldedText($0).folded }
    }

    /// The character of base64url for one of base64.
    private static func urlCharacter(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }
}
