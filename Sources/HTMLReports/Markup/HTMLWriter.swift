internal import Encodings
internal import Reports

/// Writes HTML. The names of elements and attributes are literals; all other text is escaped.
struct HTMLWriter {
    /// An attribute. Its value is escaped.
    struct Attribute {
        let name: StaticString
        /// Nil for an attribute without a value.
        let value: String?

        init(_ name: StaticString, _ value: String? = nil) { (self.name, self.value) = (name, value) }

        static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
        static func id(_ name: String) -> Attribute { Attribute("id", name) }
    }

    private(set) var output: String

    /// Begins a document.
    init() { output = "<!DOCTYPE html>\n" }

    /// Writes an element.
    mutating func element(
        _ name: StaticString, _ attributes: Attribute..., contents: (inout HTMLWriter) -> Void
    ) {
        element(name, attributes, contents: contents)
    }

    mutating func element(
        _ name: StaticString, _ attributes: [Attribute], contents: (inout HTMLWriter) -> Void
    ) {
        tag(name, attributes)
        contents(&self)
        output += "</\(name)>"
    }

    /// Writes an element that contains only a text.
    mutating func element(_ name: StaticString, _ attributes: Attribute..., text: String) {
        tag(name, attributes)
        self.text(text)
        output += "</\(name)>"
    }

    /// Writes an element without contents and without an end tag, such as `meta`.
    mutating func void(_ name: StaticString, _ attributes: Attribute...) { tag(name, attributes) }

    mutating func text(_ text: String) { output += MarkupText.escaped(text) }

    /// Writes a text that comes from outside the program, such as the name of a certificate. Its direction does not change the order
    /// of the text around it.
    mutating func isolated(_ text: String) { element("bdi", text: text) }

    /// Writes the style sheet, which is a literal of the program.
    mutating func style(_ sheet: StaticString) { output += "<style>\(sheet)</style>\n" }

    mutating func diagram(_ diagram: ChainDiagram) { output += diagram.svg(isStandalone: false) }

    mutating func newLine() { output += "\n" }

    private mutating func tag(_ name: StaticString, _ attributes: [Attribute]) {
        output += "<\(name)"
        for attribute in attributes {
            output += " \(attribute.name)"
            if let value = attribute.value { output += "=\"\(MarkupText.escaped(value))\"" }
        }
        output += ">"
    }
}
