internal import Encodings

/// The contextual rules for characters that names can contain only next to certain characters (RFC 5892, appendix A).
enum ContextRules {
    static func allow(_ scalar: Unicode.Scalar, at index: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? label[index - 1].value : 0
        let after = index + 1 < label.count ? label[index + 1].value : 0
        switch scalar.value {
        // The zero width joiner and non-joiner may follow a virama. The non-joiner may also be between letters that would join
        // without it.
        case 0x200C: return followsVirama(index, in: label) || separatesJoinedLetters(index, in: label)
        case 0x200D: return followsVirama(index, in: label)
        // The Catalan middle dot.
        case 0xB7: return before == 0x6C && after == 0x6C
        // The number sign before a Greek letter.
        case 0x375: return isGreek(after)
        // The two Hebrew quotation marks (geresh and gershayim).
        case 0x5F3, 0x5F4: return isHebrew(before)
        // The Japanese middle dot.
        case 0x30FB: return label.contains { isJapanese($0.value) }
        // The two sets of Arabic digits, which must not be mixed.
        case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        case 0x6F0...0x6F9: return !label.contains { (0x660...0x669).contains($0.value) }
        default: return true
        }
    }

    private static func followsVirama(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
        index > 0 && label[index - 1].properties.canonicalCombiningClass == .virama
    }

    private static func isGreek(_ code: UInt32) -> Bool {
        switch code {
        case 0x37E, 0x385, 0x387: false
        case 0x370...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFF, 0x1D26...0x1D2A, 0xAB65, 0x10140...0x1018E, 0x101A0: true
        default: false
        }
    }

    private static func isHebrew(_ code: UInt32) -> Bool { (0x591...0x5F4).contains(code) }

    /// Hiragana, Katakana or Han.
    private static func isJapanese(_ code: UInt32) -> Bool {
        switch code {
        case 0x3005, 0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xFA0E...0xFA29, 0x1AFF0...0x1AFFF, 0x1B000...0x1B16F,
            0x16FE2...0x16FE3, 0x16FF0...0x16FF6, 0x20000...0x33FFF:
            true
        default: false
        }
    }
}

extension ContextRules {
    /// Whether the letters before and after an index join, ignoring marks. This covers only the Arabic script, where languages such
    /// as Persian use the zero width non-joiner.
    private static func separatesJoinedLetters(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
        guard let before = label[..<index].last(where: { !$0.isMark }),
            let after = label[(index + 1)...].first(where: { !$0.isMark })
        else { return false }
        return joinsNext(before) && isArabicLetter(after) && after.value != 0x621 && after.value != 0x674
    }

    /// Whether a letter joins the following letter (ArabicShaping.txt: not of the joining types R and U).
    private static func joinsNext(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x621...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x677, 0x688...0x699, 0x6C0, 0x6C3...0x6CB,
            0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6EE, 0x6EF:
            false
        default: isArabicLetter(scalar)
        }
    }

    private static func isArabicLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x620...0x6FF).contains(scalar.value) && scalar.properties.generalCategory == .otherLetter
    }
}
