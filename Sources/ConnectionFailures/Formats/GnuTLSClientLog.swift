internal import Encodings
internal import Pinning

/// The output of gnutls-cli (`socket_open` in src/socket.c, `cert_verify` in src/common.c, with the sentences of
/// `gnutls_certificate_verification_status_print` in lib/cert-session.c):
///
///     Resolving 'HOST:PORT'...
///     - Certificate[0] info:
///      - subject `CN=NAME', issuer `CN=NAME', serial …, pin-sha256="PIN"
///     - Status: The certificate is NOT trusted. The certificate chain uses expired certificate.
enum GnuTLSClientLog {
    private static let (status, untrusted) = ("- Status: ", "The certificate is NOT trusted.")
    private static let (resolving, subject) = ("Resolving '", " - subject `")
    /// Maximum number of lines before and after the status.
    private static let (maximumReach, maximumRest) = (400, 400)
    private static let mismatch = "The name in the certificate does not match the expected."
    private static let expired = "The certificate chain uses expired certificate."
    private static let future = "The certificate chain uses not yet valid certificate."

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard line.begins(with: status + untrusted) else { return nil }
        let message = String(decoding: line.bytes.dropFirst(status.utf8.count).trimmed, as: UTF8.self)
        var failure = ConnectionFailure(.gnutls, kind(message), line, message: message)
        let before = log.lines[..<index].suffix(maximumReach)
        let start = before.lastIndex { $0.begins(with: status) }.map { $0 + 1 } ?? before.startIndex
        let run = before[start...]
        failure.seen = run.compactMap(certificate)
        // The name of a certificate can contain line feeds, but it is after the host.
        let hosts = run.compactMap { $0.begins(with: resolving) ? $0.text(after: resolving, upTo: "'") : nil }
        if let first = hosts.first, hosts.allSatisfy({ $0 == first }), let (host, port) = host(first) {
            (failure.host, failure.port) = (host, port)
        }
        let rest = log.lines.dropFirst(index + 1).prefix(maximumRest).prefix { !$0.begins(with: resolving) }
        // A name can have any number of line feeds.
        if hosts.count > 1 || rest.count == maximumRest || start > before.startIndex && hosts.isEmpty
            || rest.contains(where: { $0.begins(with: status) || $0.begins(with: subject) })
        {
            failure.repeatedPart = "\"\(String(status.dropLast(2)))\""
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
