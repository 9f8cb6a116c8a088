internal import Encodings
internal import Pinning

/// The output of gnutls-cli (`socket_open` in src/socket.c, `cert_verify` in src/common.c, with the sentences of
/// `gnutls_certificate_verification_status_print` in lib/cert-session.c):
///
///     Resolving 'HOST:PORT'...
///     - Certificate[0] info:
///      - subject `CN=NAME', issuer `CN=NAME', serial …, pin-sha256="PIN"
///     - Status: The certificate is NOT trusted. The certificate chain uses expired certificate.
struct GnuTLSClientLog {
    private static let (status, untrusted) = ("- Status: ", "The certificate is NOT trusted.")
    private static let (resolving, subject) = ("Resolving '", " - subject `")
    private static let mismatch = "The name in the certificate does not match the expected."
    private static let expired = "The certificate chain uses expired certificate."
    private static let future = "The certificate chain uses not yet valid certificate."
    /// Maximum number of lines before and after the status.
    private static let (maximumReach, maximumRest) = (400, 400)

    /// Whether the log has statuses of different kinds. A name with line feeds can contain whole runs, so each of them can be a part of
    /// a name.
    private let hasSeveralKinds: Bool

    init(_ log: LogText) {
        let messages = Set(log.lines.lazy.filter(Self.isStatus).map(Self.message))
        hasSeveralKinds = Set(messages.map(Self.kind)).count > 1
    }

    static func isStatus(_ line: LogLine) -> Bool { line.begins(with: status + untrusted) }

    private static func message(_ line: LogLine) -> String {
        String(decoding: line.bytes.dropFirst(status.utf8.count).trimmed, as: UTF8.self)
    }

    /// - Parameter index: the index of a line with a status.
    func failure(at index: Int, in log: LogText) -> ConnectionFailure {
        let line = log.lines[index]
        let message = Self.message(line)
        var failure = ConnectionFailure(.gnutls, Self.kind(message), line, message: message)
        let before = log.lines[..<index].suffix(Self.maximumReach)
        let start = before.lastIndex { $0.begins(with: Self.status) }.map { $0 + 1 } ?? before.startIndex
        let run = before[start...]
        failure.seen = run.compactMap(Self.certificate)
        // The name of a certificate can contain line feeds, but it is after the host.
        let hosts = run.compactMap { $0.begins(with: Self.resolving) ? $0.text(after: Self.resolving, upTo: "'") : nil }
        if let first = hosts.first, hosts.allSatisfy({ $0 == first }), let (host, port) = Self.host(first) {
            (failure.host, failure.port) = (host, port)
        }
        let rest = log.lines.dropFirst(index + 1).prefix(Self.maximumRest).prefix { !$0.begins(with: Self.resolving) }
        if hasSeveralKinds || hosts.count > 1 || start > before.startIndex && hosts.isEmpty
            || rest.contains(where: { $0.begins(with: Self.status) || $0.begins(with: Self.subject) })
        {
            failure.repeatedPart = "\"\(String(Self.status.dropLast(2)))\""
        }
        return failure
    }

    /// What the sentences say. A chain that is not trusted can be of an interceptor, whatever its dates are.
    private static func kind(_ message: String) -> ConnectionFailure.Kind {
        var rest = message
        var kind: ConnectionFailure.Kind?
        let known: [(String, ConnectionFailure.Kind?)] = [
            (untrusted, nil), (mismatch, .nameMismatch), (expired, .expired), (future, .notYetValid),
        ]
        for (sentence, found) in known {
            guard let range = rest.firstRange(ofBytes: sentence) else { continue }
            rest.removeSubrange(range)
            kind = kind ?? found
        }
        return rest.allSatisfy(\.isWhitespace) ? kind ?? .untrusted : .untrusted
    }

    /// The host and the port; nil for the name of another service than HTTPS.
    private static func host(_ text: String) -> (String, Int?)? {
        guard let colon = text.unicodeScalars.lastIndex(of: ":") else { return nil }
        let service = String(text[text.unicodeScalars.index(after: colon)...])
        guard let port = service == "https" ? 443 : Int(service), let host = HostSearch.name(String(text[..<colon]))
        else { return nil }
        return (host, port)
    }

    /// The certificate of a line. The pin is the last one, after the names.
    private static func certificate(_ line: LogLine) -> ConnectionFailure.SeenCertificate? {
        guard line.begins(with: subject) else { return nil }
        let name = line.part(upTo: "', issuer `").text(after: subject)
        let issuer = line.part(upTo: "', serial ").text(afterLast: "', issuer `", upTo: "\n")
        let pin = line.text(afterLast: "pin-sha256=\"", upTo: "\"").flatMap { try? Pin(spelling: "sha256/\($0)") }
        return ConnectionFailure.SeenCertificate(subject: name, issuer: issuer, pin: pin)
    }
}
