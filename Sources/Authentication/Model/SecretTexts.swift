internal import Encodings
internal import OpenSSL

/// The passwords of a run, and the users of its proxies, which a server or a proxy can repeat in the text of its answer.
package struct SecretTexts: Sendable {
    /// A shorter secret is not replaced, because it also occurs in other words.
    fileprivate static let minimumLength = 4

    /// The text that replaces a password consists of three of the first of these characters that no user and no password contains.
    /// Otherwise a mask and the text next to it could be a secret again.
    private static let maskCharacters = Array("*#~".utf8)

    fileprivate struct Entry {
        let credential: PasswordCredential
        /// Whether the user is a secret, too.
        let hidesUser: Bool
    }

    private let entries: [Entry]

    /// - Parameters:
    ///   - credentials: the logins at servers, whose passwords are replaced.
    ///   - proxies: the logins at proxies, whose users are replaced, too.
    package init(_ credentials: [PasswordCredential], proxies: [PasswordCredential] = []) {
        entries =
            credentials.map { Entry(credential: $0, hidesUser: false) }
            + proxies.map { Entry(credential: $0, hidesUser: true) }
    }

    /// The text with `***` in place of each secret, or `###` or `~~~` if a secret contains an asterisk: as it is, with its user, as
    /// Basic sends it in base64 (RFC 7617), in base64url (RFC 4648, section 5), and with the escapes of a message. In each of these
    /// forms, any character can be percent-encoded (all of its bytes), once or twice (RFC 3986, section 2.1), and a space can be a plus
    /// sign, as in a form. Upper and lower case are equal.
    ///
    /// A message can contain an excerpt of a server's text that ends within a secret. So the beginning of a secret before an ellipsis is
    /// replaced, too, if it has at least four bytes. It can also contain the first bytes of an answer in hexadecimal digits.
    ///
    /// If the secrets contain all these characters, `***` replaces the whole text in which one occurs.
    package func masking(_ text: String) -> String {
        var forms = entries.flatMap(\.forms)
        defer { for index in forms.indices { SecretBytes.wipe(&forms[index]) } }
        guard !forms.isEmpty else { return text }
        // Without such a character, the mask replaces the whole text.
        let character = Self.maskCharacters.first { character in
            entries.allSatisfy { !$0.contains(character) }
        }
        let mask = [UInt8](repeating: character ?? Self.maskCharacters[0], count: 3)
        var views = FoldedText.views(of: Array(text.utf8))
        var isChanged = false
        // The mask contains no character of a form, so each pass leaves fewer of them.
        while let masked = FoldedText.replacing(forms, in: views, Self.minimumLength, with: mask) {
            guard character != nil else { return String(decoding: mask, as: UTF8.self) }
            views = FoldedText.views(of: masked)
            isChanged = true
        }
        return isChanged ? String(decoding: views[0].source, as: UTF8.self) : text
    }
}

extension SecretTexts.Entry {
    /// The secrets, each of which has at least the minimum length.
    private func withSecrets<Value>(_ body: ([[UInt8]]) -> Value) -> Value {
        credential.withPassword { password in
            let secrets = hidesUser ? [password, Array(credential.user.utf8)] : [password]
            return body(secrets.filter { $0.count >= SecretTexts.minimumLength })
        }
    }

    /// Whether a form of a secret contains this character.
    func contains(_ character: UInt8) -> Bool {
        withSecrets { secrets in
            guard !secrets.isEmpty else { return false }
            return (secrets + [Array(credential.user.utf8)]).contains {
                $0.contains(character) || FoldedText.canonical($0).contains(character)
            }
        }
    }

    /// The forms of the secrets, without those that are too short; empty if there is no secret.
    var forms: [[UInt8]] {
        withSecrets { secrets in
            guard !secrets.isEmpty else { return [] }
            let hasPassword = credential.withPassword { $0.count >= SecretTexts.minimumLength }
            let pair = credential.withPassword { Array(credential.user.utf8) + [UInt8(ascii: ":")] + $0 }
            return secrets.flatMap(SecretTexts.forms)
                + (hasPassword ? SecretTexts.encodedForms(of: pair) + SecretTexts.folded([pair]) : [])
        }
    }
}

extension SecretTexts {
    fileprivate static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let text = String(decoding: secret, as: UTF8.self)
        return folded([secret, Array(text.escaped.utf8), Array(text.excerpt.utf8), unquoted(secret)])
            + encodedForms(of: secret)
    }

    /// A secret as it is read from a realm whose server does not double the backslashes: each is the start of a quoted-pair (RFC 9110, section
    /// 5.6.4).
    private static func unquoted(_ secret: [UInt8]) -> [UInt8] {
        var (text, isQuoted): ([UInt8], Bool) = ([], false)
        for byte in secret {
            isQuoted = byte == UInt8(ascii: "\\") && !isQuoted
            if !isQuoted { text.append(byte) }
        }
        return text.count < minimumLength ? secret : text
    }

    fileprivate static func encodedForms(of bytes: [UInt8]) -> [[UInt8]] {
        let text = Array(Base64.encode(bytes).utf8)
        return folded([text, text.map(urlCharacter)].flatMap { [$0, $0.filter { $0 != UInt8(ascii: "=") }] })
    }

    /// The texts and their canonical forms. A canonical form can be so short that it also occurs in other words.
    fileprivate static func folded(_ texts: [[UInt8]]) -> [[UInt8]] {
        let canonical = texts.map { FoldedText.canonical($0) }.filter { $0.count >= minimumLength }
        return (texts + canonical).map { FoldedText($0).folded }
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
