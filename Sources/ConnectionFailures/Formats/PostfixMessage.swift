internal import Encodings

/// The messages of Postfix about the certificates of servers: `tls_log_verify_error` in src/tls/tls_verify.c, and `smtp_start_tls` in
/// src/smtp/smtp_proto.c, from 3.4 to 3.11. They follow the name of the program and the number of its process.
///
///     postfix/smtp[731]: server certificate verification failed for HOST[ADDRESS]:25: certificate has expired
///     postfix/smtp[731]: 4AE5: to=<USER>, relay=HOST[ADDRESS]:25, …, status=deferred (Server certificate not verified)
///
/// Postfix replaces control characters in names. The text of a server follows other words in the parentheses.
enum PostfixMessage {
    private static let verification = "certificate verification failed for "
    private static let starts = ["", "server ", "CA "].map { $0 + verification }
    /// `smtpd` writes the same text about the certificates of clients.
    private static let programs = ["/smtp[", "/lmtp[", "posttls-finger[", "posttls-finger: "]
    private static let status = "status="
    private static let results = ["deferred", "bounced"].flatMap { result in
        // The second text is of Postfix up to 3.5.
        ["verified", "trusted"].map { "\(result) (Server certificate not \($0))" }
    }
    /// Number of lines before the result of a message that may contain the reason.
    private static let maximumLines = 100
    private static let noMatch = "no matching DANE TLSA records"

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let (text, isLMTP) = text(of: line) else { return nil }
        if let (peer, reason) = verification(text) {
            // Postfix reports the error that is closest to the server's certificate, and not those of its issuers.
            var failure = ConnectionFailure(
                .postfix, kind(reason), line, message: String(decoding: text.trimmed, as: UTF8.self))
            failure.set(peer, isLMTP: isLMTP)
            return failure
        }
        let record = LogLine(number: line.number, bytes: text)
        guard let start = record.firstIndex(of: status).map({ $0 + status.utf8.count }),
            let result = results.first(where: { text[start...].starts(with: $0.utf8) }),
            let relay = record.firstIndex(of: " relay=").flatMap({ MailPeer(text[($0 + " relay=".utf8.count)...]) })
        else { return nil }
        let hasReason = log.lines[..<index].suffix(maximumLines).contains { line in
            self.text(of: line).flatMap { verification($0.text) }.map { $0.peer.isSame(as: relay) } ?? false
        }
        guard !hasReason else { return nil }
        var failure = ConnectionFailure(.postfix, .untrusted, line, message: "status=\(result)")
        failure.set(relay, isLMTP: isLMTP)
        return failure
    }

    /// The text after the name of the program; nil for another program.
    private static func text(of line: LogLine) -> (text: ArraySlice<UInt8>, isLMTP: Bool)? {
        guard line.contains("ertificate"), let (program, index) = program(in: line) else { return nil }
        let rest = line.bytes[(index + program.utf8.count)...]
        guard program.utf8.last == UInt8(ascii: "[") else { return (rest, false) }
        let end = rest.drop(while: \.isDigit)
        guard end.startIndex > rest.startIndex, end.starts(with: "]: ".utf8) else { return nil }
        return (end.dropFirst(3), program == "/lmtp[")
    }

    private static func program(in line: LogLine) -> (program: String, index: Int)? {
        programs.compactMap { program in line.firstIndex(of: program).map { (program, $0) } }.min { $0.1 < $1.1 }
    }

    private static func verification(_ text: ArraySlice<UInt8>) -> (peer: MailPeer, reason: String)? {
        guard let start = starts.first(where: { text.starts(with: $0.utf8) }),
            let peer = MailPeer(text.dropFirst(start.utf8.count)), peer.rest.starts(with: ": ".utf8)
        else { return nil }
        return (peer, String(decoding: peer.rest.dropFirst(2).trimmed, as: UTF8.self))
    }

    private static func kind(_ reason: String) -> ConnectionFailure.Kind {
        // After the number: `num=62:hostname mismatch`.
        let text = reason.begins(with: "num=") ? String(reason.drop { $0 != ":" }.dropFirst()) : reason
        if text.lowercased().begins(with: noMatch.lowercased()) { return .pinMismatch }
        return VerificationReason.kind(text) == .nameMismatch ? .nameMismatch : .untrusted
    }
}

extension MailPeer {
    fileprivate func isSame(as other: MailPeer) -> Bool {
        host == other.host && port == other.port && address == other.address
    }
}
