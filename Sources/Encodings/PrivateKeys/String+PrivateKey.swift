extension String {
    /// The text with `…` in place of all but the first four characters of each private key in it (``PrivateKeySearch``), also if characters
    /// of it are escaped, and of digits that are longer than any pin, because they can be a part of a key.
    package var withoutPrivateKeys: String {
        guard utf8.count >= PrivateKeySearch.minimumSecretLength else { return self }
        let text = Array(utf8)
        return hiding(Self.secrets(of: text, PrivateKeySearch(text)) + Self.escapedSecrets(of: text), in: text)
    }

    /// The ranges of the private keys, and of long digits.
    private static func secrets(of text: [UInt8], _ search: PrivateKeySearch) -> [Hidden] {
        var longDigits = LongDigits(text)
        var parts = PartsOfKey(text)
        return secrets(in: text) { index, canStart in
            if let match = search.match(at: index) {
                let range = search.extended(match.range)
                if match.isDivided { parts.isAfterStart = true }
                if !range.isEmpty || search.knownPiece(at: index) == nil { return (range, shown: shownStart) }
            }
            if let piece = search.knownPiece(at: index) ?? parts.part(at: index) { return (piece, shown: 0) }
            let secret = search.member(at: index) ?? (canStart ? longDigits.range(at: index) : nil)
            return secret.map { (search.extended($0), shown: shownStart) }
        }
    }

    /// The first characters of a key are the same in all keys of a type, and contain nothing of the secret.
    private static let shownStart = 4

    /// A range to hide, and the number of its first characters that are shown.
    private typealias Hidden = (range: Range<Int>, shown: Int)

    /// The ranges to hide, of those that begin at an index.
    private static func secrets(
        in text: [UInt8], _ secret: (_ index: Int, _ canStart: Bool) -> Hidden?
    ) -> [Hidden] {
        var secrets: [Hidden] = []
        var index = 0
        var canStart = true
        while index < text.count {
            if let secret = secret(index, canStart) {
                secrets.append(secret)
                index = secret.range.upperBound
                // A key of base64 can follow hexadecimal digits.
                canStart = true
            } else if let end = LineEnd.end(at: text[index...]) {
                index = end
                canStart = true
            } else {
                canStart = !WrittenBytes.isLetterOrDigit(text[index])
                index += 1
            }
        }
        return secrets
    }

    /// The text with `…` in place of the ranges. The first of those that overlap decides what is shown.
    private func hiding(_ secrets: [Hidden], in text: [UInt8]) -> String {
        var output: [UInt8] = []
        var index = 0
        let sorted = secrets.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for (secret, shown) in sorted {
            if secret.lowerBound >= index {
                output += text[index..<secret.lowerBound] + text[secret].prefix(shown)
                if !secret.isEmpty { output += Array("…".utf8) }
            }
            index = max(index, secret.upperBound)
        }
        guard index > 0 else { return self }
        return String(decoding: output + text[index...], as: UTF8.self)
    }

    /// How often a text is decoded. A server encodes a key in a URL, and the URL of a redirect encodes its characters.
    private static let decodingRounds = 3

    /// The ranges of the private keys of which characters are escaped (``UnescapedText``). A part of such a key can be recognized also
    /// without that.
    private static func escapedSecrets(of text: [UInt8]) -> [Hidden] {
        guard text.count >= KnownPrivateKeys.minimumLength, UnescapedText.mayHaveEscapes(text.span) else { return [] }
        return UnescapedText.mappedTexts(of: text, rounds: decodingRounds).flatMap { decoded -> [Hidden] in
            let search = PrivateKeySearch(decoded.bytes)
            guard search.first() != nil else { return [] }
            return secrets(of: decoded.bytes, search).map { secret in
                let start = secret.range.lowerBound
                let shown = decoded.original(start..<Swift.min(start + secret.shown, secret.range.upperBound))
                return (decoded.original(secret.range), shown: shown.count)
            }
        }
    }

    /// Whether the text contains so much of a private key that it can be nothing else.
    package var containsPrivateKey: Bool { privateKeyKind != nil }

    /// What of ``containsPrivateKey`` the text contains; nil if it contains nothing.
    package var privateKeyKind: PrivateKeyKind? {
        guard utf8.count >= KnownPrivateKeys.minimumLength else { return nil }
        return PrivateKeySearch(Array(utf8)).first()?.kind
    }

    /// ``privateKeyKind`` of a word of a command line. The key can be the value of an option, directly after its letter.
    package var privateKeyKindOfArgument: PrivateKeyKind? {
        guard utf8.count >= PrivateKeySearch.minimumLength else { return nil }
        let text = Array(utf8)
        let search = PrivateKeySearch(text)
        if let match = search.first() ?? search.firstAfterCharacter() { return match.kind }
        // A label is written without the characters that hide its text.
        return UnescapedText.texts(of: text).lazy.compactMap { PrivateKeySearch($0).first()?.kind }.first
    }

    /// The text, ``withoutPrivateKeys`` if it contains a whole key. Otherwise only the secret members of a JWK are replaced, so that long
    /// names of files stay as they are.
    package var withoutWholePrivateKeys: String {
        guard utf8.count >= KnownPrivateKeys.minimumLength else { return self }
        let text = Array(utf8)
        let search = PrivateKeySearch(text)
        if search.first() != nil { return withoutPrivateKeys }
        var secrets = Self.escapedSecrets(of: text)
        if search.hasMemberStart {
            secrets += Self.secrets(in: text) { index, _ in
                search.member(at: index).map { ($0, shown: Self.shownStart) }
            }
        }
        return hiding(secrets, in: text)
    }
}
