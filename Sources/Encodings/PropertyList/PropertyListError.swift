/// Why bytes are not a property list that is read here, and where; or why a value cannot be written.
package struct PropertyListError: Error, Hashable, Sendable {
    /// Nil in binary files, and for what is not about one place.
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
        /// Neither of the two forms that are read.
        case form
        /// What `defaults` and old tools write: `{ key = value; }`.
        case oldForm
        /// An element that property lists do not have.
        case element(String)
        /// Text between elements, where only white space belongs.
        case text(in: String)
        /// `plist` with no value in it, or with several.
        case values(Int)
        /// A dictionary's value where its key belongs.
        case key(found: String)
        case missingValue(key: String)
        case duplicateKey(String)
        /// Text that is no value of this kind: `integer`, `date`.
        case value(String, kind: String)
        /// Arrays and dictionaries inside each other.
        case tooDeep(Int)
        case tooLarge(Int)
        case binary(BinaryPropertyListFault, offset: Int)
        /// A string with characters that XML does not have.
        case unwritable(String)
    }

    package var message: String {
        switch reason {
        case .xml(let error): error.message
        case .form: "this is no property list, in XML or binary"
        case .oldForm: "this is a property list in the old text form, and only XML and binary ones are read"
        case .element(let name): "a property list has no element \("<\(name)>".quotedExcerpt)"
        case .text(let name): "text stands in \("<\(name)>".quotedExcerpt), where only elements belong"
        case .values(let count): "\"<plist>\" holds \(count == 0 ? "no value" : "\(count) values"), and one is expected"
        case .key(let found): "a key is expected in the dictionary, not \("<\(found)>".quotedExcerpt)"
        case .missingValue(let key): "the key \(key.quotedExcerpt) has no value"
        case .duplicateKey(let key): "the key \(key.quotedExcerpt) stands twice in one dictionary"
        case .value(let text, let kind): "\(text.quotedExcerpt) is no \(kind)"
        case .tooDeep(let limit): "more than \(limit) arrays and dictionaries stand inside each other"
        case .tooLarge(let limit): "the property list is longer than \(limit) bytes"
        case .binary(let fault, let offset): "the binary property list is broken at byte \(offset): \(fault.message)"
        case .unwritable(let text): "\(text.quotedExcerpt) has a character that XML does not have"
        }
    }

    package var hint: String? {
        switch reason {
        case .xml(let error): error.hint
        case .oldForm: "convert it: plutil -convert xml1 FILE"
        case .duplicateKey: "readers differ in which of the two they take: remove one"
        case .value(_, "date"): "write it as 2027-06-01T00:00:00Z"
        default: nil
        }
    }
}

/// What is wrong in a binary property list.
enum BinaryPropertyListFault: Hashable, Sendable {
    case trailer
    case truncated
    /// A number of an object that is not there.
    case reference(UInt64)
    /// An object that is none of the kinds of property lists.
    case kind(UInt8)
    case text
    case keyKind
    case duplicateKey(String)
    case integer
    /// An array or dictionary that holds itself.
    case cycle
    /// One object that stands for many by being referred to often.
    case expansion(Int)
    case tooDeep(Int)

    var message: String {
        switch self {
        case .trailer: "its trailer does not fit the file"
        case .truncated: "an object goes beyond the end"
        case .reference(let number): "there is no object \(number)"
        case .kind(let marker): "there is no object of kind 0x\(String(marker, radix: 16))"
        case .text: "a string is not in its encoding"
        case .keyKind: "a key is not a string"
        case .duplicateKey(let key): "the key \(key.quotedExcerpt) stands twice in one dictionary"
        case .integer: "an integer is too large"
        case .cycle: "an array or dictionary holds itself"
        case .expansion(let limit): "it stands for more than \(limit) values"
        case .tooDeep(let limit): "more than \(limit) arrays and dictionaries stand inside each other"
        }
    }
}
