/// The secret members of a key in JSON (JWK) and in XML.
enum SecretMember {
    /// RFC 7518, sections 6.2.2, 6.3.2 and 6.4, and the name of keys of ML-DSA and ML-KEM.
    private static let names = ["d", "p", "q", "dp", "dq", "qi", "k", "priv"]
    /// ECKeyValue and RSAKeyValue of .NET and of XML signatures, and RSAKeyPair of XKMS.
    private static let elements = ["D", "P", "Q", "DP", "DQ", "InverseQ"]
    /// DSAKeyValue of .NET. Its P and Q are public.
    private static let elementsOfDSA = ["X"]
    /// Elements that HTML does not have, also in upper case.
    private static let certainElements = ["D", "DP", "DQ", "InverseQ"]

    /// The names of members and elements in lower case.
    private static let lowercaseNames = names + ["inverseq", "x"]

    /// The number of digits of 15 bytes: a shorter value is no key.
    private static let minimumLength = 20

    /// The characters of the attributes of an element, or of a comment. The limit keeps the work linear.
    private static let maximumGap = 256

    /// Whether a text has the name of a member or an element after what can precede it. Few texts have one.
    static func hasStart(in text: Span<UInt8>) -> Bool {
        // The loop has no early exit, so that the compiler can vectorize it.
        var hasDelimiter: UInt8 = 0
        for index in text.indices { hasDelimiter |= canPrecedeName(text[index]) ? 1 : 0 }
        guard hasDelimiter != 0 else { return false }
        for index in text.indices where canPrecedeName(text[index]) && hasName(after: index, of: text) { return true }
        return false
    }

    /// Whether the name of a member can follow, or that of an element: after its bracket, or after the colon of its prefix.
    static func canPrecedeName(_ byte: UInt8) -> Bool {
        isQuote(byte) || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ":")
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// Whether the word after an index is the name of a member, or of an element in another case.
    private static func hasName(after index: Int, of text: Span<UInt8>) -> Bool {
        let start = index + 1
        guard start < text.count, "dpqkix".utf8.contains(text[start].lowercased) else { return false }
        for name in lowercaseNames where isMark(name, at: start, of: text) {
            let end = start + name.utf8.count
            if end < text.count, !WrittenBytes.isLetterOrDigit(text[end]) { return true }
        }
        return false
    }

    /// The marks of keys in a text.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// A JWK, or a key in XML that is not of DSA.
        static let key = Marks(rawValue: 1)
        /// A key of DSA in XML.
        static let dsa = Marks(rawValue: 2)
    }

    /// The marks of JWK and of keys in XML. A text without ``hasStart(in:)`` has no members.
    static func marks(in text: Span<UInt8>) -> Marks {
        var marks: Marks = []
        for index in text.indices where text[index] | 0x20 == UInt8(ascii: "k") {
            if isMark("keyvalue>", at: index, of: text) || isMark("keypair>", at: index, of: text) {
                let isDSA = index >= 3 && isMark("dsa", at: index - 3, of: text)
                // ECDSA
                marks.insert(isDSA && !(index >= 5 && isMark("ec", at: index - 5, of: text)) ? .dsa : .key)
            }
            // The quotes of a JWK in a string are escaped. In base64, these letters can be digits.
            guard index > 0, isQuote(text[index - 1]) || text[index - 1] == UInt8(ascii: "\\") else { continue }
            if isMark("kty", at: index, of: text) { marks.insert(.key) }
        }
        return marks
    }

    private static func isMark(_ mark: String, at index: Int, of text: Span<UInt8>) -> Bool {
        var next = index
        for character in mark.utf8 {
            guard next < text.count, text[next].lowercased == character else { return false }
            next += 1
        }
        return true
    }

    /// The value of a member whose name follows an index (``canPrecedeName(_:)``); nil without such a member.
    ///
    /// - Parameter marks: those of the text. Without a mark, only random bytes are a key.
    static func value(at index: Int, of text: [UInt8], _ marks: Marks) -> Range<Int>? {
        let rest = text[(index + 1)...]
        switch text[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let name = rest.prefix(while: WrittenBytes.isLetterOrDigit)
            guard names.contains(where: { name.elementsEqual($0.utf8) }) else { return nil }
            let between = text[name.endIndex..<endOfSeparator(text[name.endIndex...])]
            // A value in the usual alphabet of base64 can begin with "+".
            guard between.contains(UInt8(ascii: ":")),
                let last = between.last(where: { $0 != UInt8(ascii: "+") && !$0.isWhiteSpace }),
                "\"'".utf8.contains(last)
            else { return nil }
            return value(text[between.endIndex...], hasBlanks: !marks.isEmpty)
        case UInt8(ascii: "<"), UInt8(ascii: ":"):
            let name = rest.prefix(while: WrittenBytes.isLetterOrDigit)
            guard isElement(name, marks) else { return nil }
            let attributes = text[name.endIndex...].prefix(maximumGap).prefix { $0 != UInt8(ascii: ">") }
            guard attributes.first?.isWhiteSpace ?? true, text[attributes.endIndex...].first == UInt8(ascii: ">") else {
                return nil
            }
            let value = value(text[startOfValue(text[(attributes.endIndex + 1)...])...], hasBlanks: !marks.isEmpty)
            return value.flatMap { !marks.isEmpty || PrivateKeyMatch.isRandom(text[$0]) ? $0 : nil }
        default: return nil
        }
    }

    /// The index after what is between the name and the value of a member. The quotes can be escaped, because the JWK can be in a string.
    /// In a form of HTML, a blank is "+".
    private static func endOfSeparator(_ text: ArraySlice<UInt8>) -> Int {
        var rest = text
        while let first = rest.first {
            if let end = LineEnd.end(at: rest) {
                rest = rest[end...]
            } else if #" '"\:+"#.utf8.contains(first) || first.isWhiteSpace {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return rest.startIndex
    }

    private static func isElement(_ name: ArraySlice<UInt8>, _ marks: Marks) -> Bool {
        func isOne(of names: [String]) -> Bool { names.contains { name.elementsEqual($0.utf8) } }
        return isOne(of: marks.contains(.key) ? elements : certainElements)
            || marks.contains(.dsa) && isOne(of: elementsOfDSA)
    }

    /// The index after white space, line ends, comments, and the start of a section with characters (`<![CDATA[`).
    private static func startOfValue(_ text: ArraySlice<UInt8>) -> Int {
        var rest = text
        while true {
            rest = rest[LineEnd.skip(rest)...]
            if rest.starts(with: "<![CDATA[".utf8) {
                rest = rest.dropFirst(9)
            } else if rest.starts(with: "<!--".utf8), let end = rest.prefix(maximumGap).firstRange(ignoringCase: "-->")
            {
                rest = rest[end.upperBound...]
            } else {
                return rest.startIndex
            }
        }
    }

    /// - Parameter hasBlanks: whether white space can be in the value.
    private static func value(_ text: ArraySlice<UInt8>, hasBlanks: Bool) -> Range<Int>? {
        var (end, count) = (text.startIndex, 0)
        while let first = text[end...].first {
            if let digit = WrittenBytes.base64Digit(text[end...]) {
                end = digit.end
            } else if let next = LineEnd.end(at: text[end...]) {
                end = next
            } else if first == UInt8(ascii: "=") || hasBlanks && first.isWhiteSpace {
                end += 1
            } else {
                break
            }
            count += 1
        }
        return count >= minimumLength ? text.startIndex..<end : nil
    }
}
