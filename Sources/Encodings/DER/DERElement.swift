/// One element of DER: where it stands in the bytes it was read from.
package struct DERElement: Hashable, Sendable {
    package let tag: DERTag
    /// Offset of the first identifier byte.
    package let start: Int
    /// Where the contents stand, tag and length left out.
    package let contents: Range<Int>

    /// Where the whole element stands, tag and length included.
    package var range: Range<Int> { start..<contents.upperBound }
}
