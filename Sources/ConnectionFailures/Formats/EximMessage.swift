internal import Encodings

/// The messages of Exim about the certificates of servers: `tls_error` and `verify_callback` in src/tls-openssl.c, `tls_error` and
/// `verify_certificate` in src/tls-gnu.c, `smtp_setup_conn` in src/transports/smtp.c, in 4.96 and 4.99.
///
///     … == USER R=… T=… defer (-37) H=HOST [ADDRESS]: TLS session: (certificate verification failed): certificate invalid
///     … TLS session: (certificate verification failed): certificate invalid: delivering unencrypted to H=HOST [ADDRESS] (…)
///     … [ADDRESS] SSL verify error: depth=0 error=certificate has expired cert=NAME
///     … == USER R=… T=… defer (-37) H=HOST [ADDRESS]: TLS session: (SSL_connect): error:…:certificate verify failed
///
/// The last two are of OpenSSL, the others of GnuTLS, whose reason for a name that does not match is empty. The text of a server follows
/// other words after the host.
enum EximMessage {
    private static let session = "TLS session: ("
    private static let unencrypted = ": delivering unencrypted to H="
    private static let verification = " SSL verify error: "
    /// Number of lines in which the messages of a connection are searched.
    private static let maximumLines = 20

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if let (address, _, _) = verifyError(in: line) { return failure(at: index, of: address, in: log) }
        guard let (peer, text) = session(in: line) else { return nil }
        let kind: ConnectionFailure.Kind
        if let reason = text.without(prefix: "(certificate verification failed)") {
            // libdane/dane.c of GnuTLS.
            kind =
                String(reason).has("The certificate differs")
                ? .pinMismatch : reason.isEmpty ? .nameMismatch : .untrusted
        } else {
            guard text.begins(with: "(SSL_connect)"), text.has("certificate verify failed") else { return nil }
            // The lines before have the reason.
            let hasReason = log.lines[..<index].suffix(maximumLines).contains {
                verifyError(in: $0)?.address == peer.address
            }
            guard !hasReason else { return nil }
            kind = .untrusted
        }
        var failure = ConnectionFailure(.exim, kind, line, message: "TLS session: \(text)")
        failure.set(peer)
        return failure
    }

    /// The failure of consecutive errors of OpenSSL, at the index of the first one. The host is in a message after them.
    private static func failure(
        at index: Int, of address: ArraySlice<UInt8>, in log: LogText
    ) -> ConnectionFailure? {
        if index > 0, verifyError(in: log.lines[index - 1])?.address == address { return nil }
        let errors = log.lines[index...].prefix(maximumLines).map(verifyError).prefix { $0?.address == address }
            .compactMap(\.self)
        // Exim continues after an error if the certificate is optional, and a chain that is not trusted can be of an interceptor, whatever
        // its dates are.
        let kinds: [ConnectionFailure.Kind] = [.untrusted, .nameMismatch, .expired, .notYetValid]
        guard let error = kinds.lazy.compactMap({ kind in errors.first { $0.kind == kind } }).first else { return nil }
        var failure = ConnectionFailure(
            .exim, error.kind, log.lines[index], message: "SSL verify error: \(error.reason)")
        // The certificate can also be that of a client, whose host no message names.
        let peers = log.lines.dropFirst(index + 1).prefix(maximumLines).lazy.compactMap { session(in: $0)?.peer }
        if let peer = peers.first(where: { $0.address == address }) { failure.set(peer) }
        return failure
    }

    /// An error of OpenSSL and the address of the peer.
    private static func verifyError(
        in line: LogLine
    ) -> (address: ArraySlice<UInt8>, kind: ConnectionFailure.Kind, reason: String)? {
        guard let start = line.firstIndex(of: verification), line.bytes[..<start].last == UInt8(ascii: "]"),
            let open = line.bytes[..<start].lastIndex(of: UInt8(ascii: "["))
        else { return nil }
        let address = line.bytes[(open + 1)..<(start - 1)]
        let text = LogLine(number: line.number, bytes: line.bytes[(start + verification.utf8.count)...])
        if text.begins(with: "certificate name mismatch: ") {
            return (address, .nameMismatch, "certificate name mismatch")
        }
        guard text.begins(with: "depth="), let reason = text.part(upTo: " cert=").text(after: " error=") else {
            return nil
        }
        return (address, VerificationReason.kind(reason), reason)
    }

    /// The host and the reason in a message about a connection.
    private static func session(in line: LogLine) -> (peer: MailPeer, text: String)? {
        guard let start = line.firstIndex(of: session) else { return nil }
        let before = line.bytes[..<start]
        let head = LogLine(number: line.number, bytes: before)
        // The subject of a message can be in the line of its reception.
        guard !head.contains(" <= ") else { return nil }
        let text = line.bytes[(start + session.utf8.count - 1)...]
        if let host = head.firstIndex(of: " H=") {
            // Nothing between the host and the message contains a colon before a space.
            guard let peer = MailPeer(before[(host + 3)...]), before.suffix(2).elementsEqual(": ".utf8),
                !LogLine(number: 0, bytes: before[host...].dropLast(2)).contains(": ")
            else { return nil }
            return (peer, String(decoding: text.trimmed, as: UTF8.self))
        }
        let rest = LogLine(number: line.number, bytes: text)
        guard let end = rest.firstIndex(of: unencrypted), let peer = MailPeer(text[(end + unencrypted.utf8.count)...])
        else { return nil }
        return (peer, String(decoding: text[..<end].trimmed, as: UTF8.self))
    }
}
