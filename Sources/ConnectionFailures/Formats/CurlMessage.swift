internal import Encodings
internal import Pinning

/// The messages of curl with exit status 60 (CURLE_PEER_FAILED_VERIFICATION) and 90 (CURLE_SSL_PINNEDPUBKEYNOTMATCH); the texts are
/// in lib/vtls/openssl.c and lib/vtls/vtls.c, and OpenSSL's reasons in crypto/x509/x509_txt.c.
enum CurlMessage {
    /// Number of lines before the error that may contain the lines of `curl --verbose`.
    private static let maximumLines = 60
    /// Length from which a message may be cut off: `CURL_ERROR_SIZE` in include/curl/curl.h is 256, and some versions then end it
    /// with "...".
    private static let maximumMessage = 250

    private static let prefixes = ["curl: (60) ", "curl: (90) ", "cURL error 60: ", "cURL error 90: "]
    private static let option = "--pinnedpubkey "
    private static let hash = "public key hash: "
    private static let subject = "*  subject: "
    private static let issuer = "*  issuer: "
    private static let target = "' does not match target "
    /// The start of a message without a name of the certificate.
    private static let noName = "SSL: no alternative certificate subject name "

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard let prefix = prefixes.first(where: { line.announces($0) }), let text = line.text(after: prefix) else {
            return nil
        }
        var failure = ConnectionFailure(.curl, kind(prefix, text), line, message: prefix + text)
        if failure.kind == .nameMismatch {
            let targets = targets(text)
            let hasName = !text.begins(with: noName)
            if Set(targets).count > 1 || hasName && hasAnotherTarget(after: index, in: log) {
                failure.repeatedPart = "\"does not match target\""
            }
            // curl cuts a message off, so a long name can take the place of the target. Guzzle adds the URL.
            let length = text[..<(text.firstRange(ofBytes: " (see https://curl")?.lowerBound ?? text.endIndex)].utf8
                .count
            if !failure.hasRepeatedParts, !hasName || length < maximumMessage { failure.host = targets.first }
        }
        let lines = linesOfRun(before: index, in: log)
        let near = lines.suffix(maximumLines)
        let connected = near.compactMap { $0.containsName ? nil : HostSearch.connected($0) }
        // curl connects again for a redirection.
        let last = near.lastIndex { !$0.containsName && HostSearch.connected($0) != nil }
        let connection = last.map { near[$0...] } ?? near
        let texts = (
            options: texts(option, upTo: " ", in: lines), hashes: texts(hash, upTo: " ", in: connection),
            subjects: texts(subject, in: connection), issuers: texts(issuer, in: connection)
        )
        let parts = [
            (option, texts.options), (hash, texts.hashes), (subject, texts.subjects), (issuer, texts.issuers),
        ]
        if let repeated = parts.first(where: { Set($0.1).count > 1 }) {
            failure.repeatedPart = "\"\(String(decoding: Array(repeated.0.utf8)[...].trimmed, as: UTF8.self))\""
        }
        // A name with line feeds, also of another message, can contain the option.
        failure.expected = Self.texts(option, upTo: " ", in: lines.prefix { !$0.containsName }).last.map(pins) ?? []
        let pin = texts.hashes.last.flatMap { try? Pin(spelling: $0) }
        if pin != nil || !texts.subjects.isEmpty {
            failure.seen = [
                ConnectionFailure.SeenCertificate(
                    subject: texts.subjects.last, issuer: texts.subjects.isEmpty ? nil : texts.issuers.last, pin: pin)
            ]
        }
        if let (host, port) = self.host(of: lines, connected: connected) {
            if failure.host == nil { failure.host = host }
            if failure.host == host { failure.port = port }
        }
        failure.findHost(near: index, in: log)
        return failure
    }

    /// The host that the lines of a run name before the first name of a certificate: that of the command line, otherwise the one that
    /// curl connected to. After a redirection, or with a name that contains such a line, there are several.
    private static func host(
        of lines: ArraySlice<LogLine>, connected: [(host: String, port: Int?)]
    ) -> (host: String, port: Int?)? {
        guard let first = connected.first ?? nil else { return command(in: lines) }
        guard connected.allSatisfy({ $0 == first }) else { return nil }
        if let command = command(in: lines) { return command }
        let start = lines.firstIndex(where: \.containsName) ?? lines.endIndex
        return lines[..<start].contains { HostSearch.connected($0) != nil } ? first : nil
    }

    /// The host of the command lines before the first name of a certificate, if it is one.
    private static func command(in lines: ArraySlice<LogLine>) -> (host: String, port: Int?)? {
        let hosts = lines.prefix { !$0.containsName }.compactMap { line in
            line.contains("curl ") ? HostSearch.host(in: line) : nil
        }
        guard let first = hosts.first, hosts.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// The lines between the error of another run, or the command line of this run, and this error.
    private static func linesOfRun(before index: Int, in log: LogText) -> ArraySlice<LogLine> {
        let lines = log.lines[..<index]
        let last = lines.lastIndex { line in prefixes.contains { line.announces($0) } }
        let run = last.map { lines[($0 + 1)...] } ?? lines
        guard let command = run.lastIndex(where: { $0.announces("curl ") && $0.announces(option) }) else { return run }
        // A name with line feeds can contain a command line.
        return run[..<command].contains(where: \.containsName) ? run : run[command...]
    }

    /// The texts after a marker, in the order of the lines. A line with a name of a certificate contains no other marker that counts.
    private static func texts(_ marker: String, upTo ends: String = "\n", in lines: ArraySlice<LogLine>) -> [String] {
        lines.compactMap { line in
            if marker != subject, marker != issuer, line.contains(subject) || line.contains(issuer) { return nil }
            return line.text(after: marker, upTo: ends)
        }
    }

    /// The hosts in a message such as "SSL: certificate subject name 'NAME' does not match target host name 'HOST'". It has several
    /// if the name contains such words.
    private static func targets(_ text: String) -> [String] {
        // "host name" up to curl 7.88, then "hostname", "ipv4 address" and "ipv6 address".
        let markers = ["host name", "hostname", "ipv4 address", "ipv6 address"].map { " target \($0) '" }
        let line = LogLine(number: 0, bytes: Array(text.utf8)[...])
        return markers.flatMap { marker in
            line.indices(of: marker, atMost: 2).compactMap { line.text(after: marker, upTo: "'", from: $0) }
        }
    }

    /// Whether the lines up to the next error contain the end of a message: a name can contain line feeds.
    private static func hasAnotherTarget(after index: Int, in log: LogText) -> Bool {
        for line in log.lines.dropFirst(index + 1) {
            if prefixes.contains(where: line.announces) { return false }
            if line.contains(target) { return true }
        }
        return false
    }

    private static func kind(_ prefix: String, _ text: String) -> ConnectionFailure.Kind {
        if prefix.contains("90") { return .pinMismatch }
        // The other words can be a part of the name.
        if text.contains("subject name") { return .nameMismatch }
        if text.contains("has expired") { return .expired }
        if text.contains("not yet valid") { return .notYetValid }
        return .untrusted
    }

    /// The pins of `--pinnedpubkey`, separated by semicolons.
    private static func pins(_ option: String) -> [Pin] {
        option.parts(separatedBy: ";").compactMap { part in
            try? Pin(spelling: String(String.UnicodeScalarView(part.unicodeScalars.filter { $0 != "\"" && $0 != "'" })))
        }
    }
}
