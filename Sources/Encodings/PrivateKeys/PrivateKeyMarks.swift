/// Texts that name a private key, and what follows them.
extension PrivateKeyMatch {
    /// A shorter secret is no key.
    private static let minimumSecret = 20
    private static let minimumBytes = 15
    /// The digits of base64 in the first line of a key.
    private static let minimumLine = 16
    /// `PRIVATE KEY` in base64, without the digits that also depend on other bytes. In a file in base64, a key can be after certificates.
    private static let marksInBase64 = ["UFJJVkFURSBLRV", "BSSVZBVEUgS0VZ", "QUklWQVRFIEtFW"]

    /// Reads the mark of a private key at an index; nil without a mark.
    init?(markAt index: Int, of text: [UInt8]) {
        let rest = text[index...]
        func has(_ mark: String) -> Bool { rest.starts(withIgnoringCase: mark) }
        switch text[index].lowercased {
        case UInt8(ascii: "p"):
            // The first line of PEM (RFC 7468), of SSH (RFC 4716, section 3.3, which is for public keys only), and of PGP.
            if let mark = ["private key-----", "private key ----", "private key block-----"].first(where: has) {
                self.init(index..<index + mark.utf8.count, secret: Self.body(after: index + mark.utf8.count, in: text))
            } else if let mark = ["private-key: (", "private-key-format:", "putty-user-key-file-"].first(where: has) {
                self.init(index..<index + mark.utf8.count, secret: nil)
            } else if has("private-lines:") {
                // PuTTY: base64 after the number of lines. Nothing tells where the lines end.
                let lines = text[LineEnd.skipLines(text[LineEnd.skip(rest.dropFirst(14))...].drop(while: \.isDigit))...]
                let count = WrittenBytes.base64Digits(lines, atMost: Self.minimumLine).count
                self.init(
                    index..<index + 14, secret: count == Self.minimumLine ? lines.startIndex..<text.count : nil)
            } else {
                self.init(nameAt: index, of: text)
            }
        case UInt8(ascii: "a") where has("age-secret-key-"):
            // Bech32: "1" is before the data.
            guard let mark = ["age-secret-key-1", "age-secret-key-pq-1"].first(where: has) else { return nil }
            let secret = rest.dropFirst(mark.utf8.count).prefix(while: WrittenBytes.isLetterOrDigit)
            guard secret.count >= Self.minimumSecret else { return nil }
            self.init(index..<secret.startIndex, secret: secret.startIndex..<secret.endIndex)
        case UInt8(ascii: "r") where has("rivate key-----"):
            // The first line of a dump ends with "RSA P", which can also be a public key, and the second one ends with the rest.
            guard index == 0 || text[index - 1].lowercased != UInt8(ascii: "p"),
                rest.count >= 15 + Self.minimumSecret
            else { return nil }
            self.init(index..<index + 15, secret: index + 15..<text.count)
        case UInt8(ascii: "b"), UInt8(ascii: "q"), UInt8(ascii: "u"):
            guard let start = Self.marksInBase64.lazy.compactMap({ Self.end(of: $0, in: rest) }).first else {
                return nil
            }
            let (end, count) = Self.endOfPieces(from: start, in: text)
            self.init(index..<start, secret: count >= Self.minimumBytes ? start..<end : nil)
        case UInt8(ascii: "d") where has("d=0 "):
            guard let start = Self.secretOfASN1(rest.prefix(200)) else { return nil }
            self.init(index..<start, secret: start..<text.count)
        case UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "s"):
            self.init(nameAt: index, of: text)
        default: return nil
        }
    }

    /// The index after a mark at the start of a text, in which line ends can be between the characters; nil without the mark.
    private static func end(of mark: String, in text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        for character in mark.utf8 {
            rest = rest[LineEnd.skip(rest)...]
            guard rest.popFirst() == character else { return nil }
        }
        return rest.startIndex
    }

    /// The index after the element by which the output of `openssl asn1parse` is recognized: a SEQUENCE whose first element is an INTEGER
    /// of one byte, or a SEQUENCE with the name of an encryption of PKCS #8.
    private static func secretOfASN1(_ lines: ArraySlice<UInt8>) -> Int? {
        func value(after name: String) -> ArraySlice<UInt8>? {
            guard let range = lines.firstRange(ignoringCase: name) else { return nil }
            let value = lines[range.upperBound...].drop(while: \.isWhiteSpace)
            return value.first == UInt8(ascii: ":") ? value.dropFirst() : nil
        }
        guard let sequence = lines.firstRange(ignoringCase: "cons: sequence") else { return nil }
        func sequences(before value: ArraySlice<UInt8>) -> Int? {
            guard sequence.upperBound < value.startIndex else { return nil }
            return lines[sequence.upperBound..<value.startIndex].count { $0 == UInt8(ascii: "S") }
        }
        if let number = value(after: "integer"), sequences(before: number) == 0, number.first == UInt8(ascii: "0"),
            number.dropFirst(2).first.map({ $0.isWhiteSpace || $0 == UInt8(ascii: "\\") }) ?? true
        {
            return number.startIndex
        }
        if let name = value(after: "object"), sequences(before: name) == 1,
            ["pbes2", "pbewith"].contains(where: { name.starts(withIgnoringCase: $0) })
        {
            return name.startIndex
        }
        return nil
    }

    private init(_ mark: Range<Int>, secret: Range<Int>?) {
        self.init(
            kind: .privateKey, range: secret ?? mark.upperBound..<mark.upperBound, isWhole: secret != nil,
            isOpen: false)
    }

    init(kind: PrivateKeyKind, range: Range<Int>, isWhole: Bool, isOpen: Bool, isDivided: Bool = false) {
        (self.kind, self.range, self.isWhole, self.isOpen, self.isDivided) = (kind, range, isWhole, isOpen, isDivided)
    }

    /// The names of secret numbers in the output of `openssl pkey -text`.
    private static let names = ["priv:", "private-key:", "dk:", "seed:"] + namesOfBIND
    /// The same in key files of BIND, in base64.
    private static let namesOfBIND = [
        "privateexponent:", "prime1:", "prime2:", "exponent1:", "exponent2:", "coefficient:",
    ]
    /// The characters after `seed:` in which the name of a key follows. The parameters of a curve can have a public seed.
    private static let maximumSeed = 1024

    /// Reads the name of a secret number, and its digits.
    private init?(nameAt index: Int, of text: [UInt8]) {
        let before = text[..<index].suffix(2)
        guard before.last.map({ !WrittenBytes.isLetterOrDigit($0) }) ?? true || LineEnd.end(at: before) == index,
            let name = Self.names.first(where: { text[index...].starts(withIgnoringCase: $0) })
        else { return nil }
        let start = index + name.utf8.count
        let first = text[LineEnd.skipToNumbers(text[start...])...]
        if let end = Self.endOfPairs(first, of: text) {
            if name == "seed:", case let rest = text[start...].prefix(Self.maximumSeed),
                rest.firstRange(ignoringCase: "priv:") == nil, rest.firstRange(ignoringCase: "dk:") == nil
            {
                return nil
            }
            self.init(index..<start, secret: first.startIndex..<end)
            return
        }
        guard Self.namesOfBIND.contains(name), first.first != UInt8(ascii: "/") else { return nil }
        let (end, count) = WrittenBytes.base64Digits(first)
        guard count >= Self.minimumSecret, Self.isRandom(text[first.startIndex..<end]),
            text[end...].first != UInt8(ascii: ".")
        else { return nil }
        self.init(index..<start, secret: first.startIndex..<end)
    }

    /// The end of bytes as OpenSSL prints them, in two digits each with colons; nil if there are too few for a secret.
    private static func endOfPairs(_ first: ArraySlice<UInt8>, of text: [UInt8]) -> Int? {
        guard first.dropFirst(2).first == UInt8(ascii: ":") else { return nil }
        var digits = WrittenBytes(text, from: first.startIndex, as: .hexadecimal)
        var (end, count) = (first.startIndex, 0)
        // What follows can begin with other digits.
        while digits.next() != nil, text[..<digits.end].suffix(2).allSatisfy({ Hex.value(of: $0) != nil }) {
            (end, count) = (digits.end, count + 1)
        }
        guard count >= minimumBytes else { return nil }
        return digits.isAtEnd ? text.count : end
    }

    /// The base64 after the first line of PEM, which is not that of a structure if the key is encrypted (RFC 1421); nil without it.
    private static func body(after start: Int, in text: [UInt8]) -> Range<Int>? {
        let dashes = text[start...].prefix { $0 == UInt8(ascii: "-") }
        guard let start = startOfBody(after: dashes.endIndex, in: text) else { return nil }
        var index = start
        var (end, count) = (index, 0)
        while index < text.count {
            if case let next = LineEnd.skipLines(text[index...]), next > index {
                index = next
            } else if let digit = WrittenBytes.base64Digit(text[index...]), !text[index...].starts(with: "--".utf8) {
                index = digit.end
                (end, count) = (index, count + 1)
            } else if text[index] == UInt8(ascii: "=") {
                index += 1
                end = index
            } else {
                break
            }
        }
        return count >= minimumSecret && isRandom(text[start..<end]) ? start..<end : nil
    }

    /// The characters of all headers of a key in PEM.
    private static let maximumHeaders = 1024

    /// The index of the first line of base64 after the headers of a key in PEM (RFC 1421, section 4.6), for example
    /// `Proc-Type: 4,ENCRYPTED`; nil if something else follows, for example a sentence. Blanks can be in place of line ends.
    private static func startOfBody(after start: Int, in text: [UInt8]) -> Int? {
        let limit = min(text.count, start + maximumHeaders)
        var index = LineEnd.skipLines(text[start..<limit])
        var hasHeader = false
        while index < limit, !text[index...].starts(with: "--".utf8) {
            if WrittenBytes.base64Digits(text[index...], atMost: minimumLine).count == minimumLine { return index }
            var end = index
            while end < limit, !text[end].isWhiteSpace, LineEnd.end(at: text[end...]) == nil { end += 1 }
            let word = text[index..<end]
            let isName =
                word.count > 1 && word.last == UInt8(ascii: ":")
                && word.dropLast().allSatisfy { WrittenBytes.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            guard hasHeader || isName else { return nil }
            hasHeader = true
            index = LineEnd.skipLines(text[end..<limit])
        }
        return nil
    }

    /// Whether a text has digits, and letters of both cases, as random bytes in base64.
    static func isRandom(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && text.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } && text.contains { $0.isDigit }
    }
}
