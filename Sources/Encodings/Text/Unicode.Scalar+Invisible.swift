extension Unicode.Scalar {
    /// Whether a terminal interprets the character or does not show it: control characters (C0, DEL, C1), format characters
    /// (bidirectional controls, zero-width characters), line and paragraph separators, other ignorable characters such as variation
    /// selectors, and noncharacters, which have no glyph (Unicode Standard, section 23.7).
    package var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }
}
