internal import Encodings

/// Unicode normalization form C (Unicode Standard Annex 15). It composes a letter and its marks into one character if such a
/// character exists.
///
/// The standard library compares strings in this form, but has no public function that returns it.
enum UnicodeNFC {
    /// - Parameter scalars: text without upper-case letters, which ``UnicodeNFCTable`` does not contain.
    static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for (scalar, combiningClass) in ordered(decomposed(scalars)) {
            // A mark is not composed with the letter if a mark of the same or a higher class is between them.
            if let starter, lastClass == 0 || lastClass < combiningClass,
                let composite = composite(result[starter], scalar)
            {
                result[starter] = composite
                continue
            }
            if combiningClass == 0 { starter = result.count }
            lastClass = combiningClass
            result.append(scalar)
        }
        return result
    }

    private typealias Mark = (scalar: Unicode.Scalar, combiningClass: UInt8)

    /// Decomposes the characters, and adds the combining class of each.
    private static func decomposed(_ scalars: [Unicode.Scalar]) -> [Mark] {
        var result: [Mark] = []
        func append(_ scalar: Unicode.Scalar) {
            guard let decompositions = decompositions[scalar] else {
                result.append((scalar, scalar.properties.canonicalCombiningClass.rawValue))
                return
            }
            for part in decompositions { append(part) }
        }
        for scalar in scalars { append(scalar) }
        return result
    }

    /// Sorts the marks of each letter by their classes. The sort is stable.
    private static func ordered(_ marks: [Mark]) -> [Mark] {
        var result = marks
        var start = 0
        while start < marks.count {
            let end = marks[start...].dropFirst().firstIndex { $0.combiningClass == 0 } ?? marks.count
            if end - start > 1 {
                let indices = (start..<end).sorted {
                    (marks[$0].combiningClass, $0) < (marks[$1].combiningClass, $1)
                }
                for (target, source) in zip(start..<end, indices) { result[target] = marks[source] }
            }
            start = end
        }
        return result
    }

    private static func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        syllable(first.value, second.value) ?? composites[Pair(first: first, second: second)]
    }

    /// Composes a Hangul syllable, which is computed (The Unicode Standard, section 3.12).
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

extension UnicodeNFC {
    private struct Pair: Hashable {
        let first: Unicode.Scalar
        let second: Unicode.Scalar
    }

    private static let composites: [Pair: Unicode.Scalar] = {
        var composites: [Pair: Unicode.Scalar] = [:]
        for (mark, letters) in UnicodeNFCTable.compositions {
            guard let second = Unicode.Scalar(mark) else { continue }
            var letters = letters.unicodeScalars.makeIterator()
            while let first = letters.next(), let composite = letters.next() {
                composites[Pair(first: first, second: second)] = composite
            }
        }
        return composites
    }()

    /// One step of each decomposition. Its parts may decompose further.
    private static let decompositions: [Unicode.Scalar: [Unicode.Scalar]] = {
        var decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (pair, composite) in composites { decompositions[composite] = [pair.first, pair.second] }
        for (code, codes) in UnicodeNFCTable.decompositions {
            guard let composite = Unicode.Scalar(code) else { continue }
            decompositions[composite] = codes.compactMap(Unicode.Scalar.init)
        }
        for (first, unified) in UnicodeNFCTable.compatibility {
            for (code, other) in zip(first..., unified.unicodeScalars) where code != other.value {
                guard let composite = Unicode.Scalar(code) else { continue }
                decompositions[composite] = [other]
            }
        }
        return decompositions
    }()
}
