internal import Encodings

/// The errors of rustls, also in those of hyper, reqwest and uv (`Display` and `Debug` of Error and CertificateError in
/// rustls/src/error/mod.rs; versions up to 0.23.16 have no context):
///
///     invalid peer certificate: UnknownIssuer
///     invalid peer certificate: certificate not valid for name "HOST"; certificate is only valid for DnsName("NAME")
///     InvalidCertificate(NotValidForNameContext { expected: DnsName("HOST"), presented: ["DnsName(\"NAME\")"] })
enum RustlsMessage {
    private static let markers = ["invalid peer certificate: ", "InvalidCertificate("]
    private static let kinds: [(start: String, kind: ConnectionFailure.Kind)] = [
        ("certificate expired", .expired), ("Expired", .expired), ("certificate not valid yet", .notYetValid),
        ("NotValidYet", .notYetValid), ("certificate not valid for name", .nameMismatch),
        ("NotValidForName", .nameMismatch), ("UnknownIssuer", .untrusted), ("BadSignature", .untrusted),
        ("Revoked", .untrusted), ("InvalidPurpose", .untrusted), ("BadEncoding", .untrusted),
        ("UnhandledCriticalExtension", .untrusted), ("UnsupportedSignatureAlgorithm", .untrusted),
        ("Other(", .untrusted), ("certificate does not allow extended key usage", .untrusted),
    ]

    /// Maximum number of lines between a line of `curl --verbose` and the error of curl.
    private static let maximumLines = 10

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let marker = markers.first(where: line.announces), let text = line.text(after: marker),
            !text.begins(with: "ExpiredRevocationList"), let kind = kinds.first(where: { text.begins(with: $0.start) })
        else { return nil }
        // curl with rustls writes the text in another line before its error.
        let isCurl =
            line.announces("* rustls_connection_process_new_packets: ")
            && log.lines.dropFirst(index + 1).prefix(maximumLines).contains { CurlError.isPossible(in: $0) }
        guard !isCurl else { return nil }
        var failure = ConnectionFailure(.rustls, kind.kind, line, message: marker + text)
        if kind.kind == .nameMismatch {
            // JSON writes a backslash before the quotation marks.
            let starts = ["not valid for name ", "expected: DnsName("].flatMap { ["\($0)\"", "\($0)\\\""] }
            failure.host = starts.lazy.compactMap { line.part(from: marker).host(after: $0, upTo: "\"\\") }.first
        }
        // The names of the certificate are after this word.
        if let (host, port) = HostSearch.url(in: line.part(upTo: marker)), failure.host == nil || failure.host == host {
            (failure.host, failure.port) = (host, port)
        }
        failure.findHost(near: index, in: log)
        return failure
    }
}
