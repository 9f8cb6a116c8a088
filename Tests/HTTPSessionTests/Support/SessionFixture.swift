import Authentication
import Foundation
import HTTPSession
import Pinning
import TestSupport
import Testing

/// What the tests of sessions share.
enum SessionFixture {
    /// They occur nowhere else, so that a search finds every place where they leak.
    static let user = (name: "alice", password: "hunter2-s3ss10n")
    static let credential = Credential(user: user.name, password: user.password)

    /// The anchors of the test PKI.
    static func anchors() throws -> TrustAnchors {
        try AuthorityFolder.anchors(in: try TestPKI.shared().path("anchors"))
    }

    /// Anchors that do not include the root of the test servers.
    static func otherAnchors() throws -> TrustAnchors {
        TrustAnchors([try Certificate(der: try TestPKI.shared().bytes("other-root.der"))])
    }

    static func configuration() throws -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.anchors = try anchors()
        configuration.allowsPlaintextPasswords = true
        return configuration
    }

    /// Runs one task in a new session.
    static func run(
        _ url: String, method: Session.Request.Method = .get, handler: any ChallengeHandler = DefaultChallengeHandler(),
        _ change: (inout SessionConfiguration) throws -> Void = { _ in }
    ) throws -> TaskResult {
        var configuration = try configuration()
        try change(&configuration)
        return try Session(configuration, handler: handler).run(Session.Request(url: url, method: method))
    }

    /// A handler that answers logins with a password.
    static func login(_ password: String = user.password) -> PasswordHandler {
        PasswordHandler(maximumAttempts: 1) { _ in Credential(user: user.name, password: password) }
    }

    /// The status of the response that curl gets; nil if it gets none.
    static func curl(_ url: String, _ options: [String]) throws -> Int? {
        let anchors = try TestPKI.shared()
        let outcome = try ChildProcess.run(
            [
                "curl", "-s", "--http1.1", "-o", "/dev/null", "-w", "%{http_code}", "-m", "10", "--cacert",
                anchors.path("root.pem"),
            ]
                + options + [url])
        guard outcome.end == .exit(0) else { return nil }
        return Int(outcome.text)
    }
}

extension TaskResult {
    var status: Int? { if case .success(let response) = outcome { response.status } else { nil } }

    var error: SessionError? { if case .failure(let error) = outcome { error } else { nil } }

    var body: String {
        guard case .success(let response) = outcome else { return "" }
        return String(decoding: response.body, as: UTF8.self)
    }

    /// One word for each challenge: its scheme or method, and its result.
    var summary: [String] {
        challenges.map { "\($0.scheme ?? $0.protectionSpace.authenticationMethod.rawValue) \($0.result.rawValue)" }
    }
}

/// A server of HTTP/1.1 that answers each request with the next response of a script, and records the requests.
final class ScriptedServer: @unchecked Sendable {
    /// Each element is the requests of one connection.
    private(set) var connections: [[String]] = []
    private var responses: [String]

    private init(_ responses: [String]) { self.responses = responses }

    var requests: [String] { connections.flatMap { $0 } }

    /// - Parameter responses: whole responses. One that contains `Connection: close` ends its connection.
    static func run<Value>(
        _ responses: [String], _ body: (RawPeer, ScriptedServer) throws -> Value
    ) throws -> Value {
        let server = ScriptedServer(responses)
        return try RawPeer.run(serve: { server.serve($0) }, { try body($0, server) })
    }

    private func serve(_ connection: RawPeer.Connection) {
        connections.append([])
        var buffer = ""
        while let bytes = connection.read() {
            buffer += String(decoding: bytes, as: UTF8.self)
            guard let end = buffer.range(of: "\r\n\r\n") else { continue }
            connections[connections.count - 1].append(String(buffer[..<end.upperBound]))
            buffer = String(buffer[end.upperBound...])
            guard !responses.isEmpty else { return }
            let response = responses.removeFirst()
            connection.write(response)
            if response.contains("Connection: close") { return }
        }
    }

    static func response(_ status: String, _ fields: String..., body: String = "x") -> String {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}
