internal import Encodings
internal import Pinning

/// The output of `openssl s_client` (`verify_callback` in apps/lib/s_cb.c, `print_stuff` and `SSL_SESSION_print`):
///
///     depth=0 CN = NAME
///     verify error:num=10:certificate has expired
///     CONNECTED(00000003)
///     Certificate chain
///      0 s:CN = NAME
///        i:CN = NAME
///     Verification error: certificate has expired
///         Verify return code: 10 (certificate has expired)
///
/// The first two lines are on standard error. OpenSSL escapes line feeds in names, so these lines count only at the start of a line.
struct OpenSSLClientLog {
    private static let (error, result, code) = ("verify error:num=", "Verification error: ", "Verify return code: ")
    /// The starts of the lines on standard error.
    private static let group = ["depth=", error, "verify return:", "notAfter=", "notBefore=", "issuer= "]
    private static let (connected, certificates) = ("CONNECTED(", "Certificate chain")
    /// Maximum number of lines of the errors, of the output after them, and between the command line and them.
    private static let (maximumGroup, maximumOutput, maximumReach) = (200, 600, 400)

    /// The last failure: whether it was on standard error, and the number of connections since.
    private var last: (isError: Bool, connections: Int)?

    /// The failure, and the index of the last line of its errors.
    mutating func failure(at index: Int, in log: LogText) -> (ConnectionFailure, end: Int)? {
        let line = log.lines[index]
        if line.begins(with: Self.connected) { last?.connections += 1 }
        if line.begins(with: Self.error) {
            let lines = log.lines[index...].prefix(Self.maximumGroup).prefix { line in
                Self.group.contains { line.begins(with: $0) }
            }
            // After the number.
            let reasons = lines.compactMap { $0.begins(with: Self.error) ? $0.text(after: Self.error) : nil }
                .map { String($0.drop { $0 != ":" }.dropFirst()) }
            guard let reason = Self.mostSevere(reasons) else { return nil }
            last = (true, 0)
            return (Self.failure(reason, at: index, lines.endIndex, in: log), max(index, lines.endIndex - 1))
        }
        guard let reason = Self.result(in: line) else { return nil }
        // The same failure was on standard error, which can be before or after the line of the connection, or in the line before.
        if let last, last.connections <= (last.isError ? 1 : 0) { return nil }
        last = (false, 0)
        var failure = Self.failure(reason, at: index, nil, in: log)
        // s_client goes on after each error, and the result is only the last one.
        if [.expired, .notYetValid].contains(failure.kind) { failure.kind = .untrusted }
        return (failure, index)
    }

    /// The reason in one of the lines about the result on standard output.
    private static func result(in line: LogLine) -> String? {
        if line.begins(with: result) { return line.text(after: result) }
        let text = LogLine(number: line.number, bytes: line.bytes.trimmed)
        guard text.begins(with: code), let reason = text.text(after: " (", upTo: ")") else { return nil }
        return text.begins(with: "\(code)0 ") ? nil : reason
    }

    /// The reason that counts: a chain that is not trusted can be of an interceptor, whatever its dates are.
    private static func mostSevere(_ reasons: [String]) -> String? {
        let kinds: [ConnectionFailure.Kind] = [.untrusted, .nameMismatch, .expired, .notYetValid]
        return kinds.lazy.compactMap { kind in reasons.first { VerificationReason.kind($0) == kind } }.first
    }

    /// - Parameter next: the index of the line after the errors; nil for a result, which is after the chain.
    private static func failure(_ reason: String, at index: Int, _ next: Int?, in log: LogText) -> ConnectionFailure {
        var failure = ConnectionFailure(
            .openssl, VerificationReason.kind(reason), log.lines[index], message: "verify error: \(reason)")
        failure.seen = chain(
            in: next.map { log.lines.dropFirst($0).prefix(maximumOutput) } ?? output(before: index, log))
        if let (host, port, isGuess, line) = command(before: index, in: log) {
            (failure.host, failure.port) = (host, port)
            if isGuess { failure.hostLine = line }
        }
        return failure
    }

    /// The output of the same connection before a result.
    private static func output(before index: Int, _ log: LogText) -> ArraySlice<LogLine> {
        let lines = log.lines[..<index].suffix(maximumOutput)
        let start = lines.lastIndex { $0.begins(with: connected) } ?? lines.lastIndex { $0.begins(with: certificates) }
        return start.map { lines[$0...] } ?? []
    }

    /// The host of the option `-connect` in the last command line. It is a guess with another server name, and after names of
    /// certificates of another program.
    private static func command(
        before index: Int, in log: LogText
    ) -> (host: String, port: Int?, isGuess: Bool, line: Int)? {
        let lines = log.lines[..<index].suffix(maximumReach)
        guard
            let found = lines.lastIndex(where: {
                !$0.containsName && $0.contains("s_client ") && $0.contains(" -connect ")
            })
        else { return nil }
        let line = lines[found]
        // pinctl needs the scheme of a protocol before TLS.
        guard !line.contains(" -starttls "), let (host, port) = argument(" -connect ", in: line) else { return nil }
        let hasOtherName =
            line.contains(serverName)
            && argument(serverName, in: line)?.host.lowercased() != host.lowercased()
        let isGuess = hasOtherName || lines[found...].contains { $0.hasNameOfOtherProgram }
        return (host, port, isGuess, line.number)
    }

    private static let serverName = " -servername "

    /// The host in the argument of an option, which a shell reads: with quotes, and before characters that end a command.
    private static func argument(_ option: String, in line: LogLine) -> (host: String, port: Int?)? {
        line.text(after: option, upTo: " ").flatMap { text in
            HostSearch.authority(String(text.filter { $0 != "\"" && $0 != "'" }))
        }
    }

    /// The chain that the server sent, with the keys of the certificates whose PEM follows.
    private static func chain(in output: ArraySlice<LogLine>) -> [ConnectionFailure.SeenCertificate] {
        let lines = output.prefix { !$0.begins(with: "SSL handshake has read") && !$0.begins(with: error) }
        guard let start = lines.firstIndex(where: { $0.begins(with: certificates) }) else { return [] }
        var names: [(subject: String, issuer: String?)] = []
        for line in lines[start...] {
            if let subject = OpenSSLClientNames.subject(in: line) {
                names.append((subject, nil))
            } else if let last = names.indices.last, let issuer = OpenSSLClientNames.issuer(in: line) {
                names[last].issuer = issuer
            }
        }
        var blocks = PEM.blocks(in: lines[start...].flatMap { $0.bytes + [UInt8(ascii: "\n")] })
        var pins: [Pin?] = []
        while let block = blocks.next(), pins.count < names.count {
            let certificate = (try? block.get())?.certificateBytes.flatMap { try? Certificate(der: $0) }
            pins.append(certificate?.pin)
        }
        // Without -showcerts, only the certificate of the server follows.
        if pins.count != 1, pins.count != names.count { pins = [] }
        return names.enumerated().map { index, name in
            ConnectionFailure.SeenCertificate(
                subject: name.subject, issuer: name.issuer, pin: pins.dropFirst(index).first.flatMap(\.self))
        }
    }
}

extension LogLine {
    func begins(with text: String) -> Bool { bytes.starts(with: text.utf8) }

    /// Whether the line has a name that is no part of the output of `openssl s_client`.
    fileprivate var hasNameOfOtherProgram: Bool { containsName && OpenSSLClientNames.start(in: bytes) == nil }
}
