/// A search for private keys in a text. Keys are recognized by three rules:
/// - bytes in one of the notations of ``WrittenBytes`` that begin as ``PrivateKeyStart`` describes;
/// - the marks of ``PrivateKeyMatch/init(markAt:of:)``;
/// - the secret members of a JWK, or of a key in XML (``SecretMember``);
/// - the pieces of a key that an input of this process contained (``KnownPrivateKeys``).
///
/// The work is linear: each rule reads a limited number of bytes at each index, and a recognized key is read once.
package struct PrivateKeySearch {
    /// A shorter text contains no key.
    static let minimumLength = 20
    /// A shorter text contains no byte of a secret: at least seven bytes are before it.
    static let minimumSecretLength = 8

    private let text: [UInt8]
    /// Whether the text has the name of a secret member (``SecretMember/hasStart(in:)``). Without one, it has no members.
    let hasMemberStart: Bool
    /// The marks of JWK and of keys in XML. Without one, a member alone is not a whole key.
    private let marks: SecretMember.Marks
    /// nil if no input contained a key.
    private let known: KnownPrivateKeys?

    package init(_ text: [UInt8]) { self.init(text, known: .current) }

    /// - Parameter known: the keys of which pieces are searched.
    init(_ text: [UInt8], known: KnownPrivateKeys?) {
        self.text = text
        self.known = known
        hasMemberStart = SecretMember.hasStart(in: text.span)
        marks = hasMemberStart ? SecretMember.marks(in: text.span) : []
    }

    /// The first index at which a private key can begin; nil if the text contains none. Most texts need no search then, and no copy.
    static func possibleStart(in text: Span<UInt8>) -> Int? {
        if text.count >= KnownPrivateKeys.minimumLength, KnownPrivateKeys.current != nil { return 0 }
        guard text.count >= minimumLength else { return nil }
        if SecretMember.hasStart(in: text) { return 0 }
        let start = PrivateKeyMatch.nextStart(from: 0, of: text)
        return start <= text.count - minimumLength ? start : nil
    }

    /// The first private key of which so much is in the text that it can be nothing else.
    ///
    /// - Parameter start: an index before which none begins.
    func first(from start: Int = 0) -> PrivateKeyMatch? {
        var index = start
        while true {
            // Every index can be that of a member, or of a known piece.
            if marks.isEmpty, known == nil { index = PrivateKeyMatch.nextStart(from: index, of: text.span) }
            guard index + (known == nil ? Self.minimumLength : KnownPrivateKeys.minimumLength) <= text.count else {
                return nil
            }
            if let piece = knownPiece(at: index) {
                return PrivateKeyMatch(kind: .privateKey, range: piece, isWhole: true, isOpen: false)
            }
            if let match = match(at: index) {
                if match.isWhole { return match }
                index = max(match.range.upperBound, index + 1)
            } else if !marks.isEmpty, let value = SecretMember.value(at: index, of: text, marks) {
                return PrivateKeyMatch(kind: .privateKey, range: value, isWhole: true, isOpen: false)
            } else {
                index += 1
            }
        }
    }

    /// Characters that are read of a key after another character. More than the first bytes of a key need, as numbers.
    private static let maximumStart = 512

    /// The first private key in numbers of which the first one follows a letter, a digit or a dot, for example the letter of an option
    /// (`-f48, 46`). In other texts than an argument, such a number begins no key.
    func firstAfterCharacter() -> PrivateKeyMatch? {
        for index in text.indices.dropFirst() where Hex.value(of: text[index]) != nil {
            let before = text[index - 1]
            guard WrittenBytes.isLetterOrDigit(before) || before == UInt8(ascii: ".") else { continue }
            let start = Array(text[index...].prefix(Self.maximumStart))
            guard start.count >= Self.minimumLength, PrivateKeyMatch.canBegin(at: 0, of: start.span),
                let match = PrivateKeyMatch(bytesAt: 0, of: start), match.isWhole
            else { continue }
            return match
        }
        return nil
    }

    /// The characters at an index that are a piece of a known key.
    func knownPiece(at index: Int) -> Range<Int>? { known?.piece(at: index, of: text) }

    /// The value of a secret member at an index.
    func member(at index: Int) -> Range<Int>? {
        SecretMember.value(at: index, of: text, marks)
    }

    /// Keys that are searched within a key. The limit keeps the work linear.
    private static let maximumKeysWithin = 32

    /// Characters to hide, to the end of the last key that begins within them. A key that is cut can be directly before another one, of which
    /// the first bytes are then read as the rest of the first one.
    func extended(_ secret: Range<Int>) -> Range<Int> {
        var (index, end) = (secret.lowerBound + 1, secret.upperBound)
        var count = 0
        while index < end, count < Self.maximumKeysWithin {
            if let range = match(at: index)?.range, !range.isEmpty {
                count += 1
                end = max(end, range.upperBound)
            }
            index += 1
        }
        return secret.lowerBound..<max(secret.lowerBound, end)
    }

    /// A key, or a part of a key, at an index.
    func match(at index: Int) -> PrivateKeyMatch? {
        guard PrivateKeyMatch.canBegin(at: index, of: text.span) else { return nil }
        return PrivateKeyMatch(bytesAt: index, of: text) ?? PrivateKeyMatch(markAt: index, of: text)
    }
}

/// A search for private keys in the lines of a file.
package struct PrivateKeyLines {
    /// The end of the lines until now, if it can be the start of a key.
    private var pending: [UInt8] = []

    /// Characters of a line in which the start of a key is searched.
    private static let maximumLength = 4096

    package init() {}

    /// Whether a line alone contains a private key, or its start, also with escaped characters.
    package static func isKey(_ line: ArraySlice<UInt8>) -> Bool {
        let line = Array(line.prefix(maximumLength))
        return ([line] + UnescapedText.texts(of: line)).contains { text in
            var lines = PrivateKeyLines()
            return lines.containsKey(text[...])
        }
    }

    /// Whether a line, or its start, continues the lines before it to a private key.
    ///
    /// Of a key that begins in the line, a few bytes are enough, because the next lines must not be used as anything else.
    package mutating func containsKey(_ line: ArraySlice<UInt8>) -> Bool {
        let text = pending + line.prefix(Self.maximumLength)
        pending = []
        var marks: SecretMember.Marks?
        for index in text.indices {
            if !PrivateKeyMatch.canBegin(at: index, of: text.span), !SecretMember.canPrecedeName(text[index]) {
                continue
            }
            if let match = PrivateKeyMatch(bytesAt: index, of: text, allowsStart: true) {
                guard match.isOpen else { return true }
                if pending.isEmpty { pending = text[index...] + [0x0A] }
            } else if PrivateKeyMatch(markAt: index, of: text) != nil {
                return true
            } else if SecretMember.canPrecedeName(text[index]) {
                let found = marks ?? SecretMember.marks(in: text.span)
                marks = found
                if !found.isEmpty, SecretMember.value(at: index, of: text, found) != nil { return true }
            }
        }
        // A list has blank lines, and a start does not grow without end.
        if pending.count > Self.maximumLength { pending = [] }
        return false
    }
}
