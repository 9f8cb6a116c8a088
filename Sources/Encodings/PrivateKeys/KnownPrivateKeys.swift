import Synchronization

/// The private keys that inputs of this process contained, although no key belongs there.
///
/// A part of a key without its start is not recognized. But a reader can use each part separately, for example as the label of a pin or as a
/// host. So the whole input is searched once, and then each text of a message or a report for the pieces of what was found.
package struct KnownPrivateKeys: Sendable {
    /// The characters of the shortest piece that is recognized.
    package static let minimumLength = 8
    /// The characters of keys that are kept: about 600 keys of RSA. Each one takes up to 32 bytes.
    private static let maximumCount = 1 << 20

    /// Each piece of eight characters, in lower case, because hosts are.
    private var pieces: Set<UInt64> = []

    /// The keys in a text.
    init(in text: [UInt8]) { self.init(PrivateKeyRanges(text, PrivateKeySearch(text, known: nil)), in: text) }

    private init(_ keys: PrivateKeyRanges, in text: [UInt8]) {
        for range in keys.ranges {
            var last = Piece()
            for byte in text[range] {
                guard let character = Self.character(byte), pieces.count < Self.maximumCount else { continue }
                last.append(character)
                if last.isWhole { pieces.insert(last.characters) }
            }
        }
    }

    /// The last characters of a text.
    private struct Piece {
        private(set) var characters: UInt64 = 0
        private var count = 0

        var isWhole: Bool { count == KnownPrivateKeys.minimumLength }

        mutating func append(_ character: UInt8) {
            characters = characters << 8 | UInt64(character)
            if count < KnownPrivateKeys.minimumLength { count += 1 }
        }
    }

    /// A letter or a digit of base64 in lower case, with the signs of base64 in place of those of base64url; nil for a separator.
    private static func character(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        case _ where WrittenBytes.base64Value(of: byte) != nil: byte.lowercased
        default: nil
        }
    }

    /// The characters at an index of a text that are a piece of a key. There can be a separator between two characters.
    func piece(at start: Int, of text: [UInt8]) -> Range<Int>? {
        guard Self.character(text[start]) != nil else { return nil }
        var last = Piece()
        var end: Int?
        var index = start
        var isAfterSeparator = false
        while index < text.count {
            if let character = Self.character(text[index]) {
                last.append(character)
                isAfterSeparator = false
                if last.isWhole {
                    guard pieces.contains(last.characters) else { break }
                    end = index + 1
                }
            } else {
                guard !isAfterSeparator else { break }
                isAfterSeparator = true
            }
            index += 1
        }
        return end.map { start..<$0 }
    }

    /// Whether bytes are a part of a key, in hexadecimal digits or in base64.
    private func includes(_ bytes: [UInt8]) -> Bool {
        // The last digit of base64 also depends on the byte that follows.
        [Array(Hex.encode(bytes).utf8), Array(Base64.encode(bytes).utf8.prefix(bytes.count * 8 / 6))].contains {
            piece(at: 0, of: $0) == $0.indices
        }
    }

    // MARK: The keys of the process

    /// The keys of a process.
    package final class Store: Sendable {
        private let keys = Mutex<KnownPrivateKeys?>(nil)
        private let hasKeys = Atomic(false)

        package init() {}

        /// nil if no input contained a key.
        var current: KnownPrivateKeys? { hasKeys.load(ordering: .acquiring) ? keys.withLock { $0 } : nil }

        func add(_ new: KnownPrivateKeys) {
            keys.withLock { keys in
                guard let known = keys else {
                    keys = new
                    return
                }
                if known.pieces.count < maximumCount { keys?.pieces.formUnion(new.pieces) }
            }
            hasKeys.store(true, ordering: .releasing)
        }
    }

    /// The keys of this process. Only tests, which run several commands in one process, give each one its own.
    package static let store = TaskLocal(wrappedValue: Store())

    /// nil if no input contained a key.
    static var current: KnownPrivateKeys? { store.get().current }

    /// Whether bytes are a part of a key that an input contained.
    package static func include(_ bytes: [UInt8]) -> Bool { current?.includes(bytes) ?? false }

    /// Searches an input for private keys, so that no message and no report shows a piece of one.
    ///
    /// - Throws: ``ScatteredPrivateKey`` if only the start of a key is in one place, or if characters of it are escaped, because then not all
    ///   of its characters can be told from other text.
    package static func remember(from input: [UInt8]) throws(ScatteredPrivateKey) {
        let keys = PrivateKeyRanges(input, PrivateKeySearch(input, known: nil))
        if let start = keys.firstDivided { throw ScatteredPrivateKey(.divided, at: start, in: input) }
        let lines = keys.lines(in: input)
        if let key = keys.ranges.first(where: { UnescapedText.hasEscapedLetters(input[$0]) }) {
            throw ScatteredPrivateKey(.escaped, at: key.lowerBound, in: input)
        }
        remember(KnownPrivateKeys(keys, in: input))
        for text in UnescapedText.texts(of: input) {
            let decoded = PrivateKeyRanges(text, PrivateKeySearch(text, known: nil))
            if let start = decoded.firstDivided { throw ScatteredPrivateKey(.divided, at: start, in: text) }
            // A key of which only signs are escaped is in both texts.
            if let line = decoded.lines(in: text).first(notIn: lines) {
                throw ScatteredPrivateKey(.escaped, line: line)
            }
            remember(KnownPrivateKeys(decoded, in: text))
        }
    }

    private static func remember(_ keys: KnownPrivateKeys) {
        if !keys.pieces.isEmpty { store.get().add(keys) }
    }
}

extension [Int] {
    /// The first number that is more often in this list than in another one. Both are sorted.
    fileprivate func first(notIn other: [Int]) -> Int? {
        var rest = other[...]
        return first { number in
            rest = rest.drop { $0 < number }
            guard rest.first == number else { return true }
            rest = rest.dropFirst()
            return false
        }
    }
}
