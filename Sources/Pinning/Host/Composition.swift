internal import Encodings

/// Letters and the marks on them put together where one character exists for both: normalization form C of the Unicode
/// Standard, Annex 15.
///
/// The standard library compares strings by that form, but has no public way to get it.
enum Composition {
    /// - Parameter scalars: without capital letters, which are not in ``CompositionTable``.
    static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for (scalar, combiningClass) in ordered(apart(scalars)) {
            // A mark behind another one of its own class, or of a higher one, does not reach the letter.
            if let starter, lastClass == 0 || lastClass < combiningClass, let whole = whole(result[starter], scalar) {
                result[starter] = whole
                continue
            }
            if combiningClass == 0 { starter = result.count }
            lastClass = combiningClass
            result.append(scalar)
        }
        return result
    }

    private typealias Mark = (scalar: Unicode.Scalar, combiningClass: UInt8)

    /// Each character with its combining class, those that are made of others taken apart.
    private static func apart(_ scalars: [Unicode.Scalar]) -> [Mark] {
        var result: [Mark] = []
        func append(_ scalar: Unicode.Scalar) {
            guard let parts = parts[scalar] else {
                result.append((scalar, scalar.properties.canonicalCombiningClass.rawValue))
                return
            }
            for part in parts { append(part) }
        }
        for scalar in scalars { append(scalar) }
        return result
    }

    /// The marks on one letter in the order of their classes, equal ones as they came.
    private static func ordered(_ marks: [Mark]) -> [Mark] {
        var result = marks
        for index in result.indices.dropFirst() where result[index].combiningClass != 0 {
            var place = index
            while place > 0, result[place - 1].combiningClass > result[place].combiningClass {
                result.swapAt(place, place - 1)
                place -= 1
            }
        }
        return result
    }

    private static func whole(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        syllable(first.value, second.value) ?? wholes[Pair(first: first, second: second)]
    }

    /// Korean syllables are counted, not listed (The Unicode Standard, section 3.12).
    private static func syllable(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
        if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
            return Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28)
        }
        if (0xAC00...0xD7A3).contains(first), (first - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(second) {
            return Unicode.Scalar(first + (second - 0x11A7))
        }
        return nil
    }
}

extension Composition {
    private struct Pair: Hashable {
        let first: Unicode.Scalar
        let second: Unicode.Scalar
    }

    private static let wholes: [Pair: Unicode.Scalar] = {
        var wholes: [Pair: Unicode.Scalar] = [:]
        for (mark, letters) in CompositionTable.pairs {
            guard let second = Unicode.Scalar(mark) else { continue }
            var letters = letters.unicodeScalars.makeIterator()
            while let first = letters.next(), let whole = letters.next() {
                wholes[Pair(first: first, second: second)] = whole
            }
        }
        return wholes
    }()

    /// One step deep: a part may have parts again.
    private static let parts: [Unicode.Scalar: [Unicode.Scalar]] = {
        var parts: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (pair, whole) in wholes { parts[whole] = [pair.first, pair.second] }
        for (code, codes) in CompositionTable.apart {
            guard let whole = Unicode.Scalar(code) else { continue }
            parts[whole] = codes.compactMap(Unicode.Scalar.init)
        }
        for (first, unified) in CompositionTable.compatibility {
            for (code, other) in zip(first..., unified.unicodeScalars) where code != other.value {
                guard let whole = Unicode.Scalar(code) else { continue }
                parts[whole] = [other]
            }
        }
        return parts
    }()
}
