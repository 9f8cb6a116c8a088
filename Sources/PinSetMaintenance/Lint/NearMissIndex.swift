internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Finds the known pin that is most similar to a mistyped one.
struct NearMissIndex {
    /// The pins in base64, without the padding.
    private let pins: [(text: [UInt8], name: String)]
    /// For each sequence of three characters, the indices of the pins that contain it.
    private let indices: [UInt32: [Int]]
    /// The indices of the pins, by their text in lower case.
    private let lowered: [[UInt8]: [Int]]

    /// Maximum number of wrong characters among the 43. Two unrelated pins differ in more characters.
    static let maximumDistance = 10

    /// - Parameter pins: the pins in base64, with their names.
    init(_ pins: [(pin: String, name: String)]) {
        self.pins = pins.map { (Array($0.pin.utf8.prefix { $0 != UInt8(ascii: "=") }), $0.name) }
        var indices: [UInt32: [Int]] = [:]
        for (index, pin) in self.pins.enumerated() {
            for triple in Self.triples(of: pin.text) where indices[triple]?.last != index {
                indices[triple, default: []].append(index)
            }
        }
        self.indices = indices
        lowered = Dictionary(grouping: self.pins.indices) { [pins = self.pins] in pins[$0].text.map(Self.lowered) }
    }

    /// The pins of the built-in CA catalogue.
    static let authorities = NearMissIndex(KnownAuthorities.all)

    struct Match {
        let name: String
        /// The pin in base64.
        let pin: String
        /// Number of wrong characters; 0 if only upper and lower case differ.
        let distance: Int
    }

    /// The most similar pin that is not equal.
    ///
    /// - Parameter spelling: a pin in base64, valid or not, with or without a prefix such as `sha256/`.
    func match(to spelling: String) -> Match? {
        let text = Self.bare(spelling)
        guard (Self.length - Self.maximumDistance...Self.length + Self.maximumDistance).contains(text.count) else {
            return nil
        }
        // If 43 characters are cut in 10 places, at least one piece has 3 or more characters.
        var candidates: Set<Int> = []
        for triple in Self.triples(of: text) { candidates.formUnion(indices[triple] ?? []) }
        var best: Match?
        for index in candidates.sorted() {
            let pin = pins[index]
            guard pin.text != text,
                let distance = EditDistance.between(
                    pin.text, text, atMost: min(Self.maximumDistance, (best?.distance ?? .max) - 1))
            else { continue }
            best = Match(name: pin.name, pin: String(decoding: pin.text, as: UTF8.self) + "=", distance: distance)
        }
        return best ?? caseMatch(to: text)
    }

    /// The pin that differs only in upper and lower case.
    private func caseMatch(to text: [UInt8]) -> Match? {
        guard text.count == Self.length else { return nil }
        guard let index = lowered[text.map(Self.lowered)]?.first(where: { pins[$0].text != text }) else { return nil }
        let pin = pins[index]
        return Match(name: pin.name, pin: String(decoding: pin.text, as: UTF8.self) + "=", distance: 0)
    }

    private static let length = 43

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Each sequence of three adjacent bytes as one number.
    private static func triples(of text: [UInt8]) -> [UInt32] {
        guard text.count >= 3 else { return [] }
        return (0...text.count - 3).map { UInt32(text[$0]) << 16 | UInt32(text[$0 + 1]) << 8 | UInt32(text[$0 + 2]) }
    }

    /// The spelling without a pin prefix and without padding.
    private static func bare(_ spelling: String) -> [UInt8] {
        var text = Array(spelling.utf8)
        while let last = text.last, last == UInt8(ascii: "=") || last == UInt8(ascii: "\"") { text.removeLast() }
        let lowered = text.map(lowered)
        for prefix in ["pin-sha256=\"", "pin-sha256:", "pin-sha256=", "sha256//", "sha256/", "sha256:"]
        where lowered.starts(with: prefix.utf8) {
            // The slash can also be the first character of the pin's base64.
            let isOwnSlash = prefix == "sha256//" && text.count < prefix.utf8.count + length
            return Array(text.dropFirst(prefix.utf8.count - (isOwnSlash ? 1 : 0)))
        }
        return text
    }
}
