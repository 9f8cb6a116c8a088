/// The secret members of a key in JSON (JWK) and in XML.
enum SecretMember {
    /// RFC 7518, sections 6.2.2, 6.3.2 and 6.4, and the name of keys of ML-DSA and ML-KEM.
    private static let names = ["d", "p", "q", "dp", "dq", "qi", "k", "priv"]
    /// ECKeyValue and RSAKeyValue of .NET and of XML signatures.
    private static let elements = ["D", "P", "Q", "DP", "DQ", "InverseQ"]
    /// Elements that HTML does not have, also in upper case.
    private static let certainElements = ["D", "DP", "DQ", "InverseQ"]

    /// The number of digits of 15 bytes: a shorter value is no key.
    private static let minimumLength = 20

    /// The characters of the attributes of an element. The limit keeps the work linear.
    private static let maximumAttributes = 256

    /// Whether a text has the mark of a key with such members.
    static func mayOccur(in text: [UInt8]) -> Bool {
        text[...].firstRange(ignoringCase: "kty") != nil || text[...].firstRange(ignoringCase: "keyvalue>") != nil
    }

    /// The value of a member at an index, which is that of the quote or the bracket before its name; nil without such a member.
    ///
    /// - Parameter isXML: whether the text has the mark of a key in XML. Without it, only random bytes are a key.
    static func value(at index: Int, of text: [UInt8], isXML: Bool) -> Range<Int>? {
        let rest = text[(index + 1)...]
        switch text[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let name = rest.prefix(while: WrittenBytes.isLetterOrDigit)
            guard names.contains(where: { name.elementsEqual($0.utf8) }) else { return nil }
            // The quotes can be escaped, because the JWK can be in a string.
            let between = text[name.endIndex...].prefix { #" '"\:"#.utf8.contains($0) || $0.isWhiteSpace }
            guard between.contains(UInt8(ascii: ":")), let last = between.last, "\"'".utf8.contains(last) else {
                return nil
            }
            return value(text[between.endIndex...], isXML: false)
        case UInt8(ascii: "<"):
            let name = rest.prefix(while: WrittenBytes.isLetterOrDigit)
            guard (isXML ? elements : certainElements).contains(where: { name.elementsEqual($0.utf8) }) else {
                return nil
            }
            let attributes = text[name.endIndex...].prefix(maximumAttributes).prefix { $0 != UInt8(ascii: ">") }
            guard attributes.first?.isWhiteSpace ?? true, text[attributes.endIndex...].first == UInt8(ascii: ">") else {
                return nil
            }
            let value = value(text[(attributes.endIndex + 1)...].drop(while: \.isWhiteSpace), isXML: isXML)
            return value.flatMap { isXML || PrivateKeyMatch.isRandom(text[$0]) ? $0 : nil }
        default: return nil
        }
    }

    private static func value(_ text: ArraySlice<UInt8>, isXML: Bool) -> Range<Int>? {
        let value = text.prefix {
            WrittenBytes.base64Value(of: $0) != nil || $0 == UInt8(ascii: "=") || isXML && $0.isWhiteSpace
        }
        return value.count >= minimumLength ? value.startIndex..<value.endIndex : nil
    }
}
