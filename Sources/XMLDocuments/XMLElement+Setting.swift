package import Encodings

extension XMLElement {
    /// The edit that sets or removes an attribute; nil if the element does not have the attribute that is removed.
    ///
    /// - Parameters:
    ///   - value: the value, which must not need escapes; nil to remove the attribute with the white space before it.
    ///   - bytes: the document.
    package func edit(setting name: String, to value: String?, in bytes: [UInt8]) -> TextEdit? {
        let text = value.map { "\(name)=\"\($0)\"" }
        guard let attribute = attribute(name) else {
            return text.map { TextEdit(range: attributesEnd..<attributesEnd, text: " " + $0) }
        }
        var range = attribute.range
        if text == nil {
            while range.lowerBound > 0, XMLReader.isWhiteSpace(bytes[range.lowerBound - 1]) {
                range = range.lowerBound - 1..<range.upperBound
            }
        }
        return TextEdit(range: range, text: text ?? "")
    }
}
