internal import Encodings
internal import PlaintextProtocols

/// Recognizes an HTML page with a login form.
enum LoginForm {
    enum SearchResult {
        case found, absent
        /// The page was not read to its end.
        case unknown
    }

    /// Searches a response for an HTML page that contains an input field for a password (HTML, section 4.10.5.1.6).
    static func search(_ response: HTTPExchange.Response) -> SearchResult {
        let type = response.head.values("content-type").first.map { String(decoding: $0, as: UTF8.self).lowercased() }
        // Without a type, browsers recognize a page by its start (MIME Sniffing, section 7).
        let isPage =
            type.map { $0.begins(with: "text/html") || $0.begins(with: "application/xhtml+xml") }
            ?? (response.body.first { $0 > 0x20 } == UInt8(ascii: "<"))
        guard isPage else { return .absent }
        let page = response.body.filter { !$0.isMarkupNoise }
            .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if page.contains("<input"), page.contains("type=password") { return .found }
        return response.isBodyComplete ? .absent : .unknown
    }
}

extension UInt8 {
    /// White space and quotes, which can surround the value of an attribute.
    fileprivate var isMarkupNoise: Bool { self <= 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: pattern) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
