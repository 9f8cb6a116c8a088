/// Reads DER elements in sequence, without copies (X.690).
///
/// A reader reads one level of nesting; `reader(of:)` returns a reader of the next level. There is no recursion, so deep nesting
/// cannot overflow the stack. After an error, the position is the start of the faulty element.
package struct DERReader: Sendable {
    package let bytes: [UInt8]
    /// The offset of the next element.
    package private(set) var position: Int
    /// The offset of the end of this level.
    package let end: Int

    package init(_ bytes: [UInt8]) {
        self.init(bytes, in: bytes.indices)
    }

    /// Creates a reader of the elements in `range`. Offsets count from the start of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        let range = range.clamped(to: bytes.indices)
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// A reader of the elements in `element`.
    package func reader(of element: DERElement) -> DERReader {
        DERReader(bytes, in: element.contents)
    }

    package var isAtEnd: Bool { position >= end }

    /// Reads the next element with any tag.
    package mutating func next() throws(DERError) -> DERElement {
        let start = position
        let element = try element(at: start)
        position = element.contents.upperBound
        return element
    }

    /// Reads the next element, which must have this tag.
    package mutating func next(_ tag: DERTag) throws(DERError) -> DERElement {
        guard !isAtEnd else { throw DERError(offset: position, .missing(tag)) }
        let element = try element(at: position)
        guard element.tag == tag else {
            throw DERError(
                offset: position,
                element.tag == tag.constructed ? .constructedString(tag) : .unexpected(element.tag, expected: tag))
        }
        position = element.contents.upperBound
        return element
    }

    /// Reads the next element if it has this tag. Otherwise returns nil and reads nothing.
    package mutating func nextIfPresent(_ tag: DERTag) throws(DERError) -> DERElement? {
        guard !isAtEnd else { return nil }
        let element = try element(at: position)
        guard element.tag == tag else { return nil }
        position = element.contents.upperBound
        return element
    }

    /// Throws unless every byte of this level has been read.
    package func finish() throws(DERError) {
        guard isAtEnd else { throw DERError(offset: position, .trailingBytes(end - position)) }
    }

    private func element(at start: Int) throws(DERError) -> DERElement {
        var cursor = start
        let identifier = try byte(at: cursor, of: start)
        cursor += 1
        var tag = DERTag(identifier: identifier)
        if identifier & 0x1F == 0x1F {
            (tag, cursor) = try highTag(identifier: identifier, at: cursor, of: start)
        }

        let first = try byte(at: cursor, of: start)
        cursor += 1
        var length = Int(first)
        if first >= 0x80 {
            (length, cursor) = try longLength(first: first, at: cursor, of: start)
        }
        guard length <= end - cursor else {
            throw DERError(offset: start, .truncated(missing: length - (end - cursor)))
        }
        return DERElement(tag: tag, start: start, contents: cursor..<cursor + length)
    }

    @inline(__always)
    private func byte(at offset: Int, of start: Int) throws(DERError) -> UInt8 {
        guard offset < end else { throw DERError(offset: start, .truncated(missing: 1)) }
        return bytes[offset]
    }

    /// Reads a length of 128 or more, whose first byte is the number of length bytes (X.690, sections 8.1.3.5 and 10.1).
    private func longLength(first: UInt8, at offset: Int, of start: Int) throws(DERError) -> (length: Int, next: Int) {
        guard first != 0x80 else { throw DERError(offset: start, .indefiniteLength) }
        let count = Int(first & 0x7F)
        let leading = try byte(at: offset, of: start)
        guard leading != 0 else { throw DERError(offset: start, .lengthNotMinimal) }
        guard count <= 4 else { throw DERError(offset: start, .lengthTooLarge) }
        var length: UInt64 = 0
        for index in offset..<offset + count {
            length = length << 8 | UInt64(try byte(at: index, of: start))
        }
        guard length >= 0x80 else { throw DERError(offset: start, .lengthNotMinimal) }
        guard let length = Int(exactly: length) else { throw DERError(offset: start, .lengthTooLarge) }
        return (length, offset + count)
    }

    /// Reads a tag number of 31 or more, in base 128 (X.690, section 8.1.2.4).
    private func highTag(identifier: UInt8, at offset: Int, of start: Int) throws(DERError) -> (DERTag, next: Int) {
        var number: UInt32 = 0
        for index in offset..<offset + 4 {
            let byte = try byte(at: index, of: start)
            number = number << 7 | UInt32(byte & 0x7F)
            guard number > 0 else { throw DERError(offset: start, .unusableTag) }
            guard byte & 0x80 == 0 else { continue }
            guard number >= 31 else { throw DERError(offset: start, .unusableTag) }
            let `class` = DERTag.Class(rawValue: identifier >> 6) ?? .universal
            return (DERTag(class: `class`, isConstructed: identifier & 0x20 != 0, number: number), index + 1)
        }
        throw DERError(offset: start, .unusableTag)
    }
}
