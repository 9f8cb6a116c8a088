/// Well-known authorities by their pins, so that a pin can be called by a name.
///
/// A name says whose key it is, and nothing more: not that the authority is trusted, and not that it is still in use. What is
/// not in the table has no name; it may be an authority all the same.
public enum KnownAuthorities {
    /// What to call the authority with this pin, such as `ISRG Root X1`; nil for a pin that the table does not have.
    public static func name(of pin: Pin) -> String? {
        let wanted = Array(pin.base64.utf8)
        let lines = table.utf8
        // The text is searched where it stands, by halves: nothing is built of it first.
        var low = 0
        var high = lines.count
        func byte(_ offset: Int) -> UInt8 { lines[lines.index(lines.startIndex, offsetBy: offset)] }
        while low < high {
            var start = low + (high - low) / 2
            while start > low, byte(start - 1) != newline { start -= 1 }
            var end = start
            while end < high, byte(end) != newline { end += 1 }
            guard end - start > wanted.count else { return nil }
            let difference = wanted.indices.first { byte(start + $0) != wanted[$0] }
            guard let difference else {
                let name = lines.dropFirst(start + wanted.count + 1).prefix(end - start - wanted.count - 1)
                return String(name)
            }
            if wanted[difference] < byte(start + difference) { high = start } else { low = end + 1 }
        }
        return nil
    }

    private static let newline = UInt8(ascii: "\n")
}
