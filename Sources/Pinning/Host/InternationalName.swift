/// International names: from what people type to A-labels (RFC 5891, section 5; the mapping of RFC 5895).
enum InternationalName {
    /// Folds case and width, and puts letters and their marks together, as lookup must (RFC 5895, section 2).
    ///
    /// - Throws: for a character that is no letter, mark, digit, hyphen or dot (RFC 5892). The underscore is let
    ///   through, because names with one are in use.
    static func mapped(_ text: some StringProtocol) throws(DomainNameError) -> String {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: scalars.append(scalar)
            case 0x41...0x5A: scalars += scalar.properties.lowercaseMapping.unicodeScalars
            case 0..<0x80: throw .character(scalar)
            // The full stops of East Asian scripts.
            case 0x3002, 0xFF0E, 0xFF61: scalars.append(".")
            // Full-width forms of ASCII lie at a fixed distance from it.
            case 0xFF01...0xFF5E:
                guard let narrow = Unicode.Scalar(scalar.value - 0xFEE0) else { throw .character(scalar) }
                scalars += try mapped(String(Character(narrow))).unicodeScalars
            default:
                guard isAllowed(scalar) else { throw .character(scalar) }
                scalars += scalar.properties.lowercaseMapping.unicodeScalars
            }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: Composition.composed(scalars))
        return String(result)
    }

    /// The label itself where it is ASCII, else its A-label.
    static func aLabel(of label: Substring) throws(DomainNameError) -> String {
        guard !label.utf8.allSatisfy({ $0 < 0x80 }) else { return String(label) }
        guard let encoded = Punycode.encode(Array(label.unicodeScalars)) else { throw .labelTooLong(String(label)) }
        return "xn--" + encoded
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        // The middle dot of Catalan, the geresh and its kind, the joiners of Persian and Indic scripts (RFC 5892, appendix A).
        default: [0x00B7, 0x0375, 0x05F3, 0x05F4, 0x30FB, 0x200C, 0x200D].contains(scalar.value)
        }
    }
}
