import Pinning
import TestSupport
import Testing

@testable import Fetching

/// The queue between the workers and the consumer.
@Suite struct ResultQueueTests {
    private func result(_ index: Int, certificateSize: Int) throws -> FetchEvent {
        let certificate = try Certificate(der: LargeCertificate.der(index, nameLength: certificateSize))
        let endpoint = try #require(Endpoint(address: [127, 0, 0, 1], port: 443))
        let handshake = HandshakeResult(
            endpoint: endpoint, serverName: nil, protocolVersion: "TLSv1.3", cipherSuite: "TLS_AES_128_GCM_SHA256",
            applicationProtocol: nil, isProven: true, clientCertificate: nil, stapledResponse: nil,
            chain: CertificateChain(path: [certificate], served: [certificate], failures: []), servedCertificates: [])
        let target = try Target(parsing: "example.com")
        return .result(FetchResult(index: index, target: target, outcome: .success(handshake)))
    }

    /// Fills a queue, and empties it.
    ///
    /// - Returns: the number of events at which the queue is full, and the numbers that are left when it has room again.
    private func limits(certificateSize: Int) throws -> (full: Int, room: [Int]) {
        let queue = ResultQueue()
        var count = 0
        while !queue.isFull() {
            queue.append(try result(count, certificateSize: certificateSize))
            count += 1
        }
        // Hosts in flight add their results to a full queue.
        queue.append(try result(count, certificateSize: certificateSize))
        var room: [Int] = []
        for left in (0...count).reversed() {
            let (event, makesRoom) = queue.popFirst()
            guard case .result(let result)? = event else {
                Issue.record("no event")
                break
            }
            #expect(result.index == count - left)
            if makesRoom { room.append(left) }
        }
        #expect(!queue.hasEvents && !queue.isFull())
        return (count, room)
    }

    @Test func theNumberOfResultsIsLimited() throws {
        let (full, room) = try limits(certificateSize: 1000)
        #expect(full == 512)
        #expect(room == [255])
    }

    /// 16 MiB of certificates with 256 KiB each.
    @Test func theSizeOfResultsIsLimited() throws {
        let (full, room) = try limits(certificateSize: 256 << 10)
        #expect(full == 64)
        #expect(room == [31])
    }

    /// Without a worker that waits, there is nothing to report.
    @Test func aQueueThatWasNotFullMakesNoRoom() throws {
        let queue = ResultQueue()
        for index in 0..<600 { queue.append(try result(index, certificateSize: 10)) }
        for _ in 0..<600 { #expect(!queue.popFirst().makesRoom) }
    }
}
