import CHandshakeReplay
import OpenSSL

/// A TLS handshake between the client under test and a server, recorded once and replayed with changes.
///
/// The client uses the same random numbers in each replay. So an unchanged replay completes like the recorded handshake.
package final class HandshakeReplay {
    package enum Version: Int, CaseIterable, Sendable {
        case tls12 = 12
        case tls13 = 13
    }

    /// The end of a replay.
    package enum Outcome: Equatable, Sendable {
        /// The handshake completed.
        case done
        /// OpenSSL reported an error, or the server's close_notify.
        case failed
        /// The client waits for more bytes.
        case unfinished
    }

    /// A replay's outcome, and the certificates (DER) that the client has accepted in a message.
    package struct Result: Equatable, Sendable {
        package let outcome: Outcome
        package let certificates: [[UInt8]]
    }

    package struct SetUpError: Error, CustomStringConvertible {
        package let description: String
    }

    package let version: Version
    /// The certificates of the recorded handshake, in DER.
    package private(set) var certificates: [[UInt8]] = []
    /// The messages of the server's first flight, in plain text.
    package private(set) var messages: [[UInt8]] = []
    /// The server's bytes after the client's answer, in TLS 1.2.
    private var secondFlight: [UInt8] = []
    /// The server's handshake traffic secret, in TLS 1.3.
    private var secret: [UInt8] = []
    private let context: ClientContext

    private static let serverName = "localhost"

    /// Records a handshake.
    ///
    /// - Parameters:
    ///   - chain: path of the server's chain in PEM, leaf first, with an ECDSA key.
    ///   - key: path of the leaf's private key in PEM.
    package init(_ version: Version, chain: String, key: String) throws {
        self.version = version
        context = try ClientContext(ClientContext.Settings())
        guard let server = unsafe replay_server_new(Int32(version.rawValue), chain, key) else {
            throw SetUpError(description: "no server for \(chain) and \(key)")
        }
        defer { unsafe replay_server_free(server) }
        func answer(_ bytes: [UInt8]) -> [UInt8] {
            replay_end_random()
            defer { replay_resume_random() }
            var output: UnsafePointer<UInt8>?
            let count = unsafe replay_server_answer(server, bytes, bytes.count, &output)
            return unsafe Array(UnsafeBufferPointer(start: output, count: count))
        }
        replay_begin_random()
        defer { replay_end_random() }
        let session = try ClientSession(context, serverName: Self.serverName)
        _ = session.handshake()
        try session.receive(answer(session.takeOutput()))
        messages = unsafe Self.messages(of: server)
        var step = session.handshake()
        if case .needsInput = step {
            secondFlight = answer(session.takeOutput())
            try session.receive(secondFlight)
            step = session.handshake()
        }
        guard case .done = step, let chain = session.peerChain else {
            throw SetUpError(description: "the recorded handshake did not complete: \(step)")
        }
        certificates = chain.certificates
        guard version == .tls13 else { return }
        secret = try unsafe Self.secret(of: server)
    }

    /// Records the first flight of a server for another client, which must use the same random numbers in each replay
    /// (``withRepeatableRandom(_:)``).
    ///
    /// - Parameter clientHello: the record with the client's first message.
    package init(_ version: Version, chain: String, key: String, answering clientHello: [UInt8]) throws {
        self.version = version
        context = try ClientContext(ClientContext.Settings())
        guard let server = unsafe replay_server_new(Int32(version.rawValue), chain, key) else {
            throw SetUpError(description: "no server for \(chain) and \(key)")
        }
        defer { unsafe replay_server_free(server) }
        var output: UnsafePointer<UInt8>?
        _ = unsafe replay_server_answer(server, clientHello, clientHello.count, &output)
        messages = unsafe Self.messages(of: server)
        guard version == .tls13 else { return }
        secret = try unsafe Self.secret(of: server)
    }

    /// Runs the closure with the same random numbers in each call.
    package static func withRepeatableRandom<Value>(_ body: () throws -> Value) rethrows -> Value {
        replay_begin_random()
        defer { replay_end_random() }
        return try body()
    }

    private static func messages(of server: OpaquePointer) -> [[UInt8]] {
        (0..<(unsafe replay_server_message_count(server))).map { index in
            var bytes: UnsafePointer<UInt8>?
            let length = unsafe replay_server_message(server, index, &bytes)
            return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
        }
    }

    private static func secret(of server: OpaquePointer) throws -> [UInt8] {
        var secret = [UInt8](repeating: 0, count: 32)
        guard unsafe replay_server_secret(server, &secret) == 1 else {
            throw SetUpError(description: "the server reported no handshake traffic secret")
        }
        return secret
    }

    /// Replays the handshake with the given first flight of the server.
    ///
    /// - Parameter source: determines the pieces in which the bytes arrive.
    package func replay(_ flight: [UInt8], _ source: inout some ByteSource) throws -> Result {
        replay_begin_random()
        defer { replay_end_random() }
        let session = try ClientSession(context, serverName: Self.serverName)
        var step = session.handshake()
        var rest = flight[...]
        var hasAnswered = false
        while case .needsInput = step {
            if rest.isEmpty, !hasAnswered {
                rest = secondFlight[...]
                hasAnswered = true
            }
            guard !rest.isEmpty else { break }
            let count = source.flag() ? rest.count : 1 + source.number(below: rest.count)
            try session.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            step = session.handshake()
        }
        let outcome: Outcome =
            switch step {
            case .done, .receivedCertificate: .done
            case .needsInput: .unfinished
            case .closed, .failed: .failed
            }
        let certificates = if let chain = session.peerChain { chain.certificates } else { [[UInt8]]() }
        return Result(outcome: outcome, certificates: certificates)
    }

    /// The wire form of the server's first flight (RFC 5246, section 6.2; RFC 8446, section 5).
    ///
    /// - Parameter fragment: maximum number of message bytes in a record, at least 1.
    package func flight(_ messages: [[UInt8]], fragment: Int) -> [UInt8] {
        func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
            stride(from: 0, to: bytes.count, by: fragment).map { bytes[$0..<min($0 + fragment, bytes.count)] }
        }
        func plain(_ bytes: [UInt8]) -> [UInt8] {
            pieces(bytes).flatMap { [22, 3, 3, UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        }
        guard version == .tls13, let first = messages.first else { return plain(messages.flatMap { $0 }) }
        var wire = plain(first) + [20, 3, 3, 0, 1, 1]
        for (sequence, piece) in pieces(messages.dropFirst().flatMap { $0 }).enumerated() {
            let content = Array(piece) + [22]
            var record = [UInt8](repeating: 0, count: 5 + content.count + 16)
            guard unsafe replay_seal(secret, UInt64(sequence), content, content.count, &record) == 1 else { return [] }
            wire += record
        }
        return wire
    }

    /// The wire form of the recorded flight, unchanged.
    package var recordedFlight: [UInt8] { flight(messages, fragment: Self.maximumFragment) }

    /// The maximum length of a record's content (RFC 8446, section 5.1), less than that of TLS 1.3's content type.
    static let maximumFragment = 16_383
}
