/// An error in base64. Offsets count bytes from the start of the given text.
package enum Base64Error: Error, Hashable, Sendable {
    /// A byte that is neither in the alphabet nor padding.
    case character(UInt8, offset: Int)
    /// A `=` before the end, or one more than necessary.
    case misplacedPadding(offset: Int)
    /// The last group has two or three characters but no `=`.
    case missingPadding(offset: Int)
    /// The last group has one character, which cannot encode a byte, so the text is truncated.
    case truncated(offset: Int)
    /// The last character has nonzero bits after the last whole byte.
    case trailingBits(offset: Int)

    /// The offset of the error.
    package var offset: Int {
        switch self {
        case .character(_, let offset), .misplacedPadding(let offset), .missingPadding(let offset),
            .truncated(let offset), .trailingBits(let offset):
            offset
        }
    }
}
