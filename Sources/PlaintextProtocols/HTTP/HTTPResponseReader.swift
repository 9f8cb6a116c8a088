/// The response to an HTTP request.
package struct HTTPResponse: Hashable, Sendable {
    package let status: Int
    /// The first `Location` field.
    package let location: String?
    /// The values of the `Proxy-Authenticate` fields.
    package let proxyChallenges: [[UInt8]]
    package let body: [UInt8]
}

/// Parses the response to a GET request as its bytes arrive (RFC 9112). It needs no socket, and bounds headers and body.
package struct HTTPResponseReader: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes are not an HTTP/1 response.
        case notHTTP
        /// A header field or the framing of the body is malformed.
        case malformed
        /// The headers, with those after a chunked body, are longer than the limit.
        case headersTooLong
        /// The body is longer than the limit.
        case bodyTooLong
        /// The connection ended before the response.
        case truncated
    }

    /// In bytes.
    package static let maximumHeaders = 1 << 14
    /// In bytes. The list of certificates of a CA rarely has more than 10 kB.
    package static let maximumBody = 1 << 18
    private static let maximumInterimResponses = 4

    private enum State {
        case statusLine, header
        /// The number of bytes that follow.
        case sized(Int)
        case chunkSize
        case chunk(Int)
        /// The line break after a chunk.
        case chunkEnd
        case trailer
        case untilClose
        case done
    }

    private var state = State.statusLine
    private var line: [UInt8] = []
    private var headerBytes = 0
    private var interimResponses = 0
    private var status = 0
    private var location: String?
    private var proxyChallenges: [[UInt8]] = []
    private var length: Int?
    private var isChunked = false
    private var body: [UInt8] = []

    package init() {}

    /// Processes further bytes. Bytes after the response are ignored.
    ///
    /// - Returns: the response if it is complete; nil if more bytes are needed.
    package mutating func receive(_ bytes: [UInt8]) throws(Failure) -> HTTPResponse? {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch state {
            case .done: return response
            case .sized(let rest), .chunk(let rest):
                let count = min(rest, bytes.endIndex - index)
                try append(bytes[index..<(index + count)])
                index += count
                if case .sized = state {
                    state = rest == count ? .done : .sized(rest - count)
                } else {
                    state = rest == count ? .chunkEnd : .chunk(rest - count)
                }
            case .untilClose:
                try append(bytes[index...])
                index = bytes.endIndex
            case .statusLine, .header, .chunkSize, .chunkEnd, .trailer:
                try receive(bytes[index])
                index += 1
            }
        }
        if case .done = state { return response }
        return nil
    }

    /// Ends the response with the connection.
    package mutating func finish() throws(Failure) -> HTTPResponse {
        switch state {
        case .done, .untilClose: return response
        default: throw .truncated
        }
    }

    private var response: HTTPResponse {
        HTTPResponse(status: status, location: location, proxyChallenges: proxyChallenges, body: body)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        guard body.count + bytes.count <= Self.maximumBody else { throw .bodyTooLong }
        body += bytes
    }

    /// Adds a byte of a line, and processes the line at its end.
    private mutating func receive(_ byte: UInt8) throws(Failure) {
        headerBytes += 1
        guard headerBytes <= Self.maximumHeaders else { throw .headersTooLong }
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            // The peer may speak another protocol that sends no line break.
            if case .statusLine = state, !Array("HTTP/1.".utf8).starts(with: line.prefix(7)) { throw .notHTTP }
            return
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        switch state {
        case .statusLine: try readStatus()
        case .header: try readHeader()
        case .chunkSize: try readChunkSize()
        case .chunkEnd:
            guard line.isEmpty else { throw .malformed }
            // The line break after a chunk belongs to the body.
            headerBytes -= min(headerBytes, 2)
            state = .chunkSize
        case .trailer: if line.isEmpty { state = .done }
        case .sized, .chunk, .untilClose, .done: break
        }
    }

    /// Reads "HTTP/1.1 200 OK" (section 4).
    private mutating func readStatus() throws(Failure) {
        let digits = line.dropFirst(9).prefix(3)
        guard line.starts(with: "HTTP/1.".utf8), line.count >= 12, Self.isDigit(line[7]), line[8] == 0x20,
            digits.allSatisfy(Self.isDigit), line.count == 12 || line[12] == 0x20,
            let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100
        else { throw .notHTTP }
        self.status = status
        state = .header
    }

    private mutating func readHeader() throws(Failure) {
        guard !line.isEmpty else { return try beginBody() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformed }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = Self.trimmed(line[(colon + 1)...])
        switch name {
        case "content-length":
            guard !value.isEmpty, value.allSatisfy(Self.isDigit), value.count < 10,
                let number = Int(String(decoding: value, as: UTF8.self)), length == nil || length == number
            else { throw .malformed }
            length = number
        case "transfer-encoding":
            guard !isChunked, String(decoding: value, as: UTF8.self).lowercased() == "chunked" else { throw .malformed }
            isChunked = true
        case "proxy-authenticate": proxyChallenges.append(Array(value))
        case "location": location = location ?? String(decoding: value, as: UTF8.self)
        default: break
        }
    }

    /// Determines the length of the body (section 6.3).
    private mutating func beginBody() throws(Failure) {
        if status < 200 {
            interimResponses += 1
            guard interimResponses <= Self.maximumInterimResponses, status != 101 else { throw .malformed }
            (length, isChunked, location, proxyChallenges) = (nil, false, nil, [])
            state = .statusLine
            return
        }
        // Both are present only in an attempt to smuggle a response.
        guard !isChunked || length == nil else { throw .malformed }
        if status == 204 || status == 304 {
            state = .done
        } else if isChunked {
            state = .chunkSize
        } else if let length {
            guard length <= Self.maximumBody else { throw .bodyTooLong }
            state = length == 0 ? .done : .sized(length)
        } else {
            state = .untilClose
        }
    }

    /// Reads the size of a chunk in hexadecimal (section 7.1). Extensions after it are ignored.
    private mutating func readChunkSize() throws(Failure) {
        let digits = Self.trimmed(line.prefix { $0 != UInt8(ascii: ";") })
        guard !digits.isEmpty, digits.count < 8, digits.allSatisfy({ Self.isDigit($0) || Self.isHexLetter($0) }),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed }
        guard size <= Self.maximumBody - body.count else { throw .bodyTooLong }
        state = size == 0 ? .trailer : .chunk(size)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexLetter(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte | 0x20) }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
