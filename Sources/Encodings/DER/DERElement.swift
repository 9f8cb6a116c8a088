/// A DER element, as byte ranges in its input.
package struct DERElement: Hashable, Sendable {
    package let tag: DERTag
    /// The offset of the first identifier byte.
    package let start: Int
    /// The byte range of the contents, without tag and length.
    package let contents: Range<Int>

    /// The byte range of the whole element, with tag and length.
    package var range: Range<Int> { start..<contents.upperBound }
}
