/// Letters and the marks that follow them put together where one character exists for both (Unicode Standard Annex 15,
/// form C, for text that is not half composed already).
enum Composition {
    static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains(where: { $0.value >= 0x300 }) else { return scalars }
        var result: [Unicode.Scalar] = []
        var starter: Int?
        var lastClass: Unicode.CanonicalCombiningClass = .notReordered
        for scalar in ordered(scalars) {
            let combiningClass = scalar.properties.canonicalCombiningClass
            if let starter, lastClass == .notReordered || lastClass < combiningClass || starter == result.count - 1,
                let whole = whole(result[starter], scalar)
            {
                result[starter] = whole
                continue
            }
            if combiningClass == .notReordered { starter = result.count }
            lastClass = combiningClass
            result.append(scalar)
        }
        return result
    }

    /// Marks on one letter in the order of their classes, equal ones as they came.
    private static func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result = scalars
        for index in result.indices.dropFirst() {
            var place = index
            while place > 0, case let mark = result[place].properties.canonicalCombiningClass, mark != .notReordered,
                result[place - 1].properties.canonicalCombiningClass > mark
            {
                result.swapAt(place, place - 1)
                place -= 1
            }
        }
        return result
    }

    /// Where composed letters stand. The standard library compares strings by canonical equivalence but does not give
    /// the composed form away, so it is looked for.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x00C0...0x024F, 0x0370...0x03FF, 0x0400...0x04FF, 0x0620...0x06FF, 0x0900...0x0DFF, 0x1000...0x10FF,
        0x1B00...0x1B4F, 0x1E00...0x1FFF, 0x3040...0x30FF,
    ]

    private static func whole(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        if let syllable = hangul(first.value, second.value) { return syllable }
        guard second.value >= 0x300, second.properties.generalCategory != .otherLetter else { return nil }
        let pair = String(Character(first)) + String(Character(second))
        for range in ranges {
            for value in range {
                guard let scalar = Unicode.Scalar(value), String(Character(scalar)) == pair else { continue }
                if !scalar.properties.isFullCompositionExclusion { return scalar }
            }
        }
        return nil
    }

    /// Korean syllables are counted, not listed (The Unicode Standard, section 3.12).
    private static func hangul(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
        if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
            return Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28)
        }
        if (0xAC00...0xD7A3).contains(first), (first - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(second) {
            return Unicode.Scalar(first + (second - 0x11A7))
        }
        return nil
    }
}
