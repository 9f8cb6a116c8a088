internal import Encodings
internal import Pinning

/// The errors of Go's crypto/x509 (`Error` of CertificateInvalidError, HostnameError and UnknownAuthorityError in verify.go).
enum GoMessage {
    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let text = line.text(after: start, upTo: "\n\"") else { return nil }
        let kind: ConnectionFailure.Kind
        if text.hasPrefix("certificate signed by unknown authority") || text.has("certificate is not trusted") {
            kind = .untrusted
        } else if text.hasPrefix("certificate has expired or is not yet valid") {
            // On macOS, the reason of the system follows, which contains a name.
            kind = line.part(from: start).announces(" is before ") ? .notYetValid : .expired
        } else if text.hasPrefix(validFor)
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
        if !isOfProxy, let url = HostSearch.host(in: before) {
            // The certificate's names are before the name that the program requires, so a line that is cut off can end with one of them.
            (failure.host, failure.port) = url
        } else if kind == .nameMismatch {
            let host = host(in: text)
            if continues(after: index, in: log, host: host) {
                failure.repeatedPart = "\"\(not)HOST\""
            } else {
                failure.host = host
            }
        }
        failure.certificateNames = names(in: text)
        failure.certificateDate = date(in: text)
        // The URLs are those of requests, and not of the proxy.
        if !isOfProxy { failure.findHost(near: index, in: log) }
        return failure
    }

    /// The names of the certificate, if the message is complete.
    private static func names(in text: String) -> String? {
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        guard text.hasPrefix(validFor), let end = line.indices(of: not, atMost: .max).last else { return nil }
        return LogLine(number: 0, bytes: line.bytes[..<end]).text(after: validFor)
    }

    /// The date of the certificate: "current time DATE is after DATE".
    private static func date(in text: String) -> Timestamp? {
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        let found = [" is after ", " is before "].lazy.compactMap { line.text(after: $0, upTo: " ,;)\\\"") }.first
        return found.flatMap { Timestamp(rfc3339: $0) }
    }

    private static let start = "x509: "
    /// What is before the names of the certificate.
    private static let validFor = "certificate is valid for "
    /// What net/http writes before an error of the connection to a proxy (`dialConn` in transport.go).
    private static let proxy = "proxyconnect tcp: "
    /// What is before the host and after the names of the certificate.
    private static let not = ", not "

    /// The host in a message. It is nil if there are several, as in a name of the certificate that contains such words, and if other text
    /// follows the host after names, which can be a part of a name in a line that is cut off.
    private static func host(in text: String) -> String? {
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        if text.hasPrefix(validFor) {
            let found = Set(line.indices(of: not, atMost: 20).map { line.text(after: not, from: $0).flatMap(name) })
            return found.count == 1 ? found.first.flatMap(\.self) : nil
        }
        for marker in ["wanted to match ", "cannot validate certificate for "] {
            if let found = line.text(after: marker, upTo: " ,;)\\") { return name(found) }
        }
        return nil
    }

    /// A text as a host, without what a log writes after a message.
    private static func name(_ text: String) -> String? {
        let ends = Set(".,;)]}>'`\\".utf8)
        let name = Array(text.utf8.reversed().drop { ends.contains($0) }.reversed())
        let isHost =
            name.allSatisfy { $0.isWord || "-.:".utf8.contains($0) }
            && !["“", "”", "‘", "’"].contains(where: text.has)
        // An IPv6 address has several colons.
        guard !name.isEmpty, isHost, name.count(where: { $0 == UInt8(ascii: ":") }) != 1 else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Number of lines after a message that a name with line feeds can fill.
    private static let maximumLines = 60

    /// Whether a line after the message, and before the next one, ends as a message does: a name can contain line feeds.
    private static func continues(after index: Int, in log: LogText, host: String?) -> Bool {
        let line = log.lines[index]
        guard line.contains(validFor) else { return false }
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
