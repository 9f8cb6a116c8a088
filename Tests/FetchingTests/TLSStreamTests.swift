import OpenSSL
import TestSupport
import Testing

@testable import Fetching

/// TLS sessions over TLS sessions. socat ends the outer session and forwards its application data.
@Suite struct TLSStreamTests {
    /// Runs `socat` with a TLS listener, and connects to it.
    private func withTunnel<Value: Sendable>(
        to destination: String, version: String = "TLS1.3",
        _ body: @escaping @Sendable (borrowing TLSStream<Socket>, isolated EventLoop) async throws -> Value
    ) throws -> Value {
        let pki = try TestPKI.shared()
        return try ServerProcess.run(folder: pki.folder) { port in
            [
                "socat",
                "OPENSSL-LISTEN:\(port),bind=127.0.0.1,reuseaddr,fork,verify=0,cert=leaf.chain.pem,key=leaf.key"
                    + ",openssl-min-proto-version=\(version),openssl-max-proto-version=\(version)",
                destination,
            ]
        } _: { server in
            let port = server.port
            return try LoopThread.runBlocking(try PollerKind.poll.loop()) { loop in
                let endpoint = try #require(Endpoint(address: [127, 0, 0, 1], port: port))
                let socket = try await Dialer(deadline: .farAway, timeout: .seconds(60)).connect(
                    to: [endpoint], on: loop)
                let descriptor = socket.descriptor
                defer { loop.forget(descriptor) }
                var settings = ClientContext.Settings()
                settings.carriesApplicationData = true
                let session = try ClientSession(try ClientContext(settings), serverName: "localhost")
                try await Handshake(deadline: .farAway, timeout: .seconds(60)).run(session, over: socket, on: loop)
                return try await body(TLSStream(session, over: socket), loop)
            }
        }
    }

    /// A handshake inside a TLS connection gets the chain of the inner server.
    @Test(arguments: ["TLS1.2", "TLS1.3"]) func carriesAHandshake(version: String) throws {
        let pki = try TestPKI.shared()
        let leaf = try pki.bytes("leaf-rsa.der")
        try OpenSSLServer.run("leaf-rsa", chain: "intermediate-rsa.pem") { inner in
            let chain = try withTunnel(to: "TCP:\(inner.endpoint)", version: version) { stream, loop in
                let session = try ClientSession(try ClientContext(ClientContext.Settings()), serverName: "localhost")
                try await Handshake(deadline: .farAway, timeout: .seconds(60)).run(session, over: stream, on: loop)
                Handshake.sendCloseNotify(of: session, over: stream)
                return session.peerChain?.certificates ?? []
            }
            #expect(chain.first == leaf)
        }
    }

    /// Application data arrives complete and in order, in both directions.
    @Test(arguments: ["TLS1.2", "TLS1.3"]) func carriesApplicationData(version: String) throws {
        let sent = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let received = try withTunnel(to: "EXEC:cat", version: version) { stream, loop in
            try await stream.send(sent, until: .farAway, on: loop)
            var received: [UInt8] = []
            while received.count < sent.count {
                let bytes = try await stream.receive(atMost: 1000, until: .farAway, on: loop)
                #expect(bytes.count <= 1000)
                received += bytes
            }
            return received
        }
        #expect(received == sent)
    }

    @Test func reportsTheEndAndTheDeadline() throws {
        let (atEnd, atDeadline) = try withTunnel(to: "EXEC:'head -c 5'") { stream, loop in
            var errors: [String] = []
            do {
                _ = try await stream.receive(atMost: 1, until: loop.now + .milliseconds(50), on: loop)
            } catch { errors.append("\(error)") }
            try await stream.send(Array("12345".utf8), until: .farAway, on: loop)
            var received: [UInt8] = []
            do {
                while true { received += try await stream.receive(atMost: 9, until: .farAway, on: loop) }
            } catch { errors.append("\(error)") }
            #expect(received == Array("12345".utf8))
            return (errors.last, errors.first)
        }
        #expect(atEnd == "closed(nil)")
        #expect(atDeadline == "timedOut")
    }
}
