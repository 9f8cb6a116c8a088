internal import Encodings
internal import PinSetFormats
internal import Pinning

/// Known pins that a mistyped one may have been meant as.
struct NearPins {
    /// In base64 without the padding, which no two differ in.
    private let pins: [(text: [UInt8], name: String)]
    /// Which pins have these three characters next to each other.
    private let places: [UInt32: [Int]]

    /// So many characters wrong of the 43: two pins are never so near by chance.
    static let limit = 10

    /// - Parameter pins: in base64, with what each is called.
    init(_ pins: [(pin: String, name: String)]) {
        self.pins = pins.map { (Array($0.pin.utf8.prefix { $0 != UInt8(ascii: "=") }), $0.name) }
        var places: [UInt32: [Int]] = [:]
        for (number, pin) in self.pins.enumerated() {
            for triple in Self.triples(of: pin.text) where places[triple]?.last != number {
                places[triple, default: []].append(number)
            }
        }
        self.places = places
    }

    /// The authorities of the catalogue.
    static let authorities = NearPins(KnownAuthorities.all)

    struct Match {
        let name: String
        /// In base64.
        let pin: String
        /// How many characters are wrong; 0 where only upper and lower case differ.
        let distance: Int
    }

    /// The nearest that is not the same.
    ///
    /// - Parameter spelling: a pin in base64, or what should have been one; prefixes of pins may stand before it.
    func match(to spelling: String) -> Match? {
        let text = Self.bare(spelling)
        guard (Self.length - Self.limit...Self.length + Self.limit).contains(text.count) else { return nil }
        // Of 43 characters cut at ten places, one piece has three of them or more.
        var candidates: Set<Int> = []
        for triple in Self.triples(of: text) { candidates.formUnion(places[triple] ?? []) }
        var best: Match?
        for number in candidates.sorted() {
            let pin = pins[number]
            guard pin.text != text,
                let distance = EditDistance.between(
                    pin.text, text, atMost: min(Self.limit, (best?.distance ?? .max) - 1))
            else { continue }
            best = Match(name: pin.name, pin: String(decoding: pin.text, as: UTF8.self) + "=", distance: distance)
        }
        return best ?? caseMatch(to: text)
    }

    /// One whose letters were all made small, or large.
    private func caseMatch(to text: [UInt8]) -> Match? {
        guard text.count == Self.length else { return nil }
        let lowered = text.map(Self.lowered)
        guard let pin = pins.first(where: { $0.text != text && $0.text.map(Self.lowered) == lowered }) else {
            return nil
        }
        return Match(name: pin.name, pin: String(decoding: pin.text, as: UTF8.self) + "=", distance: 0)
    }

    private static let length = 43

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Three bytes in one number each.
    private static func triples(of text: [UInt8]) -> [UInt32] {
        guard text.count >= 3 else { return [] }
        return (0...text.count - 3).map { UInt32(text[$0]) << 16 | UInt32(text[$0 + 1]) << 8 | UInt32(text[$0 + 2]) }
    }

    /// Without what is written before a pin, and without its padding.
    private static func bare(_ spelling: String) -> [UInt8] {
        var text = Array(spelling.utf8)
        while let last = text.last, last == UInt8(ascii: "=") || last == UInt8(ascii: "\"") { text.removeLast() }
        let lowered = text.map(lowered)
        for prefix in ["pin-sha256=\"", "pin-sha256:", "pin-sha256=", "sha256//", "sha256/", "sha256:"]
        where lowered.starts(with: prefix.utf8) {
            // A pin may begin with a slash itself.
            let isOwnSlash = prefix == "sha256//" && text.count < prefix.utf8.count + length
            return Array(text.dropFirst(prefix.utf8.count - (isOwnSlash ? 1 : 0)))
        }
        return text
    }
}
