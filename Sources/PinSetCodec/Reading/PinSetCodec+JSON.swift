package import Encodings
package import Pinning

/// Functions that the readers of pin sets in JSON share.
extension PinSetCodec {
    /// - Parameter allowsComments: whether `//` begins a comment to the end of the line, which JSON does not have.
    package static func document(_ bytes: [UInt8], allowsComments: Bool = false) throws(PinSetFormatError) -> JSONValue
    {
        do throws(JSONError) {
            return try JSONDocument(allowsComments ? withoutComments(bytes) : bytes).root
        } catch {
            throw Self.error(.json(error), at: error.position)
        }
    }

    package static func members(of value: JSONValue, _ subject: PinSetFormatError.Part) throws(PinSetFormatError)
        -> [JSONMember]
    {
        guard case .object(let members) = value.content else {
            throw error(.type(of: subject, found: "\(value.kind)", expected: .object), at: value.position)
        }
        return members
    }

    package static func values(of value: JSONValue, _ subject: PinSetFormatError.Part) throws(PinSetFormatError)
        -> [JSONValue]
    {
        guard case .array(let values) = value.content else {
            throw error(.type(of: subject, found: "\(value.kind)", expected: .array), at: value.position)
        }
        return values
    }

    package static func string(_ value: JSONValue, _ subject: PinSetFormatError.Part) throws(PinSetFormatError)
        -> String
    {
        guard case .string(let text) = value.content else {
            throw error(.type(of: subject, found: "\(value.kind)", expected: .string), at: value.position)
        }
        return text
    }

    package static func bool(_ value: JSONValue, _ subject: PinSetFormatError.Part) throws(PinSetFormatError) -> Bool {
        guard case .bool(let bool) = value.content else {
            throw error(.type(of: subject, found: "\(value.kind)", expected: .bool), at: value.position)
        }
        return bool
    }

    package static func pin(_ text: String, at place: SourcePosition?) throws(PinSetFormatError) -> Pin {
        do throws(PinSpellingError) {
            return try Pin(spelling: text)
        } catch {
            throw Self.error(.pin(error), at: place)
        }
    }

    /// Reads an array of pins as a platform decodes them. Leaves out a pin that the platform cannot decode, and adds a warning.
    package static func pins(
        _ value: JSONValue, _ part: PinSetFormatError.Part, after prefix: String = "", by decoding: PinDecoding,
        of host: String, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [PinSet.PinnedKey] {
        var pins: [PinSet.PinnedKey] = []
        for element in try values(of: value, part) {
            let text = try string(element, .member(of: part))
            if let pin = warnings.pin(text, after: prefix, by: decoding, of: host, line: element.position.line) {
                pins.append(PinSet.PinnedKey(pin: pin))
            }
        }
        return pins
    }

    /// An array of pins, each a string.
    package static func pins(_ value: JSONValue, _ subject: PinSetFormatError.Part) throws(PinSetFormatError) -> [PinSet
        .PinnedKey]
    {
        var pins: [PinSet.PinnedKey] = []
        for element in try values(of: value, subject) {
            pins.append(
                PinSet.PinnedKey(pin: try pin(try string(element, .member(of: subject)), at: element.position)))
        }
        return pins
    }

    package static func entry(
        _ host: String, subdomains: PinSet.Subdomains = .none, expires: Timestamp? = nil, enforce: Bool = true,
        endpoints: [PinSet.Endpoint] = [], pins: [PinSet.PinnedKey], at place: SourcePosition?
    ) throws(PinSetFormatError) -> PinSet.Entry {
        do throws(PinSetError) {
            return try PinSet.Entry(
                host: host, name: try PinSet.Entry.name(of: host, at: place),
                subdomains: subdomains.possible(for: host), expires: expires,
                enforce: enforce, anchors: [], endpoints: endpoints, pins: pins, position: place, unknown: [],
                isShorthand: false)
        } catch {
            throw PinSetFormatError(error, format: format)
        }
    }

    package static func set(_ entries: [PinSet.Entry]) throws(PinSetFormatError) -> PinSet {
        do throws(PinSetError) {
            return try PinSet(entries: entries)
        } catch {
            throw PinSetFormatError(error, format: format)
        }
    }

    /// The text with comments replaced by blanks, so that positions do not change.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var output = bytes
        var offset = 0
        var isInString = false
        while offset < output.count {
            switch output[offset] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\") where isInString: offset += 1
            case UInt8(ascii: "\n"): isInString = false
            case UInt8(ascii: "/")
            where !isInString && offset + 1 < output.count && output[offset + 1] == UInt8(ascii: "/"):
                while offset < output.count, !output[offset].endsLine {
                    output[offset] = UInt8(ascii: " ")
                    offset += 1
                }
                continue
            default: break
            }
            offset += 1
        }
        return output
    }
}

extension PinSetWriting {
    package init(_ text: String, _ warnings: ConversionWarnings) {
        self.init(Array(text.utf8), warnings)
    }

    package init(_ bytes: [UInt8], _ warnings: ConversionWarnings) {
        self.init(files: [File(name: nil, bytes: bytes)], warnings: warnings.list)
    }
}

extension PinSetWriting {
    /// The contents of the main file.
    package var main: [UInt8] { files.first { $0.name == nil }?.bytes ?? [] }
}
