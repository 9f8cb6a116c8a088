internal import Encodings
internal import Pinning

/// The messages of Dovecot as a client about the certificates of servers, also in `doveadm` and `dsync`:
/// `openssl_iostream_verify_client_cert` in src/lib-ssl-iostream/iostream-openssl.c and `ssl_iostream_check_cert_validity` in
/// iostream-ssl.c, in 2.3.19 and 2.4.
///
///     imapc(HOST:993): SSL handshake failed: Received invalid SSL certificate: REASON: NAME (check ssl_client_ca_* settings?)
///     SSL certificate doesn't match expected host name HOST: REASON
///
/// Dovecot escapes control characters in names. The text of a server follows other words after the host.
enum DovecotMessage {
    private static let invalid = "Received invalid SSL certificate: "
    /// A certificate of a client has other words.
    private static let end = " (check ssl_client_ca_"
    private static let mismatch = "SSL certificate doesn't match expected host name "
    /// The clients that write their server before the message.
    private static let clients = ["imapc(", "pop3c("]
    /// What they write before the reason of a connection that failed.
    private static let failed = [
        "SSL handshake failed: ", "Server disconnected unexpectedly: ", "Server disconnected: ",
    ]
    /// Number of lines after a message without a host that may contain it again.
    private static let maximumLines = 3

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if line.announces(mismatch), let text = line.text(after: mismatch),
            let host = HostSearch.name(String(text[..<(text.firstRange(ofBytes: ": ")?.lowerBound ?? text.endIndex)]))
        {
            var failure = ConnectionFailure(
                .dovecot, .nameMismatch, line, message: line.part(from: mismatch).text)
            if let server = server(in: line, before: mismatch), server.host == host {
                set(server, of: &failure)
            } else {
                failure.host = host
            }
            return failure
        }
        guard let reason = reason(in: line) else { return nil }
        let server = server(in: line, before: invalid)
        if server == nil {
            // With `verbose_ssl`, the message is logged before the error.
            let isRepeated = log.lines.dropFirst(index + 1).prefix(maximumLines).contains {
                self.reason(in: $0) == reason && self.server(in: $0, before: invalid) != nil
            }
            guard !isRepeated else { return nil }
        }
        var failure = ConnectionFailure(
            .dovecot, VerificationReason.kind(reason), line, message: "invalid SSL certificate: \(reason)")
        if let server { set(server, of: &failure) }
        // Without a failed handshake, Dovecot went on after each error, and the message is only the last one.
        if server == nil, [.expired, .notYetValid].contains(failure.kind) { failure.kind = .untrusted }
        return failure
    }

    /// The reason of OpenSSL, which has no colon before a space.
    private static func reason(in line: LogLine) -> String? {
        guard line.contains(invalid), line.contains(end) else { return nil }
        return line.text(after: invalid).map { text in
            String(text[..<(text.firstRange(ofBytes: ": ")?.lowerBound ?? text.endIndex)])
        }
    }

    private typealias Server = (client: String, host: String, port: Int?)

    /// The server of a connection that failed with a message: `imapc(HOST:PORT): SSL handshake failed: `.
    private static func server(in line: LogLine, before message: String) -> Server? {
        guard let end = line.firstIndex(of: message) else { return nil }
        let head = LogLine(number: line.number, bytes: line.bytes[..<end])
        for client in clients {
            guard let start = head.firstIndex(of: client).map({ $0 + client.utf8.count }),
                let close = head.firstIndex(of: "): ", from: start),
                failed.contains(where: { head.bytes[(close + 3)...].elementsEqual($0.utf8) }),
                let (host, port) = HostSearch.authority(head.bytes[start..<close])
            else { continue }
            return (client, host, port)
        }
        return nil
    }

    private static func set(_ server: Server, of failure: inout ConnectionFailure) {
        (failure.host, failure.port) = (server.host, server.port)
        switch (server.client, server.port) {
        case ("imapc(", 143): failure.scheme = .imap
        case ("imapc(", nil): failure.scheme = .imaps
        case ("pop3c(", 110): failure.scheme = .pop3
        case ("pop3c(", nil): failure.scheme = .pop3s
        default: break
        }
    }
}
