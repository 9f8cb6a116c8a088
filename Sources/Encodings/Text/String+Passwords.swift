extension String {
    /// The text with `…` in place of the value of each parameter for a password, as in the URL or the connection string of a database:
    /// `?password=…`, `host=h password=…`, `;Pwd=…`. The name of such a parameter ends in "password", "passwd", "passphrase" or "pwd".
    package var withoutPasswordParameters: String {
        guard utf8.contains(UInt8(ascii: "=")) else { return self }
        let bytes = Array(utf8)
        var output: [UInt8] = []
        var index = 0
        while let equals = bytes[index...].firstIndex(of: UInt8(ascii: "=")) {
            // The longest name has ten bytes.
            let name = bytes[index..<equals].suffix(10).map {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
            }
            output += bytes[index...equals]
            index = equals + 1
            guard Self.passwordNames.contains(where: { name.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
                continue
            }
            let end = bytes[index...].firstIndex { "&; \t\r\n\"'<>".utf8.contains($0) } ?? bytes.endIndex
            if end > index { output += Array("…".utf8) }
            index = end
        }
        return String(decoding: output + bytes[index...], as: UTF8.self)
    }

    private static let passwordNames = ["password", "passwd", "passphrase", "pwd"]
}
