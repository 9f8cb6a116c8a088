import Pinning
import TestSupport
import Testing

@testable import Fetching
@testable import PlaintextProtocols

@Suite struct PlaintextExchangeTests {
    /// Sends "HELLO", expects "READY" and a full stop after any number of other bytes, and sends "BYE".
    private struct Sample: PlaintextNegotiation {
        private var received: [UInt8] = []

        mutating func begin() -> [UInt8] { Array("HELLO".utf8) }

        mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
            received += bytes
            if received.first == UInt8(ascii: "-") { return .failed(.refused("no \u{1B}[1m\r\n")) }
            guard let end = received.firstIndex(of: UInt8(ascii: ".")) else { return .proceed() }
            return .done(sending: Array("BYE".utf8), injected: received.count - end - 1)
        }
    }

    /// The error of a negotiation with a peer; nil if it succeeds.
    private func negotiate(
        timeout: Duration = .seconds(60), _ serve: @escaping @Sendable (RawPeer.Connection) -> Void
    ) throws -> FetchError? {
        try RawPeer.run(serve: serve) { peer in
            let port = peer.port
            return try LoopThread.runBlocking(try PollerKind.poll.loop()) { loop in
                let endpoint = try #require(Endpoint(address: [127, 0, 0, 1], port: port))
                let socket = try await Dialer(deadline: .farAway, timeout: timeout).connect(to: [endpoint], on: loop)
                let descriptor = socket.descriptor
                defer { loop.forget(descriptor) }
                do throws(FetchError) {
                    try await PlaintextExchange(deadline: loop.now + timeout, timeout: timeout)
                        .run(Sample(), as: .startTLS(.smtp), over: socket, on: loop)
                } catch {
                    return error
                }
                // The peer closes the connection after it has read the last bytes.
                _ = try? await socket.receive(atMost: 1, until: .farAway, on: loop)
                return nil
            }
        }
    }

    private static func message(_ error: FetchError?) throws -> String {
        let text = try #require(error?.message)
        return String(text.drop { $0 != " " }.dropFirst())
    }

    @Test func acceptsAnAnswerInPortions() throws {
        let error = try negotiate { connection in
            guard connection.read() == Array("HELLO".utf8) else { return }
            connection.write("REA")
            connection.pause(20)
            connection.write("DY.")
            if connection.read() != Array("BYE".utf8) { Issue.record("the last bytes were not sent") }
        }
        #expect(error == nil)
    }

    /// CVE-2011-0411.
    @Test func refusesPlainTextAfterTheAnswer() throws {
        let error = try negotiate { connection in
            _ = connection.read()
            connection.write("READY.\u{16}\u{3}\u{1}")
            connection.drain()
        }
        #expect(error?.code == .startTLS)
        #expect(
            try Self.message(error)
                == "sent 3 bytes of plain text after its answer in the starttls smtp step; an attacker may have inserted them"
        )
        #expect(error?.isTransient == false)
    }

    @Test func quotesARefusalWithEscapes() throws {
        let error = try negotiate { connection in
            connection.write("-")
            connection.drain()
        }
        #expect(try Self.message(error) == #"refused the starttls smtp step: "no \u{1B}[1m\r\n""#)
    }

    @Test func limitsTheBytesOfThePeer() throws {
        let error = try negotiate { connection in
            while connection.write(String(repeating: "x", count: 4096)) {}
        }
        #expect(error?.code == .startTLS)
        #expect(try Self.message(error) == "sent more than 64 KiB without finishing the starttls smtp step")
    }

    @Test func reportsAClosedConnection() throws {
        let error = try negotiate { connection in _ = connection.read() }
        #expect(error?.code == .startTLS)
        #expect(try Self.message(error) == "closed the connection during the starttls smtp step")
        #expect(error?.isTransient == true)
    }

    @Test(arguments: [true, false]) func reportsSilence(answers: Bool) throws {
        let error = try negotiate(timeout: .milliseconds(200)) { connection in
            if answers { connection.write("REA") }
            connection.drain()
        }
        #expect(error?.code == .timeout)
        #expect(
            try Self.message(error)
                == (answers
                    ? "did not finish the starttls smtp step within 0.2 s"
                    : "accepted the connection but sent nothing within 0.2 s (starttls smtp)"))
        #expect(error?.nextStep == (answers ? .waitLonger : .checkScheme))
    }
}
