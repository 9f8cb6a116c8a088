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
    private static let maximumTrace = 150

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

    private static func failure(_ line: LogLine) -> ConnectionFailure? {
        guard let found = texts.first(where: { line.announces($0.text) }) else { return nil }
        if found.source == .okhttp, !line.contains("Hostname ") { return nil }
        let start = line.firstIndex(of: found.text) ?? line.bytes.startIndex
        let message = String(decoding: line.bytes[start...].trimmed, as: UTF8.self)
        return ConnectionFailure(found.source, found.kind, line, message: message)
    }

    /// The kind of a more exact cause in the same stack trace.
    private static func cause(after index: Int, in log: LogText) -> ConnectionFailure.Kind? {
        for line in log.lines.dropFirst(index).prefix(maximumTrace) {
            if line.number != log.lines[index].number, !isInTrace(line) { return nil }
            if line.announces("CertificateExpiredException") { return .expired }
            if line.announces("CertificateNotYetValidException") { return .notYetValid }
        }
        return nil
    }

    /// Whether a line can follow the first line of a stack trace (`printStackTrace` in java.lang.Throwable; Logback writes "common frames
    /// omitted"). A logger can write its own words before each line, replace the tab, or write it as `\t`. A line with a whole trace, and
    /// thus with a message before its frames, begins another one.
    static func isInTrace(_ line: LogLine) -> Bool {
        if line.bytes.allSatisfy(\.isWhiteSpace) || line.bytes.starts(with: "at ".utf8) { return true }
        var markers = ["Caused by: ", "Suppressed: ", "\tat ", "\\tat ", "  at "]
        if line.contains(" more") || line.contains(" common frames omitted") { markers.append("... ") }
        if places.contains(where: line.contains) { markers.append(" at ") }
        guard let start = markers.compactMap({ line.firstIndex(of: $0) }).min() else { return false }
        return failure(LogLine(number: line.number, bytes: line.bytes[..<start])) == nil
    }

    /// What `toString` of StackTraceElement writes after a method.
    private static let places = [".java:", ".kt:", "(Native Method", "(Unknown Source", "(SourceFile:"]
}
