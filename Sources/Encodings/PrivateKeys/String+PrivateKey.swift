extension String {
    /// The text with `…` in place of all but the first four characters of each private key in it (``PrivateKeySearch``), and of digits
    /// that are longer than any pin, because they can be a part of a key.
    package var withoutPrivateKeys: String {
        guard utf8.count >= PrivateKeySearch.minimumSecretLength else { return self }
        let text = Array(utf8)
        let search = PrivateKeySearch(text)
        var longDigits = LongDigits(text)
        var parts = PartsOfKey(text)
        return hiding(in: text) { index, canStart in
            if let match = search.match(at: index) {
                let range = search.extended(match.range)
                if match.isDivided { parts.isAfterStart = true }
                if !range.isEmpty || search.knownPiece(at: index) == nil { return (range, shown: Self.shownStart) }
            }
            if let piece = search.knownPiece(at: index) ?? parts.part(at: index) { return (piece, shown: 0) }
            let secret = search.member(at: index) ?? (canStart ? longDigits.range(at: index) : nil)
            return secret.map { (search.extended($0), shown: Self.shownStart) }
        }
    }

    /// The first characters of a key are the same in all keys of a type, and contain nothing of the secret.
    private static let shownStart = 4

    /// A range to hide, and the number of its first characters that are shown.
    private typealias Hidden = (range: Range<Int>, shown: Int)

    /// The text with `…` in place of the ranges that begin at an index.
    private func hiding(in text: [UInt8], _ secret: (_ index: Int, _ canStart: Bool) -> Hidden?) -> String {
        var output: [UInt8] = []
        var index = 0
        var canStart = true
        while index < text.count {
            if let (secret, shown) = secret(index, canStart) {
                output += text[index..<secret.lowerBound] + text[secret].prefix(shown)
                if !secret.isEmpty { output += Array("…".utf8) }
                index = secret.upperBound
                // A key of base64 can follow hexadecimal digits.
                canStart = true
            } else if let end = LineEnd.end(at: text[index...]) {
                output += text[index..<end]
                index = end
                canStart = true
            } else {
                output.append(text[index])
                canStart = !WrittenBytes.isLetterOrDigit(text[index])
                index += 1
            }
        }
        return output.count == text.count ? self : String(decoding: output, as: UTF8.self)
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
        guard search.hasMemberStart else { return self }
        return hiding(in: text) { index, _ in search.member(at: index).map { ($0, shown: Self.shownStart) } }
    }
}
