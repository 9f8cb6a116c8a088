internal import Encodings
internal import XMLDocuments

/// Converts the elements of an XML property list to values (plist(5), PropertyList-1.0.dtd).
struct XMLPropertyListReader {
    let document: XMLDocument

    /// The value in the element `plist`. A file without that element has the value as its root element.
    func root() throws(PropertyListError) -> PropertyListValue {
        let root = document.root
        guard root.name == "plist" else { return try value(of: root, depth: 1) }
        try checkText(of: root)
        let values = root.children
        guard let value = values.first, values.count == 1 else { throw error(.values(values.count), at: root) }
        return try self.value(of: value, depth: 1)
    }

    private func error(_ reason: PropertyListError.Reason, at element: XMLElement) -> PropertyListError {
        PropertyListError(reason, at: document.position(of: element.range.lowerBound))
    }

    private func value(of element: XMLElement, depth: Int) throws(PropertyListError) -> PropertyListValue {
        let sourceRanges = PropertyListValue.SourceRanges(
            range: element.range, inner: element.inner, attributesEnd: element.attributesEnd)
        return PropertyListValue(try content(of: element, depth: depth), sourceRanges: sourceRanges)
    }

    private func content(of element: XMLElement, depth: Int) throws(PropertyListError) -> PropertyListValue.Content {
        switch element.name {
        case "dict": return .dictionary(try members(of: element, depth: depth))
        case "array": return .array(try values(of: element, depth: depth))
        default: break
        }
        if let child = element.children.first { throw error(.element(child.name), at: child) }
        let text = element.text
        switch element.name {
        case "string": return .string(text)
        case "true", "false":
            guard Self.isWhiteSpace(text) else { throw error(.text(in: element.name), at: element) }
            return .bool(element.name == "true")
        case "integer":
            guard let integer = Self.integer(Self.trimmed(text)) else {
                throw error(.value(text, kind: "integer"), at: element)
            }
            return .integer(integer)
        case "real":
            guard let real = Self.real(Self.trimmed(text)) else {
                throw error(.value(text, kind: "real number"), at: element)
            }
            return .real(real)
        case "date":
            guard let date = Self.date(Self.trimmed(text)) else {
                throw error(.value(text, kind: "date"), at: element)
            }
            return .date(date)
        case "data":
            guard let data = try? Base64.decodeSkippingWhiteSpace(Array(text.utf8)) else {
                throw error(.value(text, kind: "base64"), at: element)
            }
            return .data(data)
        default: throw error(.element(element.name), at: element)
        }
    }

    private func values(of element: XMLElement, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
        try checkDepth(depth, at: element)
        try checkText(of: element)
        var values: [PropertyListValue] = []
        for child in element.labelledChildren(in: document.bytes) {
            var value = try value(of: child.element, depth: depth + 1)
            value.comment = child.label
            value.sourceRanges?.comment = child.labelRange
            values.append(value)
        }
        return values
    }

    private func members(of element: XMLElement, depth: Int) throws(PropertyListError) -> [PropertyListMember] {
        try checkDepth(depth, at: element)
        try checkText(of: element)
        var members: [PropertyListMember] = []
        var known: Set<[UInt8]> = []
        var key: XMLElement?
        for child in element.children {
            guard let name = key else {
                guard child.name == "key" else { throw error(.key(found: child.name), at: child) }
                if let inner = child.children.first { throw error(.element(inner.name), at: inner) }
                guard known.insert(Array(child.text.utf8)).inserted else {
                    throw error(.duplicateKey(child.text), at: child)
                }
                key = child
                continue
            }
            guard child.name != "key" else { throw error(.missingValue(key: name.text), at: name) }
            let value = try value(of: child, depth: depth + 1)
            members.append(PropertyListMember(key: name.text, range: name.range, value: value))
            key = nil
        }
        if let key { throw error(.missingValue(key: key.text), at: key) }
        return members
    }

    private func checkDepth(_ depth: Int, at element: XMLElement) throws(PropertyListError) {
        guard depth <= PropertyList.maximumDepth else { throw error(.tooDeep(PropertyList.maximumDepth), at: element) }
    }

    private func checkText(of element: XMLElement) throws(PropertyListError) {
        for case .text(let text) in element.content where !Self.isWhiteSpace(text) {
            throw error(.text(in: element.name), at: element)
        }
    }
}

extension XMLPropertyListReader {
    private static func isWhiteSpace(_ text: String) -> Bool { text.utf8.allSatisfy(XMLReader.isWhiteSpace) }

    private static func trimmed(_ text: String) -> String {
        var text = Array(text.utf8).drop(while: XMLReader.isWhiteSpace)
        while let last = text.last, XMLReader.isWhiteSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a decimal integer, or a hexadecimal one with `0x`, as Apple's reader does.
    private static func integer(_ text: String) -> Int128? {
        // Longer texts are out of range and slow to read.
        guard text.utf8.count <= 64 else { return nil }
        let isNegative = text.begins(with: "-")
        let digits = text.without(prefix: "-") ?? text.without(prefix: "+") ?? text[...]
        guard let first = digits.utf8.first, Hex.value(of: first) != nil else { return nil }
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        guard let value = isHex ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits) else { return nil }
        let signed = isNegative ? -value : value
        return (Int128(Int64.min)...Int128(UInt64.max)).contains(signed) ? signed : nil
    }

    private static func real(_ text: String) -> Double? {
        switch text.lowercased() {
        case "nan": .nan
        case "inf", "+inf", "infinity", "+infinity": .infinity
        case "-inf", "-infinity": -.infinity
        // Swift's initializer also accepts words and hexadecimal numbers.
        case let text where text.utf8.count <= 1100 && text.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }):
            Double(text)
        default: nil
        }
    }

    /// Reads a date such as `2027-06-01T00:00:00Z`, the only form that Apple's reader accepts.
    private static func date(_ text: String) -> Double? {
        guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z"),
            let seconds = RFC3339.seconds(Array(text.utf8))
        else {
            return nil
        }
        return Double(seconds) - PropertyListValue.referenceDate
    }
}

extension PropertyListValue {
    /// 2001-01-01T00:00:00Z, in seconds since 1970.
    static let referenceDate: Double = 978_307_200
}
