extension String {
    /// Number of terminal columns of the text: two for a wide character, none for a combining character.
    ///
    /// An approximation that uses the blocks with wide characters of Unicode Standard Annex #11. Terminals differ for other characters.
    package var columns: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }
}

extension Character {
    fileprivate var columns: Int {
        var columns = 0
        for scalar in unicodeScalars {
            if scalar.isWide || scalar == "\u{FE0F}" { return 2 }
            if !scalar.isZeroWidth { columns = 1 }
        }
        return columns
    }
}

extension Unicode.Scalar {
    fileprivate var isZeroWidth: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }

    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}
