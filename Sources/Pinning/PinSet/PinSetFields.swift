internal import Encodings

/// The members of one object of a pin set, taken one by one; those that nobody asks for are unknown.
struct PinSetFields {
    private let subject: PinSetError.Subject
    private let position: JSONPosition
    /// What was not taken, in the order of the file.
    private(set) var unknown: [JSONMember]

    init(_ value: JSONValue, of subject: PinSetError.Subject) throws(PinSetError) {
        let expected =
            switch subject {
            case .host: "an object or an array"
            case .pin: "an object or a string"
            default: "an object"
            }
        unknown = try Self.members(of: value, as: subject, expected: expected)
        self.subject = subject
        position = value.position
    }

    static func members(
        of value: JSONValue, as subject: PinSetError.Subject, expected: String
    ) throws(PinSetError) -> [JSONMember] {
        guard case .object(let members) = value.content else {
            throw PinSetError(.type(of: subject, found: value.kind, expected: expected), at: value.position)
        }
        return members
    }

    mutating func required(_ key: String) throws(PinSetError) -> JSONValue {
        guard let value = take(key) else { throw PinSetError(.missing(key, in: subject), at: position) }
        return value
    }

    mutating func string(_ key: String) throws(PinSetError) -> (text: String, position: JSONPosition)? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value.content else {
            throw PinSetError(.type(of: .key(key), found: value.kind, expected: "a string"), at: value.position)
        }
        return (text, value.position)
    }

    mutating func bool(_ key: String) throws(PinSetError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value.content else {
            throw PinSetError(.type(of: .key(key), found: value.kind, expected: "true or false"), at: value.position)
        }
        return bool
    }

    mutating func date(_ key: String) throws(PinSetError) -> Timestamp? {
        guard let (text, position) = try string(key) else { return nil }
        guard let date = Timestamp(rfc3339: text) else { throw PinSetError(.date(text, key: key), at: position) }
        return date
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, _: Word.Type
    ) throws(PinSetError) -> Word? {
        guard let (text, position) = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let choices = Word.allCases.map(\.rawValue)
            throw PinSetError(.word(text, key: key, choices: choices), at: position)
        }
        return word
    }

    mutating func anchors() throws(PinSetError) -> [String] {
        guard let value = take("anchors") else { return [] }
        guard case .array(let values) = value.content else {
            throw PinSetError(.type(of: .key("anchors"), found: value.kind, expected: "an array"), at: value.position)
        }
        var anchors: [String] = []
        for value in values {
            guard case .string(let path) = value.content else {
                throw PinSetError(
                    .type(of: .member("anchors"), found: value.kind, expected: "a string"), at: value.position
                )
            }
            guard !path.isEmpty else { throw PinSetError(.emptyAnchor, at: value.position) }
            anchors.append(path)
        }
        return anchors
    }

    private mutating func take(_ key: String) -> JSONValue? {
        guard let index = unknown.firstIndex(where: { $0.key == key }) else { return nil }
        return unknown.remove(at: index).value
    }
}
