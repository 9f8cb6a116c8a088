/// The names of well-known CAs by their pins.
///
/// A name only identifies the owner of a key. It does not mean that the CA is trusted or still in use. A pin that is not in the
/// table may also belong to a CA.
public enum KnownAuthorities {
    /// The name of the CA with this pin, such as `ISRG Root X1`; nil if the table does not contain the pin.
    public static func name(of pin: Pin) -> String? {
        let wanted = Array(pin.base64.utf8)
        let lines = bytes
        // A binary search in the text itself avoids the cost of a dictionary.
        var low = 0
        var high = lines.count
        while low < high {
            var start = low + (high - low) / 2
            while start > low, lines[start - 1] != newline { start -= 1 }
            var end = start
            while end < high, lines[end] != newline { end += 1 }
            guard end - start > wanted.count else { return nil }
            let difference = wanted.indices.first { lines[start + $0] != wanted[$0] }
            guard let difference else {
                return String(decoding: lines[(start + wanted.count + 1)..<end], as: UTF8.self)
            }
            if wanted[difference] < lines[start + difference] { high = start } else { low = end + 1 }
        }
        return nil
    }

    private static let bytes = Array(table.utf8)

    private static let newline = UInt8(ascii: "\n")
}
