/// Well-known authorities by their pins, so that a pin can be called by a name.
///
/// A name says whose key it is, and nothing more: not that the authority is trusted, and not that it is still in use. What is
/// not in the table has no name; it may be an authority all the same.
public enum KnownAuthorities {
    /// What to call the authority with this pin, such as `ISRG Root X1`; nil for a pin that the table does not have.
    public static func name(of pin: Pin) -> String? {
        let wanted = Array(pin.base64.utf8)
        let lines = bytes
        // The text is searched by halves as it stands: no dictionary is built of it first.
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
