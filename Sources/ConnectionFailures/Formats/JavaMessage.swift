internal import Encodings
internal import Pinning

/// The exceptions of Java and of Android.
///
/// - Java: PKIXValidator and SimpleValidator in sun.security.validator, HostnameChecker in sun.security.util.
/// - Android: `checkPins` in NetworkSecurityTrustManager.java ("Pin verification failed") and Conscrypt's TrustManagerImpl.java ("Trust
///   anchor for certification path not found").
/// - OkHttp: `connectTls` in RealConnection.kt, since 5.0 in ConnectPlan.kt ("Hostname HOST not verified:").
/// - Apache HttpClient 4 and 5: DefaultHostnameVerifier ("Certificate for <HOST> doesn't match …").
///
/// Since Java 21, an exception can begin with the alert, such as "(certificate_unknown)".
enum JavaMessage {
    /// Number of lines after an exception that may name its cause.
    static let maximumTrace = 150

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard var failure = Self.failure(line) else { return nil }
        if failure.kind == .untrusted, failure.source == .java, let cause = cause(after: index, in: log) {
            failure.kind = cause
        }
        let start = line.beforeName
        if failure.host == nil, let host = start.text(after: "Hostname ", upTo: " "), start.contains("not verified") {
            failure.host = host
            if let next = log.lines.dropFirst(index + 1).prefix(3).first(where: { $0.contains("certificate: sha256/") }
            ),
                let pin = next.text(after: "certificate: ", upTo: " ").flatMap({ try? Pin(spelling: $0) })
            {
                let subject = log.lines.dropFirst(index + 1).prefix(4).first { $0.contains("DN: ") }?.text(
                    after: "DN: ")
                failure.seen = [ConnectionFailure.SeenCertificate(subject: subject, pin: pin)]
            }
        }
        if failure.host == nil, failure.kind == .nameMismatch {
            failure.host =
                start.text(after: "name matching ", upTo: " ") ?? start.text(after: "IP address ", upTo: " ")
                ?? start.text(after: "Certificate for <", upTo: ">")
        }
        failure.findHost(near: index, in: log)
        return failure
    }

    private static let texts: [(text: String, source: ConnectionFailure.Source, kind: ConnectionFailure.Kind)] = [
        ("CertificateException: Pin verification failed", .android, .pinMismatch),
        ("SSLHandshakeException: Pin verification failed", .android, .pinMismatch),
        ("Trust anchor for certification path not found", .android, .untrusted),
        ("PKIX path building failed", .java, .untrusted),
        ("PKIX path validation failed", .java, .untrusted),
        ("unable to find valid certification path to requested target", .java, .untrusted),
        ("CertificateExpiredException", .java, .expired),
        ("CertificateNotYetValidException", .java, .notYetValid),
        ("No subject alternative DNS name matching ", .java, .nameMismatch),
        ("No subject alternative names matching IP address ", .java, .nameMismatch),
        ("No name matching ", .java, .nameMismatch),
        ("> doesn't match any of the subject alternative names", .java, .nameMismatch),
        ("> doesn't match common name of the certificate subject", .java, .nameMismatch),
        (" not verified:", .okhttp, .nameMismatch),
    ]

    private static let shortestText = texts.map(\.text.utf8.count).min() ?? 0

    private static func failure(_ line: LogLine) -> ConnectionFailure? {
        guard let found = texts.first(where: { line.announces($0.text) }) else { return nil }
        if found.source == .okhttp, !line.contains("Hostname ") { return nil }
        let start = line.firstIndex(of: found.text) ?? line.bytes.startIndex
        let message = String(decoding: line.bytes[start...].trimmed, as: UTF8.self)
        return ConnectionFailure(found.source, found.kind, line, message: message)
    }

    /// The kind of a more exact cause in the same stack trace.
    private static func cause(after index: Int, in log: LogText) -> ConnectionFailure.Kind? {
        for (number, line) in zip(log.lines.indices, log.lines).dropFirst(index).prefix(maximumTrace) {
            if line.number != log.lines[index].number, !isInTrace(number, in: log) { return nil }
            if line.announces("CertificateExpiredException") { return .expired }
            if line.announces("CertificateNotYetValidException") { return .notYetValid }
        }
        return nil
    }

    /// Whether a line of a logger is between the lines of a trace, which `printStackTrace` writes one by one: frames are directly before
    /// it, and a cause with a frame is directly after it. A logger that writes a whole trace writes the name of the exception before the
    /// cause.
    private static func interruptsTrace(_ index: Int, in log: LogText) -> Bool {
        guard index > 0, index + 2 < log.lines.count, isFrame(log.lines[index - 1]), isFrame(log.lines[index + 2]),
            log.lines[index + 1].begins(with: "Caused by: ")
        else { return false }
        let line = log.lines[index]
        return !namesException(line) && failure(line) == nil
    }

    /// Whether a line is only a frame, or words about frames that the trace does not show.
    private static func isFrame(_ line: LogLine) -> Bool {
        let text = line.bytes.trimmed
        return text.starts(with: "at ".utf8) || text.starts(with: "... ".utf8)
    }

    /// Maximum number of lines of a message after its first line, within a trace.
    private static let maximumMessageLines = 8

    /// Whether the line at an index can follow the first line of a stack trace. A line directly before frames is that of a message with
    /// several lines, unless it names an exception, which begins another trace.
    static func isInTrace(_ index: Int, in log: LogText) -> Bool {
        if isInTrace(log.lines[index]) || interruptsTrace(index, in: log) { return true }
        for line in log.lines.dropFirst(index).prefix(maximumMessageLines) {
            let text = line.bytes.trimmed
            if text.starts(with: "at ".utf8) { return true }
            if text.isEmpty || isInTrace(line) || namesException(line) { return false }
        }
        return false
    }

    /// Whether a line contains the name of a class in a package, such as `java.io.IOException`.
    private static func namesException(_ line: LogLine) -> Bool {
        line.bytes.split(whereSeparator: { $0.isWhiteSpace || $0 == UInt8(ascii: ":") }).contains { word in
            guard let dot = word.lastIndex(of: UInt8(ascii: ".")), let first = word[(dot + 1)...].first else {
                return false
            }
            return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        }
    }

    /// Whether a line can follow the first line of a stack trace (`printStackTrace` in java.lang.Throwable; Logback writes "common frames
    /// omitted", and Log4j "suppressed"). A logger can write its own words before each line, replace the tab, or write it as `\t`. A line
    /// with a whole trace, and thus with a message before its frames, begins another one.
    static func isInTrace(_ line: LogLine) -> Bool {
        // Most lines of traces begin so, and a long trace has many.
        let text = line.bytes.drop(while: \.isWhiteSpace)
        if text.isEmpty || ["at ", "Caused by: "].contains(where: { text.starts(with: $0.utf8) }) { return true }
        let markers = ["Caused by: ", "Suppressed: ", "\tat ", "\\tat ", "  at "]
        let found =
            markers.compactMap { line.firstIndex(of: $0) } + [omission(in: line), frame(in: line)].compactMap(\.self)
        guard let start = found.min() else { return false }
        // Most lines have no room for a message there.
        return start - line.bytes.startIndex < shortestText
            || failure(LogLine(number: line.number, bytes: line.bytes[..<start])) == nil
    }

    /// The index of words about frames that a trace does not show, such as `... 12 more`.
    private static func omission(in line: LogLine) -> Int? {
        let dots = "... "
        return line.indices(of: dots, atMost: 8).first { index in
            let before = line.bytes[..<index]
            let rest = line.bytes[(index + dots.utf8.count)...]
            return (before.last?.isWhiteSpace ?? true || before.suffix(2).elementsEqual("\\t".utf8))
                && (rest.first?.isDigit ?? false || rest.starts(with: "suppressed ".utf8))
        }
    }

    /// The index of a frame such as `at CLASS.METHOD(PLACE)` (`toString` of StackTraceElement).
    private static func frame(in line: LogLine) -> Int? {
        let at = " at "
        return line.indices(of: at, atMost: 8).first { index in
            let rest = line.bytes[(index + at.utf8.count)...]
            let method = rest.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "(") }
            let place = rest[method.endIndex...]
            return method.contains(UInt8(ascii: ".")) && place.first == UInt8(ascii: "(")
                && place.contains(UInt8(ascii: ")"))
        }
    }

    /// Whether a cause in a line of logcat, which begins with a tag and a colon, is that of a failure before it. Lines of other programs can
    /// be between the lines of its trace.
    static func isCause(_ failure: ConnectionFailure, of last: ConnectionFailure, in line: LogLine) -> Bool {
        guard let start = line.firstIndex(of: "Caused by:") else { return false }
        return line.bytes[..<start].trimmed.last == UInt8(ascii: ":") && failure.message == last.message
            && failure.host == last.host && failure.port == last.port
    }
}
