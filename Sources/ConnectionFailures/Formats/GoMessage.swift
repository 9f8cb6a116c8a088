internal import Encodings

/// The errors of Go's crypto/x509 (`Error` of CertificateInvalidError, HostnameError and UnknownAuthorityError in verify.go).
enum GoMessage {
    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let text = line.text(after: start, upTo: "\n\"") else { return nil }
        let kind: ConnectionFailure.Kind
        if text.hasPrefix("certificate signed by unknown authority") || text.contains("certificate is not trusted") {
            kind = .untrusted
        } else if text.hasPrefix("certificate has expired or is not yet valid") {
            // On macOS, the reason of the system follows, which contains a name.
            kind = line.part(from: start).announces(" is before ") ? .notYetValid : .expired
        } else if text.hasPrefix("certificate is valid for ")
            || text.hasPrefix("certificate is not valid for any names")
            || text.hasPrefix("cannot validate certificate for ")
            || text.hasPrefix("certificate relies on legacy Common Name")
        {
            kind = .nameMismatch
        } else {
            return nil
        }
        // The names of the certificate are after this word.
        let before = line.part(upTo: start)
        let isOfProxy = before.contains(proxy)
        var failure = ConnectionFailure(.go, kind, line, message: (isOfProxy ? proxy : "") + "x509: \(text)")
        let url = isOfProxy ? nil : HostSearch.host(in: before)
        if kind == .nameMismatch {
            let hosts = hosts(in: text)
            let isContinued = continues(after: index, in: log, host: hosts.first)
            if let url {
                // The program can require another name than that of the URL. The rest of a line can be a part of a name.
                let isClear = hosts.count == 1 && !isContinued && line.indices(of: not, atMost: 2).count < 2
                if let name = hosts.first.flatMap(HostSearch.name), isClear, name.lowercased() != url.host.lowercased()
                {
                    failure.host = name
                }
            } else if isContinued {
                failure.repeatedPart = "\"\(not)HOST\""
            } else if hosts.count == 1 {
                failure.host = hosts.first
            }
        }
        if failure.host == nil, let url { (failure.host, failure.port) = url }
        // The URLs are those of requests, and not of the proxy.
        if !isOfProxy { failure.findHost(near: index, in: log) }
        return failure
    }

    private static let start = "x509: "
    /// What net/http writes before an error of the connection to a proxy (`dialConn` in transport.go).
    private static let proxy = "proxyconnect tcp: "
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
    private static func continues(after index: Int, in log: LogText, host: String?) -> Bool {
        let line = log.lines[index]
        guard line.contains("certificate is valid for ") else { return false }
        // A name can also contain the quotation mark with which some logs end a message.
        let rest = line.part(from: start).bytes.drop { $0 != UInt8(ascii: "\"") }
        if let end = lastHost(in: LogLine(number: line.number, bytes: rest)), end != host { return true }
        for line in log.lines.dropFirst(index + 1).prefix(maximumLines) {
            if line.contains(start) { return false }
            if lastHost(in: line) != nil { return true }
        }
        return false
    }

    /// What can be a host at the end of a message.
    private static func lastHost(in line: LogLine) -> String? {
        guard let host = line.text(afterLast: not, upTo: "\"\\"), !host.utf8.contains(where: \.isWhiteSpace) else {
            return nil
        }
        return host.utf8.contains(UInt8(ascii: ".")) || host == "localhost" ? host : nil
    }
}
