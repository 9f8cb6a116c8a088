extension Unicode.Scalar {
    /// Whether a terminal interprets the character or does not show it: control characters (C0, DEL, C1), format characters
    /// (bidirectional controls, zero-width characters), line and paragraph separators, other ignorable characters such as variation
    /// selectors, noncharacters, which have no glyph (Unicode Standard, section 23.7), and characters with an empty glyph.
    package var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint || hasEmptyGlyph
        }
    }

    /// Whether the character looks like a space or like nothing, although no property says so.
    private var hasEmptyGlyph: Bool {
        switch value {
        // The Braille pattern without dots, the null notehead of music, and the filler of the Khitan small script.
        case 0x2800, 0x1D159, 0x16FE4: true
        // The joiner of Brahmi numbers; two blanks of Egyptian hieroglyphs, and the sign that mirrors the one before it.
        case 0x1107F, 0x13440, 0x13441, 0x13442: true
        default: false
        }
    }
}
