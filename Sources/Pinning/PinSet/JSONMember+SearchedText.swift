internal import Encodings

extension JSONMember {
    /// The key, and all keys, strings and numbers of the value, for a search for private keys: strings in quotes, but without escapes, and
    /// commas between values.
    var searchedText: String {
        var text: [UInt8] = []
        Self.append(self, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ member: JSONMember, to text: inout [UInt8]) {
        append(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        append(member.value, to: &text)
    }

    private static func append(_ value: JSONValue, to text: inout [UInt8]) {
        switch value.content {
        case .null, .bool: break
        case .number(let number): text += number.utf8
        case .string(let string): append(string, to: &text)
        case .array(let values):
            for value in values {
                append(value, to: &text)
                text.append(UInt8(ascii: ","))
            }
        case .object(let members):
            for member in members {
                append(member, to: &text)
                text.append(UInt8(ascii: ","))
            }
        }
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        text += string.utf8
        text.append(UInt8(ascii: "\""))
    }
}
