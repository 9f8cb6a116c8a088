extension String {
    /// The text of a target or a URL, with `…` in place of the user and the password before the last `@`, for messages.
    ///
    /// An option before the text stays. Without a scheme, a text before `@` is replaced only if it contains a colon, because file
    /// names can contain an `@`.
    package var withoutUserInfo: String {
        let bytes = Array(utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return self }
        var start = 0
        if let scheme = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }), scheme < at {
            start = scheme + 3
        } else {
            if bytes.starts(with: "--".utf8) {
                let ends = [UInt8(ascii: " "), UInt8(ascii: "=")]
                start = bytes[..<at].firstIndex(where: ends.contains).map { $0 + 1 } ?? 0
            }
            guard bytes[start..<at].contains(UInt8(ascii: ":")) else { return self }
        }
        guard start < at else { return self }
        return String(decoding: bytes[..<start], as: UTF8.self) + "…" + String(decoding: bytes[at...], as: UTF8.self)
    }
}
