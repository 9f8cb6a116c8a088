import Encodings

extension String {
    /// The text as a string in JSON.
    var inJSON: String {
        var writer = JSONWriter(.compact)
        writer.value(self)
        return String(decoding: writer.output, as: UTF8.self)
    }
}
