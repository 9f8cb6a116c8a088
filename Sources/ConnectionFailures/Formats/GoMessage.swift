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
            kind = text.contains(" is before ") ? .notYetValid : .expired
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
            // The name of the host follows those of the certificate.
            failure.host =
                line.text(afterLast: ", not ", upTo: " \"") ?? line.text(afterLast: "wanted to match ", upTo: " \"")
                ?? line.text(after: "cannot validate certificate for ", upTo: " ")
        }
        failure.findHost(near: index, in: log)
        return failure
    }
}
