internal import Encodings

/// Converts internationalized names to A-labels (RFC 5891, section 5), with the mapping of RFC 5895.
///
/// It applies the tests of RFC 5891, section 5.4, except the Bidi rule (RFC 5893), which concerns only the display of names.
enum IDNA {
    /// Folds case and width, and composes letters with their marks, as a lookup requires (RFC 5895, section 2).
    ///
    /// - Throws: if a name cannot contain a character (RFC 5892). Underscores are accepted, because names with underscores are
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

    /// Returns the label if it is ASCII, otherwise its A-label.
    static func aLabel(of label: [Unicode.Scalar]) throws(DomainNameError) -> String {
        // Appending one by one needs no generic code, whose first use costs a search in the conformances of the program.
        var text = ""
        for scalar in label { text.unicodeScalars.append(scalar) }
        // Each character needs at least one byte in an A-label.
        guard label.count <= DomainName.maximumLabelLength else { throw .labelTooLong(text) }
        guard label.contains(where: { !$0.isASCII }) else { return text }
        if let mark = label.first, mark.isMark { throw .misplaced(mark) }
        // Labels with "--" in this position are reserved for forms like A-labels (RFC 5890, section 2.3.1).
        if label.dropFirst(2).prefix(2) == ["-", "-"] { throw .misplaced("-") }
        for index in label.indices where !ContextRules.allow(label[index], at: index, in: label) {
            throw .misplaced(label[index])
        }
        guard let encoded = Punycode.encode(label), encoded.utf8.count <= DomainName.maximumLabelLength - 4 else {
            throw .labelTooLong(text)
        }
        return "xn--" + encoded
    }

    /// Maps full-width and half-width forms to the usual ones, and East Asian full stops to the ASCII full stop.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x3002, 0xFF0E, 0xFF61: "."
        // The full-width forms of ASCII are in the order of ASCII.
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF65...0xFF9F: katakana[Int(scalar.value - 0xFF65)]
        default: scalar
        }
    }

    /// The characters whose half-width forms are U+FF65 to U+FF9F. The last two are the voicing marks.
    private static let katakana = Array(
        "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
            .unicodeScalars
    )

    /// Maps to lower case, except Cherokee letters, which names contain in upper case.
    private static func lowered(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        switch scalar.value {
        case 0x13F8...0x13FD, 0xAB70...0xABBF: scalar.properties.uppercaseMapping.unicodeScalars
        default: scalar.properties.lowercaseMapping.unicodeScalars
        }
    }

    /// Whether names can contain this character, at all positions or at some (RFC 5892, section 3).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: return true
        case 0..<0x80: return false
        // The exceptions, and the joiners (sections 2.6 and 2.8).
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Marks for symbols and musical notation (section 2.4), and old Hangul jamo (section 2.9).
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
