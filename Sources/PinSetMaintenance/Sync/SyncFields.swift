internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Reads the members of an object in a manifest one by one. The members that remain are unknown keys.
struct SyncFields {
    private let subject: String
    private let position: SourcePosition
    /// The members that were not read, in the order of the file.
    private(set) var unknown: [JSONMember]

    /// - Parameter subject: the name of the object in messages.
    init(_ value: JSONValue, of subject: String) throws(SyncManifestError) {
        guard case .object(let members) = value.content else {
            throw SyncManifestError(.type(subject, found: value.kind, expected: "an object"), at: value.position)
        }
        (self.subject, position, unknown) = (subject, value.position, members)
    }

    mutating func required(_ key: String) throws(SyncManifestError) -> JSONValue {
        guard let value = take(key) else { throw SyncManifestError(.missing(key, in: subject), at: position) }
        return value
    }

    mutating func checkVersion() throws(SyncManifestError) {
        let value = try required("version")
        guard case .number(let text) = value.content else {
            throw SyncManifestError(
                .type("\"version\"", found: value.kind, expected: "the number 1"), at: value.position)
        }
        guard text == "1" else { throw SyncManifestError(.version(text), at: value.position) }
    }

    /// Reads a string that is not empty.
    mutating func path(_ key: String) throws(SyncManifestError) -> String {
        guard let text = try text(key) else { throw SyncManifestError(.missing(key, in: subject), at: position) }
        return text.text
    }

    mutating func text(_ key: String) throws(SyncManifestError) -> (text: String, position: SourcePosition)? {
        guard let value = take(key) else { return nil }
        return (try Self.text(value, key.quotedExcerpt), value.position)
    }

    /// - Parameter canBeEmpty: False if an array without members is an error, because it would mean the same as no array.
    mutating func texts(_ key: String, canBeEmpty: Bool = true) throws(SyncManifestError) -> [String] {
        guard let value = take(key) else { return [] }
        guard case .array(let values) = value.content else {
            throw SyncManifestError(
                .type(key.quotedExcerpt, found: value.kind, expected: "an array"), at: value.position)
        }
        guard canBeEmpty || !values.isEmpty else {
            throw SyncManifestError(.empty(key.quotedExcerpt), at: value.position)
        }
        var texts: [String] = []
        for value in values { texts.append(try Self.text(value, "a member of \(key.quotedExcerpt)")) }
        return texts
    }

    mutating func bool(_ key: String) throws(SyncManifestError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value.content else {
            throw SyncManifestError(
                .type(key.quotedExcerpt, found: value.kind, expected: "true or false"), at: value.position)
        }
        return bool
    }

    mutating func word(_ key: String, _ choices: [String]) throws(SyncManifestError) -> String? {
        guard let (text, position) = try text(key) else { return nil }
        guard choices.contains(text) else {
            throw SyncManifestError(.word(text, key: key, choices: choices), at: position)
        }
        return text
    }

    private static func text(_ value: JSONValue, _ subject: String) throws(SyncManifestError) -> String {
        guard case .string(let text) = value.content else {
            throw SyncManifestError(.type(subject, found: value.kind, expected: "a string"), at: value.position)
        }
        guard !text.isEmpty else { throw SyncManifestError(.empty(subject), at: value.position) }
        // A system call would use the path up to this character.
        guard !text.utf8.contains(0) else { throw SyncManifestError(.nul(subject), at: value.position) }
        // Reports name the files.
        if let kind = text.privateKeyKind { throw SyncManifestError(.privateKey(kind, subject), at: value.position) }
        return text
    }

    private mutating func take(_ key: String) -> JSONValue? {
        guard let index = unknown.firstIndex(where: { $0.key == key }) else { return nil }
        return unknown.remove(at: index).value
    }
}
