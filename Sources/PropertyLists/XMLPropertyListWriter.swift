internal import Encodings
internal import XMLDocuments

/// Writes values in the layout of Apple's writer: one tab for each level; the elements of the root are not indented.
package struct XMLPropertyListWriter {
    /// The indentation of one level.
    var unit = "\t"
    /// The text between elements; empty in a file that has all elements on one line.
    var lineEnd = "\n"

    package static func document(_ root: PropertyListValue) throws(PropertyListError) -> [UInt8] {
        var output = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try Self().append(root, indentation: "", to: &output)
        output += "\n</plist>\n"
        return Array(output.utf8)
    }

    /// Writes `value`. Its first line is already indented.
    func append(_ value: PropertyListValue, indentation: String, to output: inout String) throws(PropertyListError) {
        switch value.content {
        case .string(let text): output += "<string>\(try escaped(text))</string>"
        case .integer(let integer): output += "<integer>\(integer)</integer>"
        case .single(let real): output += "<real>\(Self.text(Double(real)))</real>"
        case .real(let real): output += "<real>\(Self.text(real))</real>"
        case .bool(let bool): output += bool ? "<true/>" : "<false/>"
        case .date(let date): output += "<date>\(Self.date(date))</date>"
        case .data(let data): appendData(data, indentation: indentation, to: &output)
        // Apple's archiver writes references in XML in this form.
        case .uid(let uid):
            let value = PropertyListValue.dictionary([("CF$UID", PropertyListValue(.integer(Int128(uid))))])
            try append(value, indentation: indentation, to: &output)
        case .array(let values): try appendArray(values, indentation: indentation, to: &output)
        case .dictionary(let members):
            guard !members.isEmpty else {
                output += "<dict/>"
                return
            }
            output += "<dict>\(lineEnd)"
            for member in members {
                try append(member, indentation: indentation + unit, to: &output)
                output += lineEnd
            }
            output += indentation + "</dict>"
        }
    }

    /// Writes a key and its value, without a line end after them.
    func append(_ member: PropertyListMember, indentation: String, to output: inout String) throws(PropertyListError) {
        output += indentation + "<key>\(try escaped(member.key))</key>\(lineEnd)"
        output += indentation
        try append(member.value, indentation: indentation, to: &output)
    }

    private func appendArray(
        _ values: [PropertyListValue], indentation: String, to output: inout String
    ) throws(PropertyListError) {
        guard !values.isEmpty else {
            output += "<array/>"
            return
        }
        output += "<array>\(lineEnd)"
        for value in values {
            let comment = value.comment.flatMap(XMLText.label(ofComment:)).map { "<!-- \($0) -->" } ?? ""
            let isOnOwnLine = !lineEnd.isEmpty
            if isOnOwnLine, !comment.isEmpty { output += indentation + unit + comment + lineEnd }
            output += indentation + unit
            try append(value, indentation: indentation + unit, to: &output)
            // Between two values on one line, a comment is the label of the first one.
            output += isOnOwnLine ? lineEnd : comment
        }
        output += indentation + "</array>"
    }

    /// Writes base64 in lines of 76 columns, as plutil does. A tab counts as 8 columns.
    private func appendData(_ data: [UInt8], indentation: String, to output: inout String) {
        let text = Base64.encode(data)
        guard !lineEnd.isEmpty else {
            output += "<data>\(text)</data>"
            return
        }
        let columns = indentation.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? 8 : 1) }
        let width = max(16, (76 - columns) / 4 * 4)
        output += "<data>\(lineEnd)"
        var rest = text[...]
        while !rest.isEmpty {
            output += indentation + rest.prefix(width) + lineEnd
            rest = rest.dropFirst(width)
        }
        output += indentation + "</data>"
    }

    private func escaped(_ text: String) throws(PropertyListError) -> String {
        guard let escaped = XMLText.escaped(text) else { throw PropertyListError(.unwritable(text)) }
        return escaped
    }

    private static func text(_ real: Double) -> String {
        if real.isNaN { return "nan" }
        if real.isInfinite { return real < 0 ? "-infinity" : "+infinity" }
        return "\(real)"
    }

    /// The date with a precision of one second, the precision of XML. XML has years of four digits, so a date outside them becomes
    /// the nearest possible date.
    private static func date(_ seconds: Double) -> String {
        let first = -62_135_596_800.0
        let last = 253_402_300_799.0
        let seconds = (seconds + PropertyListValue.referenceDate).rounded(.down)
        let bounded = seconds.isNaN ? PropertyListValue.referenceDate : min(max(seconds, first), last)
        return RFC3339.text(Int64(bounded))
    }
}
