internal import Encodings
internal import Pinning

/// The messages of curl with exit status 60 (CURLE_PEER_FAILED_VERIFICATION) and 90 (CURLE_SSL_PINNEDPUBKEYNOTMATCH); the texts are
/// in lib/vtls/openssl.c and lib/vtls/vtls.c, and OpenSSL's reasons in crypto/x509/x509_txt.c.
enum CurlMessage {
    /// Number of lines before the error that may contain the lines of `curl --verbose`.
    private static let maximumLines = 60

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        let prefixes = ["curl: (60) ", "curl: (90) ", "cURL error 60: ", "cURL error 90: "]
        guard let prefix = prefixes.first(where: { line.contains($0) }), let text = line.text(after: prefix) else {
            return nil
        }
        var failure = ConnectionFailure(.curl, kind(prefix, text), line, message: prefix + text)
        if failure.kind == .nameMismatch, let host = text.parts(separatedBy: "'").dropFirst().first {
            failure.host = String(host)
        }
        let first = max(0, index - maximumLines)
        for before in log.lines[first..<index] {
            if let pin = before.text(after: "public key hash: ", upTo: " ").flatMap({ try? Pin(spelling: $0) }) {
                failure.seen = [ConnectionFailure.SeenCertificate(subject: nil, pin: pin)]
            }
            if let option = before.text(after: "--pinnedpubkey ", upTo: " ") { failure.expected = pins(option) }
        }
        if let subject = log.lines[first..<index].last(where: { $0.contains("*  subject: ") })?.text(
            after: "*  subject: ")
        {
            let issuer = log.lines[first..<index].last { $0.contains("*  issuer: ") }?.text(after: "*  issuer: ")
            failure.seen = [
                ConnectionFailure.SeenCertificate(subject: subject, issuer: issuer, pin: failure.seen.first?.pin)
            ]
        }
        failure.findHost(near: index, in: log)
        return failure
    }

    private static func kind(_ prefix: String, _ text: String) -> ConnectionFailure.Kind {
        if prefix.contains("90") { return .pinMismatch }
        if text.contains("has expired") { return .expired }
        if text.contains("not yet valid") { return .notYetValid }
        if text.contains("subject name") { return .nameMismatch }
        return .untrusted
    }

    /// The pins of `--pinnedpubkey`, separated by semicolons.
    private static func pins(_ option: String) -> [Pin] {
        option.parts(separatedBy: ";").compactMap { part in
            try? Pin(spelling: String(String.UnicodeScalarView(part.unicodeScalars.filter { $0 != "\"" && $0 != "'" })))
        }
    }
}
