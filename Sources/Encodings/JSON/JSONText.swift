/// Fragments of JSON text.
package enum JSONText {
    package static func quoted(_ text: String) -> String {
        var writer = JSONWriter(.compact)
        writer.value(text)
        return String(decoding: writer.output, as: UTF8.self)
    }
}
