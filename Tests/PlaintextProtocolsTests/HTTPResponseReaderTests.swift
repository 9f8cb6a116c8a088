import Foundation
import TestSupport
import Testing

@testable import PlaintextProtocols

/// The expected values follow from RFC 9112; curl reads the same responses in ``readsWhatCurlReads(text:body:)``.
@Suite struct HTTPResponseReaderTests {
    private func outcome(of pieces: [[UInt8]]) -> Result<HTTPResponse, HTTPResponseReader.Failure> {
        var reader = HTTPResponseReader()
        do throws(HTTPResponseReader.Failure) {
            for piece in pieces { if let response = try reader.receive(piece) { return .success(response) } }
            return .success(try reader.finish())
        } catch {
            return .failure(error)
        }
    }

    private func read(_ text: String) -> Result<HTTPResponse, HTTPResponseReader.Failure> {
        let bytes = Array(text.utf8)
        let whole = outcome(of: [bytes])
        #expect(outcome(of: bytes.map { [$0] }) == whole, "the pieces change the result")
        return whole
    }

    static let bodies = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more", "hello"),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""),
        ("HTTP/1.0 200 OK\n\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: 1\r\n\r\n", "hello"),
        ("HTTP/1.1 200 OK\r\ncontent-length:\t5 \r\n\r\nhello", "hello"),
        ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ]

    @Test(arguments: bodies) func body(text: String, body: String) throws {
        let response = try read(text).get()
        #expect(response.status == 200)
        #expect(response.body == Array(body.utf8))
        #expect(response.location == nil)
    }

    @Test(arguments: bodies) func readsWhatCurlReads(text: String, body: String) throws {
        try RawPeer.run {
            _ = $0.read()
            $0.write(text)
        } _: { peer in
            let output = try ChildProcess.output(of: [
                "curl", "--silent", "--max-time", "10", "http://\(peer.endpoint)/",
            ])
            #expect(output == Array(body.utf8))
        }
    }

    static let failures: [(String, HTTPResponseReader.Failure)] = [
        ("", .truncated), ("HTT", .truncated), ("SSH-2.0-OpenSSH\r\n", .notHTTP), ("\r\n", .notHTTP),
        ("HTTP/2 200\r\n\r\n", .notHTTP), ("HTTP/1.1 2xx OK\r\n\r\n", .notHTTP), ("HTTP/1.1 200 OK\r\n", .truncated),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .truncated),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX0\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .truncated),
        ("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", .bodyTooLong),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n", .bodyTooLong),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .malformed), ("HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", .malformed),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .malformed),
    ]

    @Test(arguments: failures) func failure(text: String, failure: HTTPResponseReader.Failure) {
        #expect(read(text) == .failure(failure))
    }

    @Test func endlessResponses() {
        let header = "X: " + String(repeating: "x", count: HTTPResponseReader.maximumHeaders)
        #expect(outcome(of: [Array("HTTP/1.1 200 OK\r\n\(header)".utf8)]) == .failure(.headersTooLong))
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 5)
        #expect(outcome(of: [Array(interim.utf8)]) == .failure(.malformed))
        let body = [UInt8](repeating: 0, count: HTTPResponseReader.maximumBody + 1)
        #expect(outcome(of: [Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body]) == .failure(.bodyTooLong))
        // Each chunk has one byte, and its size many digits.
        let chunks = String(repeating: "1;" + String(repeating: "x", count: 1000) + "\r\n.\r\n", count: 100)
        let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(outcome(of: [Array((start + chunks).utf8)]) == .failure(.headersTooLong))
    }

    /// No change of a response stops the process or changes the result with the pieces.
    @Test func mutations() {
        var random = SeededGenerator(seed: 7)
        for (text, _) in Self.bodies {
            for _ in 0..<400 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                }
                let whole = outcome(of: [bytes])
                #expect(outcome(of: bytes.map { [$0] }) == whole)
            }
        }
    }
}
