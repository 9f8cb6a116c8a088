internal import Encodings

/// Finds the host of a failure whose message does not contain it.
enum HostSearch {
    /// Number of lines before and after the message that are searched.
    private static let reach = 60

    /// The host of the nearest URL, with its port and the index of its line. A line before the message is preferred to each line after
    /// it.
    static func nearest(to index: Int, in log: LogText) -> (host: String, port: Int?, index: Int)? {
        // A program logs a request before its failure, so a line after the failure is often about another request.
        let offsets = (0...reach).map { -$0 } + (1...reach)
        for candidate in offsets.map({ index + $0 }) where log.lines.indices.contains(candidate) {
            let line = log.lines[candidate]
            // A program writes a name after the start of its message.
            guard let (host, port) = host(in: candidate == index ? line.beforeName : line) else { continue }
            return (host, port, candidate)
        }
        return nil
    }

    /// The host of the first URL with TLS in a line that contains no names of certificates, or that of a line of `curl --verbose`.
    static func host(in line: LogLine) -> (host: String, port: Int?)? {
        guard let found = firstURL(in: line) ?? CurlConnection.peer(in: line), !line.containsName else { return nil }
        return found
    }

    /// The host of the first URL with TLS in a line that contains no names of certificates.
    static func url(in line: LogLine) -> (host: String, port: Int?)? {
        guard let found = firstURL(in: line), !line.containsName else { return nil }
        return found
    }

    private static func firstURL(in line: LogLine) -> (host: String, port: Int?)? {
        for scheme in ["https://", "wss://"] {
            for start in line.indices(of: scheme, atMost: 8) {
                let rest = line.bytes[(start + scheme.utf8.count)...]
                guard let found = authority(rest), !isDocumentation(found.host) else { continue }
                return found
            }
        }
        return nil
    }

    /// The host and the port at the start of a text (RFC 3986, section 3.2).
    static func authority(_ bytes: ArraySlice<UInt8>) -> (host: String, port: Int?)? {
        var text = prefix(bytes)
        if let at = text.lastIndex(of: UInt8(ascii: "@")) {
            text = text[(at + 1)...]
        } else if text.first != UInt8(ascii: "["), let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let next = text[(colon + 1)...].drop(while: \.isDigit).first
        {
            // What is not a port is a part of a password, which can contain characters that end an authority.
            let word = bytes.prefix { !"\"'<>".utf8.contains($0) && !$0.isWhiteSpace }
            if let at = word.lastIndex(of: UInt8(ascii: "@")) {
                text = prefix(word[(at + 1)...])
            } else if next.isWord {
                return nil
            }
        }
        var host = text
        var port: Int?
        if text.first == UInt8(ascii: "["), let close = text.firstIndex(of: UInt8(ascii: "]")) {
            host = text[(text.startIndex + 1)..<close]
            let rest = text[(close + 1)...]
            if rest.first == UInt8(ascii: ":") { port = Int(String(decoding: rest.dropFirst(), as: UTF8.self)) }
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            host = text[..<colon]
            let digits = text[(colon + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            port = Int(String(decoding: digits, as: UTF8.self))
        }
        while host.last == UInt8(ascii: ".") { host.removeLast() }
        guard !host.isEmpty, host.count <= 255 else { return nil }
        return (decoded(host), port)
    }

    /// A host of a URL with its percent-encoded characters decoded (RFC 3986, section 3.2.2), as the program that connected did. It stays
    /// as it is if a character cannot be in a host name.
    private static func decoded(_ host: ArraySlice<UInt8>) -> String {
        let text = String(decoding: host, as: UTF8.self)
        var output: [UInt8] = []
        var rest = host
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value),
                case let byte = high << 4 | low, byte < 0x80,
                byte.isWord || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            else { return text }
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A host without the dots at its end; nil if nothing is left.
    static func name(_ text: String) -> String? {
        let name = text.utf8.reversed().drop { $0 == UInt8(ascii: ".") }.reversed()
        return name.isEmpty ? nil : String(decoding: Array(name), as: UTF8.self)
    }

    /// The host and the port at the start of a text.
    static func authority(_ text: String) -> (host: String, port: Int?)? { authority(Array(text.utf8)[...]) }

    /// The text before the first character that ends an authority, or a URL in a sentence. Only an IPv6 address has brackets.
    private static func prefix(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let ends = Set("/?#\"'`<>{}|^ ,;)\\\n\t".utf8)
        var isInBrackets = false
        let text = bytes.prefix { byte in
            if byte == UInt8(ascii: "]"), !isInBrackets { return false }
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") { isInBrackets = byte == UInt8(ascii: "[") }
            return !ends.contains(byte)
        }
        // These quotation marks have several bytes, of which other letters contain some.
        let line = LogLine(number: 0, bytes: text)
        let quotes = ["“", "”", "’"].compactMap { line.firstIndex(of: $0) }
        return text[..<(quotes.min() ?? text.endIndex)]
    }

    /// Hosts of documents to which messages of curl refer.
    private static func isDocumentation(_ host: String) -> Bool {
        ["curl.se", "curl.haxx.se", "go.dev", "golang.org", "developer.android.com", "developer.apple.com"].contains(
            host)
    }
}

extension LogLine {
    /// The host after the first occurrence of `marker`, up to one of the characters in `ends`, without the dots at its end.
    func host(after marker: String, upTo ends: String) -> String? {
        text(after: marker, upTo: ends).flatMap(HostSearch.name)
    }
}

extension ConnectionFailure {
    /// Adds the host of the nearest URL if the message contains no host. A host from another line is a guess: it can be that of
    /// another request, or a part of a certificate's name with line feeds.
    mutating func findHost(near index: Int, in log: LogText) {
        guard host == nil, let found = HostSearch.nearest(to: index, in: log) else { return }
        (host, port) = (found.host, found.port)
        if found.index != index { hostLine = log.lines[found.index].number }
    }
}
