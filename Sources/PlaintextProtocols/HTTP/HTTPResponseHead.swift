/// The status line and the header fields of an HTTP/1.x response (RFC 9112, sections 4 and 5).
package struct HTTPResponseHead: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        /// In lower case.
        package let name: String
        /// Without white space at both ends.
        package let value: [UInt8]
    }

    /// How the end of the body is found (RFC 9112, section 6.3).
    package enum Framing: Equatable, Sendable {
        case length(Int)
        case chunked
        /// The body ends with the connection.
        case untilClose
    }

    /// Maximum length in bytes, the empty line included.
    package static let maximumLength = 32_768

    /// The minor version of HTTP/1.
    package let minorVersion: Int
    package let status: Int
    package let reason: String
    package let fields: [Field]

    /// Parses the lines of a head, up to the empty line.
    ///
    /// - Returns: nil if the bytes are not a head. Folded lines are joined (RFC 9112, section 5.2).
    package init?(parsing bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return nil }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first, let (minor, status, reason) = Self.statusLine(first) else { return nil }
        (minorVersion, self.status, self.reason) = (minor, status, reason)
        var fields: [Field] = []
        for line in lines.dropFirst() {
            guard !line.contains(where: Self.isForbidden) else { return nil }
            guard let start = line.first, !Self.isSpace(start) else {
                guard let last = fields.popLast() else { return nil }
                fields.append(Field(name: last.name, value: last.value + [0x20] + Self.trimmed(line)))
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ (0x21..<0x7F).contains($0) })
            else { return nil }
            fields.append(
                Field(
                    name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
                    value: Array(Self.trimmed(line[(colon + 1)...]))))
        }
        self.fields = fields
    }

    /// Finds the end of a head in received bytes.
    ///
    /// - Parameter searched: number of bytes that contain no empty line; it is increased.
    /// - Returns: the index after the empty line that ends the head; nil if it has not arrived.
    package static func end(in buffer: [UInt8], from searched: inout Int) -> Int? {
        var index = searched
        while index < buffer.count {
            defer { index += 1 }
            guard buffer[index] == UInt8(ascii: "\n") else { continue }
            var next = index + 1
            if next < buffer.count, buffer[next] == UInt8(ascii: "\r") { next += 1 }
            guard next < buffer.count else {
                searched = index
                return nil
            }
            if buffer[next] == UInt8(ascii: "\n") { return next + 1 }
        }
        searched = buffer.count
        return nil
    }

    /// The values of all header fields with this name, which must be in lower case.
    package func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }

    /// The framing of the body; nil if the header fields contradict each other, or a length is not a number.
    package var framing: Framing? {
        let codings = tokens("transfer-encoding")
        let lengths = Set(tokens("content-length"))
        if !codings.isEmpty {
            // RFC 9112, section 6.1: a message with both may be an attempt of request smuggling.
            guard lengths.isEmpty else { return nil }
            return codings == ["chunked"] ? .chunked : .untilClose
        }
        guard let length = lengths.first else { return .untilClose }
        guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(length)
        else { return nil }
        return .length(number)
    }

    /// Whether the connection stays open after the response (RFC 9112, section 9.3). Proxies also use the field `Proxy-Connection`.
    package var keepsConnection: Bool {
        let options = tokens("connection") + tokens("proxy-connection")
        if options.contains("close") { return false }
        return minorVersion >= 1 || options.contains("keep-alive")
    }

    /// The elements of a header field that is a list of tokens, in lower case.
    private func tokens(_ name: String) -> [String] {
        values(name).flatMap { value in
            value.split(separator: UInt8(ascii: ","))
                .map { String(decoding: Self.trimmed($0), as: UTF8.self).lowercased() }
                .filter { !$0.isEmpty }
        }
    }

    /// Parses `HTTP/1.1 200 OK`. The reason may be absent.
    private static func statusLine(_ line: ArraySlice<UInt8>) -> (minor: Int, status: Int, reason: String)? {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !line.contains(0) else { return nil }
        let minor: Int
        switch String(decoding: parts[0], as: UTF8.self) {
        case "HTTP/1.0": minor = 0
        case "HTTP/1.1": minor = 1
        default: return nil
        }
        guard parts[1].count == 3, parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(String(decoding: parts[1], as: UTF8.self)), status >= 100
        else { return nil }
        return (minor, status, parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : "")
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// NUL and a carriage return inside a line (RFC 9110, section 5.5).
    private static func isForbidden(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0D }
}
