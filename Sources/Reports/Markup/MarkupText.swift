internal import Encodings
internal import XMLDocuments

/// Text as the contents of an element, or as an attribute value in double quotes, in HTML and SVG.
package enum MarkupText {
    /// The text with the escapes of `String.escaped`, so that no character is invisible or changes the direction of the text, and
    /// with references for the characters of markup.
    package static func escaped(_ text: String) -> String { XMLText.attribute(text.escaped) }
}
