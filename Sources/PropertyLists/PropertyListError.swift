package import Encodings
internal import XMLDocuments

/// An error in a property list, with its position, or a value that cannot be written.
package struct PropertyListError: Error, Hashable, Sendable {
    /// The position; nil in binary files and for errors of the whole file.
    package let position: SourcePosition?
    let reason: Reason

    init(_ reason: Reason, at position: SourcePosition? = nil) {
        (self.reason, self.position) = (reason, position)
    }

    init(_ error: XMLError) {
        self.init(.xml(error), at: error.position)
    }

    enum Reason: Hashable, Sendable {
        case xml(XMLError)
        /// The bytes are neither XML nor binary.
        case form
        /// The old text form of `defaults` and other tools: `{ key = value; }`.
        case oldForm
        /// An unknown element.
        case element(String)
        /// Text between elements other than white space.
        case text(in: String)
        /// `plist` without a value or with several values.
        case values(Int)
        /// A value where the key of a dictionary is expected.
        case key(found: String)
        case missingValue(key: String)
        case duplicateKey(String)
        /// Text that is not a valid value of its type: `integer`, `date`.
        case value(String, kind: String)
        /// The nesting depth of arrays and dictionaries is greater than this limit.
        case tooDeep(Int)
        case tooLarge(Int)
        case binary(BinaryPropertyListFault, offset: Int)
        /// A string with a character that XML does not allow.
        case unwritable(String)
    }

    package var message: String {
        switch reason {
        case .xml(let error): error.message
        case .form: "the file is not a property list in XML or binary form"
        case .oldForm: "the file is a property list in the old text form, expected XML or binary"
        case .element(let name): "unknown property-list element \("<\(name)>".quotedExcerpt)"
        case .text(let name): "\("<\(name)>".quotedExcerpt) contains text, expected only elements"
        case .values(let count): "\"<plist>\" has \(count == 0 ? "no value" : "\(count) values"), expected 1"
        case .key(let found): "expected a key in the dictionary, found \("<\(found)>".quotedExcerpt)"
        case .missingValue(let key): "the key \(key.withoutUserInfo.quotedExcerpt) has no value"
        case .duplicateKey(let key): "duplicate key \(key.withoutUserInfo.quotedExcerpt) in a dictionary"
        case .value(let text, let kind): "expected \(kind), found \(text.quotedExcerpt)"
        case .tooDeep(let limit): "arrays and dictionaries are nested deeper than \(limit) levels"
        case .tooLarge(let limit): "the property list is longer than \(limit) bytes"
        case .binary(let fault, let offset): "the binary property list is malformed at byte \(offset): \(fault.message)"
        case .unwritable(let text): "\(text.quotedExcerpt) has a character that is not allowed in XML"
        }
    }

    package var hint: String? {
        switch reason {
        case .xml(let error): error.hint
        case .oldForm: "convert it: plutil -convert xml1 FILE"
        case .duplicateKey: "remove one: readers differ in which value they use"
        case .value(_, "date"): "write it as 2027-06-01T00:00:00Z"
        default: nil
        }
    }
}

/// A fault in a binary property list.
enum BinaryPropertyListFault: Hashable, Sendable {
    case trailer
    case truncated
    /// A reference to an object that does not exist.
    case reference(UInt64)
    /// An object of an unknown type.
    case kind(UInt8)
    case text
    case keyKind
    case duplicateKey(String)
    case integer
    /// An array or dictionary that contains itself.
    case cycle
    /// References that expand to more values than this limit.
    case expansion(Int)
    case tooDeep(Int)

    var message: String {
        switch self {
        case .trailer: "the trailer does not match the file"
        case .truncated: "an object extends past the end of the file"
        case .reference(let number): "object \(number) does not exist"
        case .kind(let marker): "unknown object type 0x\(String(marker, radix: 16))"
        case .text: "a string is not valid in its encoding"
        case .keyKind: "a key is not a string"
        case .duplicateKey(let key): "duplicate key \(key.withoutUserInfo.quotedExcerpt) in a dictionary"
        case .integer: "an integer is too large"
        case .cycle: "an array or dictionary contains itself"
        case .expansion(let limit): "its references expand to more than \(limit) values"
        case .tooDeep(let limit): "arrays and dictionaries are nested deeper than \(limit) levels"
        }
    }
}
