internal import Encodings
internal import OpenSSL

/// The passwords of a run, which a server or a proxy can repeat in the text of its answer.
package struct SecretTexts: Sendable {
    /// A shorter password is not replaced, because it also occurs in other words.
    private static let minimumLength = 4

    /// The text that replaces a password consists of three of the first of these characters that no user and no password contains.
    /// Otherwise a mask and the text next to it could be a password again.
    private static let maskCharacters = Array("*#~".utf8)

    private let credentials: [PasswordCredential]

    package init(_ credentials: [PasswordCredential]) { self.credentials = credentials }

    /// The text with `***` in place of each password, or `###` or `~~~` if a user or a password contains an asterisk: as it is, with its
    /// user, as Basic sends it in base64 (RFC 7617), in base64url (RFC 4648, section 5), and with the escapes of a message. In each of
    /// these forms, any byte can be percent-encoded, once or twice (RFC 3986, section 2.1), and a space can be a plus sign, as in a
    /// form. Upper and lower case are equal.
    ///
    /// If users and passwords contain all these characters, `***` replaces the whole text in which a password occurs.
    package func masking(_ text: String) -> String {
        guard !credentials.isEmpty else { return text }
        let character = Self.maskCharacters.first { character in
            credentials.allSatisfy { credential in
                credential.withPassword { password in
                    password.count < Self.minimumLength
                        || !password.contains(character) && !credential.user.utf8.contains(character)
                }
            }
        }
        return credentials.reduce(text) { Self.masking($0, $1, character) }
    }

    /// - Parameter character: the character of the mask; nil to replace the whole text.
    private static func masking(_ text: String, _ credential: PasswordCredential, _ character: UInt8?) -> String {
        credential.withPassword { password in
            guard password.count >= minimumLength else { return text }
            let mask = [UInt8](repeating: character ?? maskCharacters[0], count: 3)
            var forms = forms(of: password, user: credential.user)
            defer { for index in forms.indices { SecretBytes.wipe(&forms[index]) } }
            // The longest form first, so that no part of it is left.
            forms.sort { $0.count > $1.count }
            var views = FoldedText.views(of: Array(text.utf8))
            var isChanged = false
            for form in forms {
                // A form can be in one view and not in another, such as a password that contains a percent sign. The form does not
                // contain the character of the mask, so it disappears from a view at once.
                while let masked = views.lazy.compactMap({ $0.replacing(form, with: mask) }).first {
                    guard character != nil else { return String(decoding: mask, as: UTF8.self) }
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
