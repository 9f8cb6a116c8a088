internal import Encodings

/// International names: from what people type to A-labels (RFC 5891, section 5; the mapping of RFC 5895).
///
/// Of the tests of RFC 5891, section 5.4, one is left out: the Bidi rule (RFC 5893), which is about how names look. A name
/// that breaks it is in no zone.
enum IDNA {
    /// Folds case and width, and puts letters and their marks together, as look-up must (RFC 5895, section 2).
    ///
    /// - Throws: for a character that no name holds (RFC 5892). The underscore is let through, because names with one are
    ///   in use.
    static func mapped(_ text: some StringProtocol) throws(DomainNameError) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            let narrow = narrowed(scalar)
            if narrow.properties.changesWhenNFKCCaseFolded {
                scalars += lowered(narrow)
            } else {
                scalars.append(narrow)
            }
        }
        if scalars.contains(where: { !$0.isASCII }) { scalars = UnicodeNFC.composed(scalars) }
        for scalar in scalars where !isAllowed(scalar) {
            throw scalar.properties.isWhitespace ? .whiteSpace : .character(scalar)
        }
        return scalars
    }

    /// The label itself where it is ASCII, else its A-label.
    static func aLabel(of label: [Unicode.Scalar]) throws(DomainNameError) -> String {
        let text = String(String.UnicodeScalarView(label))
        // In A-labels each character takes a byte at least.
        guard label.count <= DomainName.maximumLabelLength else { throw .labelTooLong(text) }
        guard label.contains(where: { !$0.isASCII }) else { return text }
        if let mark = label.first, mark.isMark { throw .misplaced(mark) }
        // Such labels are kept for forms like that of A-labels (RFC 5890, section 2.3.1).
        if label.dropFirst(2).prefix(2) == ["-", "-"] { throw .misplaced("-") }
        for index in label.indices where !ContextRules.allow(label[index], at: index, in: label) {
            throw .misplaced(label[index])
        }
        guard let encoded = Punycode.encode(label), encoded.utf8.count <= DomainName.maximumLabelLength - 4 else {
            throw .labelTooLong(text)
        }
        return "xn--" + encoded
    }

    /// Full-width and half-width forms as the usual ones; the full stops of East Asian scripts as the plain one.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x3002, 0xFF0E, 0xFF61: "."
        // These forms of ASCII lie at a fixed distance from it.
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF65...0xFF9F: katakana[Int(scalar.value - 0xFF65)]
        default: scalar
        }
    }

    /// What U+FF65 to U+FF9F are the half-width forms of. The last two are the marks for voice.
    private static let katakana = Array(
        "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
            .unicodeScalars
    )

    /// Lower case; but of Cherokee the capitals are what names hold, and what its small letters fold to.
    private static func lowered(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        switch scalar.value {
        case 0x13F8...0x13FD, 0xAB70...0xABBF: scalar.properties.uppercaseMapping.unicodeScalars
        default: scalar.properties.lowercaseMapping.unicodeScalars
        }
    }

    /// Whether names hold this character, everywhere or in its place (RFC 5892, section 3).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: return true
        case 0..<0x80: return false
        // The exceptions, and the joiners (sections 2.6 and 2.8).
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Marks for symbols and for music (section 2.4), and Korean letters outside syllables (section 2.9).
        case 0x20D0...0x20FF, 0x1D100...0x1D24F, 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
        default: return scalar.isLetterOrDigit && !scalar.properties.changesWhenNFKCCaseFolded
        }
    }
}

extension Unicode.Scalar {
    var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// RFC 5892, section 2.1.
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter, .nonspacingMark,
            .spacingMark:
            true
        default: false
        }
    }
}
