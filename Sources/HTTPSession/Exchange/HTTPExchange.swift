internal import Fetching
internal import OpenSSL
internal import PlaintextProtocols

/// Sends one request of HTTP/1.1 and reads its response (RFC 9112), with limits for headers, body and time.
struct HTTPExchange {
    enum Failure: Error {
        case stream(StreamError)
        /// The connection was closed before the first byte of the response.
        case closedBeforeResponse
        /// The first bytes are not an HTTP/1 response, or its head is malformed.
        case notHTTP([UInt8])
        case headTooLong
        case tooManyInterimResponses
        case invalidFraming
        /// The server sent bytes after the response to the only request.
        case unrequestedBytes
        /// The connection ended before the end of the response.
        case truncated
    }

    struct Response {
        let head: HTTPResponseHead
        let body: [UInt8]
        /// Whether ``body`` is the whole body. Otherwise it was cut at the limit, or a TLS connection ended without close_notify.
        var isBodyComplete: Bool
        /// Whether another request can be sent over the connection.
        let keepsConnection: Bool
        /// The first bytes of the server behind a tunnel, which arrived together with the response to CONNECT.
        var rest: [UInt8] = []
        /// Whether a TLS connection ended without close_notify, so that the end of ``body`` may be missing.
        var isCut = false
    }

    /// Maximum number of responses with a status from 100 to 199 before the final one.
    private static let maximumInterimResponses = 8
    /// Maximum total size of a body that is skipped to keep the connection, in bytes.
    private static let maximumSkippedLength = 1 << 20
    private static let chunkSize = 16_384

    let deadline: MonotonicTime
    let maximumBodyLength: Int
    /// Whether the server behind a tunnel begins in plain text. Otherwise it sends nothing before the TLS handshake.
    var keepsRest = false

    /// - Parameter method: GET, HEAD or CONNECT.
    func response(
        to request: [UInt8], method: String, over stream: ErasedStream, on loop: isolated EventLoop
    ) async throws(Failure) -> Response {
        do throws(StreamError) {
            try await stream.send(request, until: deadline, on: loop)
        } catch {
            // A server that refuses early can close its side while it still sends the response, which the next read finds.
            if case .timedOut = error { throw .stream(error) }
        }
        var buffer: [UInt8] = []
        for _ in 0...Self.maximumInterimResponses {
            let head = try await head(&buffer, over: stream, on: loop)
            switch head.status {
            case 100..<200:
                // RFC 9110, section 15.2.2: no request asks for another protocol.
                guard head.status != 101 else { throw .notHTTP(Array("HTTP/1.1 101".utf8)) }
            case 200..<300 where method == "CONNECT":
                // RFC 9110, section 9.3.6: such a response has no body, and its framing fields are ignored.
                guard buffer.isEmpty || keepsRest else { throw .unrequestedBytes }
                return Response(head: head, body: [], isBodyComplete: true, keepsConnection: true, rest: buffer)
            default: return try await response(head, buffer, to: method, over: stream, on: loop)
            }
        }
        throw .tooManyInterimResponses
    }

    private func head(
        _ buffer: inout [UInt8], over stream: ErasedStream, on loop: isolated EventLoop
    ) async throws(Failure) -> HTTPResponseHead {
        let start = Array("HTTP/1.".utf8)
        var searched = 0
        while true {
            guard buffer.starts(with: start.prefix(buffer.count)) else {
                throw .notHTTP(AnswerExcerpt.bytes(of: buffer))
            }
            if let end = HTTPResponseHead.end(in: buffer, from: &searched) {
                guard end <= HTTPResponseHead.maximumLength else { throw .headTooLong }
                guard let head = HTTPResponseHead(parsing: buffer[..<end]) else {
                    throw .notHTTP(AnswerExcerpt.bytes(of: buffer))
                }
                buffer.removeSubrange(..<end)
                return head
            }
            guard buffer.count <= HTTPResponseHead.maximumLength else { throw .headTooLong }
            do throws(StreamError) {
                buffer += try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                switch error {
                case .closed where buffer.isEmpty, .cut where buffer.isEmpty: throw .closedBeforeResponse
                case .closed(nil), .cut: throw .truncated
                default: throw .stream(error)
                }
            }
        }
    }

    private func response(
        _ head: HTTPResponseHead, _ received: [UInt8], to method: String, over stream: ErasedStream,
        on loop: isolated EventLoop
    ) async throws(Failure) -> Response {
        // RFC 9112, section 6.3: these responses have no body.
        if method == "HEAD" || head.status == 204 || head.status == 304 {
            return Response(
                head: head, body: [], isBodyComplete: true, keepsConnection: received.isEmpty && head.keepsConnection)
        }
        guard let framing = head.framing else { throw .invalidFraming }
        var collector = BodyCollector(limit: maximumBodyLength)
        switch framing {
        case .untilClose:
            var bytes = received
            while collector.add(bytes[...]) {
                do throws(StreamError) {
                    bytes = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
                } catch {
                    // RFC 9112, section 9.8: without close_notify, such a body is incomplete.
                    let isComplete: Bool
                    switch error {
                    case .closed(nil): isComplete = true
                    case .cut: isComplete = false
                    default: throw .stream(error)
                    }
                    return Response(
                        head: head, body: collector.body, isBodyComplete: isComplete, keepsConnection: false,
                        isCut: !isComplete)
                }
            }
            return Response(head: head, body: collector.body, isBodyComplete: false, keepsConnection: false)
        case .length(let length):
            return try await framed(
                head, HTTPBodySkipper(length: length), received, &collector, over: stream, on: loop)
        case .chunked:
            return try await framed(head, HTTPBodySkipper(), received, &collector, over: stream, on: loop)
        }
    }

    private func framed(
        _ head: HTTPResponseHead, _ skipper: HTTPBodySkipper, _ received: [UInt8], _ collector: inout BodyCollector,
        over stream: ErasedStream, on loop: isolated EventLoop
    ) async throws(Failure) -> Response {
        var skipper = skipper
        var bytes = received
        var total = 0
        while true {
            total += bytes.count
            switch skipper.receive(bytes, { collector.add($0) }) {
            case .invalid: throw .invalidFraming
            case .done(let rest):
                return Response(
                    head: head, body: collector.body, isBodyComplete: collector.isComplete,
                    keepsConnection: rest.isEmpty && head.keepsConnection)
            case .needsInput: break
            }
            // The framing of chunks also counts, so that endless extensions or trailers end here.
            guard collector.isComplete, total <= 2 * maximumBodyLength + Self.maximumSkippedLength else {
                return Response(head: head, body: collector.body, isBodyComplete: false, keepsConnection: false)
            }
            do throws(StreamError) {
                bytes = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                switch error {
                case .closed(nil), .cut: throw .truncated
                default: throw .stream(error)
                }
            }
        }
    }
}

/// Keeps the beginning of a body.
private struct BodyCollector {
    let limit: Int
    private(set) var body: [UInt8] = []
    private(set) var isComplete = true

    init(limit: Int) { self.limit = limit }

    /// - Returns: false if the body is longer than the limit.
    @discardableResult
    mutating func add(_ bytes: ArraySlice<UInt8>) -> Bool {
        let room = max(0, limit - body.count)
        body += bytes.prefix(room)
        if bytes.count > room { isComplete = false }
        return isComplete
    }
}
