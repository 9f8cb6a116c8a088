extension Unicode.Scalar {
    /// Whether a terminal interprets the character or does not show it: control characters (C0, DEL, C1), format characters
    /// (bidirectional controls, zero-width characters), line and paragraph separators, other ignorable characters such as variation
    /// selectors, noncharacters, which have no glyph (Unicode Standard, section 23.7), and symbols with an empty glyph: the Braille
    /// pattern without dots, and the null notehead of music.
    package var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        case .otherSymbol: value == 0x2800 || value == 0x1D159
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }
}
