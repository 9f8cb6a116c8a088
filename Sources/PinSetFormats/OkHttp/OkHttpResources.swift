internal import Encodings
internal import PinSetCodec
internal import XMLDocuments

/// The strings of an Android app, `res/values/*.xml`, which Kotlin and Java read as `R.string.NAME`.
struct OkHttpResources {
    /// Values by their names in source code.
    private(set) var constants: [String: [OkHttpValue]] = [:]
    /// The strings that look like pins, in the order of the file.
    private(set) var pins: [OkHttpValue] = []

    static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.first { !$0.isWhiteSpace } == UInt8(ascii: "<") && bytes.has("<resources")
    }

    static func hasPins(_ bytes: [UInt8]) -> Bool {
        isLikely(bytes) && (bytes.has("sha256/") || bytes.has("sha1/"))
    }

    init(_ bytes: [UInt8]) throws(PinSetFormatError) {
        let document: XMLDocument
        do throws(XMLError) {
            document = try XMLDocument(bytes)
        } catch {
            throw OkHttpFormat.error(.xml(error), at: error.position)
        }
        let lines = SourceLineIndex(bytes)
        func value(of element: XMLElement) -> OkHttpValue {
            let bytes = Array(element.text.utf8)[...].trimmed
            let text = String(decoding: bytes, as: UTF8.self)
            let line = lines.line(of: element.range.lowerBound)
            // aapt2 removes quotation marks and backslashes, and follows references (tools/aapt2/ResourceUtils.cpp, StringBuilder and
            // ParseReference).
            let isLiteral = !bytes.contains { "\"\\".utf8.contains($0) } && bytes.first != UInt8(ascii: "@")
            guard isLiteral, element.children.isEmpty else { return OkHttpValue(text: nil, line: line, source: text) }
            return OkHttpValue(text: text, line: line, source: "")
        }
        var known: Set<String> = []
        for element in document.root.children {
            guard let name = element.attribute("name")?.value else { continue }
            let isArray = element.name == "string-array"
            let values = isArray ? element.children.map(value) : [value(of: element)]
            let key = "R.\(isArray ? "array" : "string").\(name)"
            // A name can have a value for each product.
            let isFirst = known.insert(key).inserted
            constants[key] = isFirst && values.allSatisfy(\.isKnown) ? values : nil
            pins += values.filter(\.isPin)
        }
    }
}
