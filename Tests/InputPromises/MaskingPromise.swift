internal import Authentication
internal import Encodings

/// The promise of ``SecretTexts``: no text of a server contains the password after it is masked.
package enum MaskingPromise {
    /// The form in which the masked text still contains the password; nil if it does not contain it.
    ///
    /// - Parameter bytes: the length of the password, the password, and the text, in which bytes below 11 stand for forms of the
    ///   password.
    package static func violation(in bytes: [UInt8]) -> String? {
        guard let length = bytes.first.map({ 4 + Int($0 % 16) }), bytes.count > length else { return nil }
        let password = Array(bytes[1...length])
        // A password that is no text, such as the second half of a character, has another meaning inside a text.
        guard Array(String(decoding: password, as: UTF8.self).utf8) == password else { return nil }
        let forms = forms(of: password)
        let text = bytes.dropFirst(length + 1).flatMap { byte in
            byte < 11 ? forms[Int(byte) % forms.count] : [byte]
        }
        let secrets = SecretTexts([
            PasswordCredential(user: "user", password: password),
            PasswordCredential(user: "u", password: Array("##*a".utf8)),
        ])
        let masked = Array(secrets.masking(String(decoding: text, as: UTF8.self)).utf8)
        let secret = [
            password, Array(Base64.encode(password).utf8), Array(Base64.encode("user:".utf8 + password).utf8),
        ]
        .map { text in text.map(\.lowercased).filter { $0 != UInt8(ascii: "=") || text == password } }
        for view in views(of: masked).map({ $0.map(\.lowercased) }) {
            for form in secret where contains(view, form) {
                return "\(String(decoding: form, as: UTF8.self)) in \(String(decoding: masked, as: UTF8.self))"
            }
        }
        return violation(in: text.prefix(Int(bytes[0])), cutFrom: password, secrets)
    }

    /// The beginning of the password that an excerpt still contains before its ellipsis; nil without such a beginning.
    private static func violation(
        in start: ArraySlice<UInt8>, cutFrom password: [UInt8], _ secrets: SecretTexts
    ) -> String? {
        let excerpt = String(decoding: start, as: UTF8.self) + "…"
        let masked = secrets.masking(excerpt).utf8.map(\.lowercased).dropLast("…".utf8.count)
        let form = password.map(\.lowercased)
        for length in 4..<max(5, form.count) where masked.suffix(length).elementsEqual(form.prefix(length)) {
            return "\(String(decoding: form.prefix(length), as: UTF8.self)) at the end of \(excerpt)"
        }
        return nil
    }

    private static func forms(of password: [UInt8]) -> [[UInt8]] {
        func percent(_ bytes: [UInt8]) -> [UInt8] {
            bytes.flatMap { byte in
                Array((byte < 16 ? "%0" : "%").utf8) + Array(String(byte, radix: 16, uppercase: byte % 2 == 0).utf8)
            }
        }
        let pair = Array(Base64.encode("user:".utf8 + password).utf8)
        let capital = Array(String(decoding: password, as: UTF8.self).uppercased().utf8)
        return [
            password, percent(password), percent(percent(password)), pair, percent(pair), capital,
            Array(Base64.encode(password).utf8), password.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 },
            password.flatMap { $0 == UInt8(ascii: " ") ? Array("%252B".utf8) : [$0] },
            password.flatMap { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") ? [$0] : percent([$0]) },
            password.enumerated().flatMap { $0.offset % 2 == 0 ? percent(percent([$0.element])) : [$0.element] },
        ]
    }

    /// The text as it is, decoded once and twice, also with spaces in place of plus signs.
    private static func views(of text: [UInt8]) -> [[UInt8]] {
        func spaced(_ text: [UInt8]) -> [UInt8] { text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 } }
        let once = decoded(text)
        return [text, once, decoded(once), decoded(spaced(text)), decoded(spaced(once))]
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let digits = String(decoding: text[index...].dropFirst().prefix(2), as: UTF8.self)
            if text[index] == UInt8(ascii: "%"), !digits.hasPrefix("+"), digits.utf8.count == 2,
                let byte = UInt8(digits, radix: 16)
            {
                output.append(byte)
                index += 3
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        text.count >= part.count
            && (0...text.count - part.count).contains { text[$0] == part[0] && text[$0...].starts(with: part) }
    }
}
