import Testing

@testable import ConnectionFailures

/// Stack traces of Java and Android, which contain the message of each cause.
@Suite struct StackTraceTests {
    /// Two traces of different requests, with lines of the log between them.
    @Test func twoTraces() throws {
        let found = failures(
            in: """
                10:00:01 ERROR Connection to node -1 (broker1.example/192.0.2.1:9093) failed authentication
                org.apache.kafka.common.errors.SslAuthenticationException: SSL handshake failed
                Caused by: javax.net.ssl.SSLHandshakeException: PKIX path validation failed: validity check failed
                \tat java.base/sun.security.ssl.Alert.createSSLException(Alert.java:131)
                Caused by: java.security.cert.CertificateExpiredException: NotAfter: Sun Nov 22 10:00:00 UTC 2026
                \tat java.base/sun.security.x509.CertificateValidity.valid(CertificateValidity.java:277)
                10:00:05 ERROR request to https://b.example/ failed
                java.io.IOException: request failed
                Caused by: javax.net.ssl.SSLHandshakeException: Pin verification failed
                Caused by: java.security.cert.CertificateException: Pin verification failed
                \tat android.security.net.config.NetworkSecurityTrustManager.checkPins(NetworkSecurityTrustManager.java:148)\n
                """)
        #expect(found.map(\.kind) == [.expired, .pinMismatch] && found.last?.host == "b.example", "\(found)")
    }

    /// Apps often log only the outermost exception (Conscrypt wraps that of `checkPins` in an SSLHandshakeException).
    @Test(arguments: ["", "D/Login: cannot log in: "]) func androidWithoutItsCause(start: String) {
        let line = "\(start)javax.net.ssl.SSLHandshakeException: Pin verification failed\n"
        let frame = "\tat com.android.org.conscrypt.SSLUtils.toSSLHandshakeException(SSLUtils.java:362)\n"
        for log in [line, line + frame] {
            let found = failures(in: log)
            #expect(found.map(\.kind) == [.pinMismatch] && found.map(\.source) == [.android], "\(found)")
        }
    }

    /// A message with several lines within a trace.
    @Test(arguments: ["request id: 17", "request id: 17\nuser: x"]) func messageOfSeveralLines(lines: String) {
        let found = failures(
            in: """
                javax.net.ssl.SSLHandshakeException: PKIX path building failed: x
                \(lines)
                \tat java.base/sun.security.ssl.Alert.createSSLException(Alert.java:131)
                Caused by: sun.security.validator.ValidatorException: PKIX path building failed: x
                \(lines)
                \tat java.base/sun.security.validator.PKIXValidator.doBuild(PKIXValidator.java:388)
                Caused by: java.security.cert.CertificateExpiredException: NotAfter: Sun Nov 22 10:00:00 UTC 2026
                \tat java.base/sun.security.x509.CertificateValidity.valid(CertificateValidity.java:277)\n
                """)
        #expect(found.map(\.kind) == [.expired], "\(found)")
    }

    private static let start = "Caused by: javax.net.ssl.SSLHandshakeException: PKIX path building failed: x\n"
    private static let frame = "\tat java.base/sun.security.ssl.Alert.createSSLException(Alert.java:131)\n"
    private static let cause =
        "Caused by: java.security.cert.CertificateExpiredException: NotAfter: Sun Nov 22 10:00:00 UTC 2026\n"
    /// Lines of a log with words that a trace also contains.
    static let lines = [
        "10:00:05 ERROR that request failed at 10:00:04", "10:00:05 INFO retry... connecting",
        "10:00:05 INFO waiting... 3 left", "10:00:05 ERROR failed at https://b.example/f(1)",
    ]

    /// An exception that follows a trace, and lines of a log without frames, as `grep` finds them.
    @Test func anotherTrace() {
        let exception = "java.io.IOException: SSL handshake failed\n"
        let traces = ["", "10:00:05 ERROR "].map { Self.start + Self.frame + $0 + exception + Self.cause + Self.frame }
        let lists = Self.lines.map { "\(Self.start)\($0)\n\(Self.cause)" }
        for log in traces + lists {
            let found = failures(in: log)
            #expect(found.map(\.kind) == [.untrusted, .expired], "\(found)")
        }
    }

    /// `printStackTrace` writes each line separately, so a line of a logger can be between them.
    @Test(arguments: lines) func aLineWithinATrace(line: String) {
        let found = failures(in: "\(Self.start)\(Self.frame)\(line)\n\(Self.cause)\(Self.frame)")
        #expect(found.map(\.kind) == [.expired], "\(found)")
    }

    /// Frames as `printStackTrace`, Logback and logcat write them, and as JSON and copies of logs contain them.
    @Test(arguments: [
        "\tat sun.security.validator.Validator.validate(Validator.java:264)\n", "\t... 12 more\n",
        "\tat a.B.c(D.java:1) ~[a.jar:1.0]\n\t... 24 common frames omitted\n", "\n", "\r\n",
        "W/System.err:     at com.android.org.conscrypt.TrustManagerImpl.checkTrusted(TrustManagerImpl.java:318)\n",
        "W/System.err: at com.android.org.conscrypt.NativeSsl.doHandshake(Unknown Source:12)\n",
        "11-22 10:00:00.000  1234  5678 W System.err: \tat java.lang.reflect.Method.invoke(Native Method)\n",
        "at kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:106)\n",
        "\tSuppressed: java.lang.Exception: x\n", "\tat x(Y.java:1)\\n\\tat z\n", "\t... suppressed 22 lines\n",
        "\t... 22 frames truncated\n", "[error] at scala.concurrent.Future.$anonfun$map(Future.scala:292)\n",
        "[error] at a.b$c.invoke(d.clj:3)\n", "[error] ... 3 more\n",
    ])
    func causesOfOneTrace(frame: String) throws {
        let start = "javax.net.ssl.SSLHandshakeException: PKIX path building failed: x\n"
        let end = "Caused by: sun.security.validator.ValidatorException: PKIX path building failed: x\n"
        for count in [1, 200] {
            let frames = String(repeating: frame, count: count)
            let log = FailureLog(Array((start + frames + end + frames + end).utf8))
            #expect(log.failures.map(\.count) == [1], "\(log.failures)")
        }
        let expired = "Caused by: java.security.cert.CertificateExpiredException: NotAfter: Mon\n"
        #expect(failures(in: start + frame + end + frame + expired).map(\.kind) == [.expired])
    }

    /// A line of another program in a trace of logcat.
    @Test func anotherLineInATraceOfLogcat() {
        let tag = "11-23 10:00:00.000 W/System.err( 100): "
        let text = "Trust anchor for certification path not found."
        let trace =
            "\(tag)javax.net.ssl.SSLHandshakeException: \(text)\n\(tag)\tat a.b(C.java:1)\n11-23 10:00:00.001 D/Wifi    ( 200): scan done\n"
            + "\(tag)\tat a.b(C.java:2)\n\(tag)Caused by: java.security.cert.CertificateException: \(text)\n"
        for count in [1, 2] {
            let log = FailureLog(Array(String(repeating: trace, count: count).utf8))
            #expect(log.failures.map(\.count) == [count], "\(log.failures)")
        }
    }

    /// A log with a whole trace in each line.
    @Test func aTraceInALine() {
        let trace = "PKIX path building failed: x\tat a.B.c(D.java:1)\tCaused by: "
        let found = failures(
            in:
                "https://a.example \(trace)x\nhttps://b.example \(trace)java.security.cert.CertificateExpiredException: x\n"
        )
        #expect(
            found.map(\.host) == ["a.example", "b.example"] && found.map(\.kind) == [.untrusted, .expired], "\(found)")
    }

    /// A trace in a string of JSON is one line.
    @Test func aTraceInJSON() {
        let line =
            #"{"stack_trace":"javax.net.ssl.SSLHandshakeException: PKIX path building failed: x\nword\nCaused by: PKIX path building failed"}"#
        let log = FailureLog(Array("\(line)\n\(line)\n".utf8))
        #expect(log.failures.map(\.count) == [2])
    }
}
