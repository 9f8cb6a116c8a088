internal import Encodings
internal import Pinning

/// The messages of curl and of programs that use libcurl, with the errors 60 (CURLE_PEER_FAILED_VERIFICATION; up to
/// 7.61 also 51), 90 (CURLE_SSL_PINNEDPUBKEYNOTMATCH), and 35 and 77 if their text is about a certificate. ``CurlReason`` has the sources
/// of the texts.
enum CurlMessage {
    /// Number of lines before the error that may contain the lines of `curl --verbose`.
    private static let maximumLines = 100
    /// Length from which a message may be cut off: `CURL_ERROR_SIZE` in include/curl/curl.h is 256, and some versions then end it
    /// with "...".
    private static let maximumMessage = 250

    private static let option = "--pinnedpubkey "
    private static let hash = "public key hash: "
    private static let (subject, issuer) = ("subject: ", "issuer: ")
    private static let target = "' does not match target "
    /// The start of a message without a name of the certificate.
    private static let noName = "SSL: no alternative certificate subject name "

    static func failure(
        at index: Int, in log: LogText, certificates: CurlCertificateLines
    ) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let error = CurlError(line), let kind = CurlReason.kind(error.text, code: error.code) else { return nil }
        let text = error.text
        var failure = ConnectionFailure(.curl, kind, line, message: error.prefix + text)
        if failure.kind == .nameMismatch {
            let targets = targets(text)
            let hasName = line.containsName && !text.begins(with: noName)
            if Set(targets).count > 1 || hasName && hasAnotherTarget(after: index, in: log) {
                failure.repeatedPart = "\"does not match target\""
            }
            // curl cuts a message off, so a long name can take the place of the target. Guzzle adds the URL.
            let length = text[..<(text.firstRange(ofBytes: " (see https://curl")?.lowerBound ?? text.endIndex)].utf8
                .count
            if !failure.hasRepeatedParts, !hasName || length < maximumMessage { failure.host = targets.first }
        }
        // The URL is before the text, which can contain names.
        if let (host, port) = error.url, failure.host == nil || failure.host == host {
            (failure.host, failure.port) = (host, port)
        }
        let lines = linesOfRun(before: index, in: log)
        let near = lines.suffix(maximumLines)
        // curl connects again for a redirection.
        let last = near.lastIndex { !$0.containsName && CurlConnection.peer(in: $0) != nil }
        let connection = last.map { near[$0...] } ?? near
        let texts = (
            options: texts(option, in: lines), hashes: texts(hash, in: connection),
            subjects: fields(subject, in: connection), issuers: fields(issuer, in: connection)
        )
        let parts = [
            (option, texts.options), (hash, texts.hashes), (subject, texts.subjects), (issuer, texts.issuers),
        ]
        if let repeated = parts.first(where: { Set($0.1).count > 1 }) {
            failure.repeatedPart = "\"\(String(decoding: Array(repeated.0.utf8)[...].trimmed, as: UTF8.self))\""
        }
        if certificates.continues(after: index) {
            failure.repeatedPart = "\"\(String(decoding: Array(error.prefix.utf8)[...].trimmed, as: UTF8.self))\""
        }
        // A name with line feeds, also of another message, can contain the option.
        failure.expected = Self.texts(option, in: lines.prefix { !$0.containsName }).last.map(pins) ?? []
        let pin = texts.hashes.last.flatMap { try? Pin(spelling: $0) }
        if pin != nil || !texts.subjects.isEmpty {
            failure.seen = [
                ConnectionFailure.SeenCertificate(
                    subject: texts.subjects.last, issuer: texts.subjects.isEmpty ? nil : texts.issuers.last, pin: pin)
            ]
        }
        if error.url == nil, let (host, port) = CurlConnection.host(of: lines, near: near) {
            if failure.host == nil { failure.host = host }
            if failure.host == host { failure.port = port }
        }
        failure.findHost(near: index, in: log)
        return failure
    }

    /// The lines between the error of another run, or the command line of this run, and this error.
    private static func linesOfRun(before index: Int, in log: LogText) -> ArraySlice<LogLine> {
        let lines = log.lines[..<index]
        let last = lines.lastIndex { CurlError.isPossible(in: $0) }
        let run = last.map { lines[($0 + 1)...] } ?? lines
        guard let command = run.lastIndex(where: { $0.announces("curl ") && $0.announces(option) }) else { return run }
        // A name with line feeds can contain a command line.
        return run[..<command].contains(where: \.containsName) ? run : run[command...]
    }

    /// The words after a marker, in the order of the lines. A line with a name of a certificate contains no marker that counts.
    private static func texts(_ marker: String, in lines: ArraySlice<LogLine>) -> [String] {
        lines.compactMap { line in
            guard line.curlField(subject) == nil, line.curlField(issuer) == nil else { return nil }
            return line.text(after: marker, upTo: " ")
        }
    }

    private static func fields(_ name: String, in lines: ArraySlice<LogLine>) -> [String] {
        lines.compactMap { line in
            guard let text = line.curlField(name)?.bytes.trimmed, !text.isEmpty else { return nil }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The hosts in a message such as "SSL: certificate subject name 'NAME' does not match target host name 'HOST'". It has several
    /// if the name contains such words.
    private static func targets(_ text: String) -> [String] {
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        // The texts with a name begin with "SSL: ".
        for (start, end) in CurlReason.hostsWithoutName where !text.begins(with: "SSL: ") {
            if let host = line.text(after: start, upTo: end) { return [host] }
        }
        // "host name" up to curl 7.88, then "hostname", "ipv4 address" and "ipv6 address".
        let markers = ["host name", "hostname", "ipv4 address", "ipv6 address"].map { " target \($0) '" }
        return markers.flatMap { marker in
            line.indices(of: marker, atMost: 2).compactMap { line.text(after: marker, upTo: "'", from: $0) }
        }
    }

    /// Whether the lines up to the next error contain the end of a message: a name can contain line feeds.
    private static func hasAnotherTarget(after index: Int, in log: LogText) -> Bool {
        for line in log.lines.dropFirst(index + 1) {
            if CurlError.isPossible(in: line) { return false }
            if line.contains(target) { return true }
        }
        return false
    }

    /// The pins of `--pinnedpubkey`, separated by semicolons.
    private static func pins(_ option: String) -> [Pin] {
        option.parts(separatedBy: ";").compactMap { part in
            try? Pin(spelling: String(String.UnicodeScalarView(part.unicodeScalars.filter { $0 != "\"" && $0 != "'" })))
        }
    }
}
