/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
package enum Base64 {
    /// `bytes` in base64, padded, without line breaks.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        append(Array(bytes), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends `bytes` in base64 to `output`. Reports use this to avoid the copy of a `String`.
    package static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4))
        let input = bytes.span
        let symbols = alphabet.span
        var target = output.mutableSpan
        var offset = 0
        var position = start
        while offset &+ 3 <= input.count {
            let group = UInt32(input[offset]) << 16 | UInt32(input[offset &+ 1]) << 8 | UInt32(input[offset &+ 2])
            target[position] = symbols[Int(group >> 18)]
            target[position &+ 1] = symbols[Int(group >> 12 & 63)]
            target[position &+ 2] = symbols[Int(group >> 6 & 63)]
            target[position &+ 3] = symbols[Int(group & 63)]
            offset &+= 3
            position &+= 4
        }
        guard offset < input.count else { return }
        let second = offset + 1 < input.count ? input[offset + 1] : nil
        let group = UInt32(input[offset]) << 16 | UInt32(second ?? 0) << 8
        target[position] = symbols[Int(group >> 18)]
        target[position + 1] = symbols[Int(group >> 12 & 63)]
        if second != nil { target[position + 2] = symbols[Int(group >> 6 & 63)] }
    }

    /// Decodes base64 without other characters.
    ///
    /// Padding is required, and the bits after the last whole byte must be zero (RFC 4648, sections 3.2 and 3.5). So every value has
    /// exactly one encoding.
    package static func decode(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        try decode(text.span, skipsWhiteSpace: false)
    }

    /// Decodes base64 in a part of a text. Offsets in errors count from the start of the slice.
    package static func decode(_ text: ArraySlice<UInt8>) throws(Base64Error) -> [UInt8] {
        try decode(text.span, skipsWhiteSpace: false)
    }

    /// Decodes base64 in a string. Offsets in errors count UTF-8 bytes.
    package static func decode(_ text: some StringProtocol) throws(Base64Error) -> [UInt8] {
        try decode(Array(text.utf8).span, skipsWhiteSpace: false)
    }

    /// Decodes the base64 of a PEM block. It differs from `decode` in that it skips ASCII white space (RFC 7468, section 3).
    package static func decodeSkippingWhiteSpace(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        try decode(text.span, skipsWhiteSpace: true)
    }

    /// Decodes the base64 of a PEM block in a part of a text. Offsets in errors count from the start of the slice.
    package static func decodeSkippingWhiteSpace(_ text: ArraySlice<UInt8>) throws(Base64Error) -> [UInt8] {
        try decode(text.span, skipsWhiteSpace: true)
    }
}

extension Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let white: UInt8 = 0x40
    private static let padding: UInt8 = 0x41
    private static let other: UInt8 = 0xff

    /// The meaning of each byte: its value from 0 to 63, or one of the three constants above.
    private static let meanings: [UInt8] = {
        var meanings = [UInt8](repeating: other, count: 256)
        for (value, symbol) in alphabet.enumerated() { meanings[Int(symbol)] = UInt8(value) }
        for byte in " \t\n\u{0B}\u{0C}\r".utf8 { meanings[Int(byte)] = white }
        meanings[Int(UInt8(ascii: "="))] = padding
        return meanings
    }()

    private static func decode(_ text: Span<UInt8>, skipsWhiteSpace: Bool) throws(Base64Error) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
        var group = Group()
        var written = 0
        var offset = 0
        // The table is copied to a local variable, because access to a lazy global for each byte would cost more than the decoding.
        let table = meanings
        do {
            let meaning = table.span
            var target = output.mutableSpan
            reading: while offset < text.count {
                // Lines of PEM consist of whole groups, so this loop reads nearly all groups.
                while group.count == 0, offset &+ 4 <= text.count {
                    let first = meaning[Int(text[offset])]
                    let second = meaning[Int(text[offset &+ 1])]
                    let third = meaning[Int(text[offset &+ 2])]
                    let fourth = meaning[Int(text[offset &+ 3])]
                    guard first | second | third | fourth < 64 else { break }
                    target[written] = first << 2 | second >> 4
                    target[written &+ 1] = second << 4 | third >> 2
                    target[written &+ 2] = third << 6 | fourth
                    written &+= 3
                    offset &+= 4
                }
                guard offset < text.count else { break }
                let value = meaning[Int(text[offset])]
                switch value {
                case 0..<64:
                    group.add(value)
                    if group.count == 4 {
                        target[written] = UInt8(truncatingIfNeeded: group.bits >> 16)
                        target[written + 1] = UInt8(truncatingIfNeeded: group.bits >> 8)
                        target[written + 2] = UInt8(truncatingIfNeeded: group.bits)
                        written += 3
                        group = Group()
                    }
                case white where skipsWhiteSpace:
                    break
                case padding:
                    break reading
                default:
                    throw .character(text[offset], offset: offset)
                }
                offset += 1
            }
            try checkEnd(of: text, from: offset, after: group.count, skipsWhiteSpace: skipsWhiteSpace)
            if group.count > 0 {
                let unused: UInt32 = group.count == 2 ? 0b1111 : 0b11
                guard group.bits & unused == 0 else { throw .trailingBits(offset: offset - 1) }
                let bits = group.bits << UInt32(6 * (4 - group.count))
                target[written] = UInt8(truncatingIfNeeded: bits >> 16)
                target[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                written += group.count - 1
            }
        }
        output.removeLast(output.count - written)
        return output
    }

    /// Checks the padding of an incomplete group of `symbols` characters. No text may follow the padding.
    private static func checkEnd(
        of text: Span<UInt8>, from start: Int, after symbols: Int, skipsWhiteSpace: Bool
    ) throws(Base64Error) {
        let wanted = (4 - symbols) % 4
        var found = 0
        for offset in start..<text.count {
            switch meanings[Int(text[offset])] {
            case padding:
                guard wanted < 3, found < wanted else { throw .misplacedPadding(offset: offset) }
                found += 1
            case white where skipsWhiteSpace:
                continue
            case 0..<64:
                // The error is the padding before this character.
                throw .misplacedPadding(offset: offset - 1)
            default:
                throw .character(text[offset], offset: offset)
            }
        }
        guard wanted < 3 else { throw .truncated(offset: text.count) }
        guard found == wanted else { throw .missingPadding(offset: text.count) }
    }

    /// Up to four base64 characters, with six bits each.
    private struct Group {
        var bits: UInt32 = 0
        var count = 0

        mutating func add(_ value: UInt8) {
            bits = bits << 6 | UInt32(value)
            count += 1
        }
    }
}
