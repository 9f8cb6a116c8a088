/// Why a text is not base64. Offsets count bytes from the start of the text that was given.
package enum Base64Error: Error, Hashable, Sendable {
    /// A byte that is neither in the alphabet nor padding.
    case character(UInt8, offset: Int)
    /// A `=` that stands before the end, or one too many.
    case misplacedPadding(offset: Int)
    /// The last group has two or three symbols and lacks its `=`.
    case missingPadding(offset: Int)
    /// The last group is a single symbol, which cannot hold a byte: something was cut off.
    case truncated(offset: Int)
    /// The last symbol has bits set that belong to no byte.
    case trailingBits(offset: Int)

    /// Where it is wrong.
    package var offset: Int {
        switch self {
        case .character(_, let offset), .misplacedPadding(let offset), .missingPadding(let offset),
            .truncated(let offset), .trailingBits(let offset):
            offset
        }
    }
}
