internal import Encodings

/// The errors of Go's crypto/x509 (`Error` of CertificateInvalidError, HostnameError and UnknownAuthorityError in verify.go).
enum GoMessage {
    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let text = line.text(after: "x509: ", upTo: "\n\"") else { return nil }
        let kind: ConnectionFailure.Kind
        if text.hasPrefix("certificate signed by unknown authority") || text.contains("certificate is not trusted") {
            kind = .untrusted
        } else if text.hasPrefix("certificate has expired or is not yet valid") {
            // On macOS, the reason of the system follows, which contains a name.
            kind = line.part(from: "x509: ").announces(" is before ") ? .notYetValid : .expired
        } else if text.hasPrefix("certificate is valid for ")
            || text.hasPrefix("certificate is not valid for any names")
            || text.hasPrefix("cannot validate certificate for ")
            || text.hasPrefix("certificate relies on legacy Common Name")
        {
            kind = .nameMismatch
        } else {
            return nil
        }
        var failure = ConnectionFailure(.go, kind, line, message: "x509: \(text)")
        // The names of the certificate are after this word.
        let end = line.firstIndex(of: "x509: ") ?? line.bytes.endIndex
        if let (host, port) = HostSearch.host(in: LogLine(number: line.number, bytes: line.bytes[..<end])) {
            (failure.host, failure.port) = (host, port)
        } else if kind == .nameMismatch {
            let hosts = hosts(in: text)
            if hosts.count == 1 { failure.host = hosts.first }
            if continues(after: index, in: log) {
                failure.host = nil
                failure.repeatedPart = "\"\(not)HOST\""
            }
        }
        failure.findHost(near: index, in: log)
        return failure
    }

    /// What is before the host and after the names of the certificate.
    private static let not = ", not "

    /// The hosts in a message. It has several if a name of the certificate contains such words, or another text follows.
    private static func hosts(in text: String) -> Set<String> {
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        for marker in [not, "wanted to match ", "cannot validate certificate for "] {
            let found = line.indices(of: marker, atMost: 20).compactMap {
                line.text(after: marker, upTo: " ,;)\\", from: $0)
            }
            if !found.isEmpty { return Set(found) }
        }
        return []
    }

    /// Number of lines after a message that a name with line feeds can fill.
    private static let maximumLines = 60

    /// Whether a line after the message, and before the next one, ends as a message does: a name can contain line feeds.
    private static func continues(after index: Int, in log: LogText) -> Bool {
        guard log.lines[index].contains("certificate is valid for ") else { return false }
        for line in log.lines.dropFirst(index + 1).prefix(maximumLines) {
            if line.contains("x509: ") { return false }
            guard let host = line.text(afterLast: not, upTo: "\"") else { continue }
            if !host.utf8.contains(where: \.isWhiteSpace), host.utf8.contains(UInt8(ascii: ".")) || host == "localhost"
            {
                return true
            }
        }
        return false
    }
}
