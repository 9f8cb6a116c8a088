import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Pinning

/// Logs without names that contain messages, which keep their conclusion.
@Suite struct UsualLogTests {
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let other = "qBRjZmOmkSNJL0p70zek7odSIzqs/muR4Jk9xYyCP+E="

    private func only(_ log: String) throws -> ConnectionFailure {
        let found = FailureLog(Array(log.utf8)).failures
        #expect(found.count == 1, "\(found)")
        let failure = try #require(found.first).failure
        #expect(!failure.hasRepeatedParts && failure.hostLine == nil, "\(failure)")
        return failure
    }

    @Test func textAfterAMessageOfGo() throws {
        let log = #"level=error msg="x509: certificate is valid for a.example, not b.example" hint="retry, not fatal""#
        #expect(try only(log).host == "b.example")
        #expect(
            try only("x509: certificate is valid for 10.0.0.1, not 10.0.0.2;\nwarning, not fatal\n").host == "10.0.0.2")
        #expect(try only("x509: certificate is valid for 10.0.0.1, not 10.0.0.2, not retrying").host == nil)
    }

    /// Guzzle adds the URL, and Laravel writes the message twice.
    @Test func curlInPHP() throws {
        let see = "(see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://localhost/"
        let message =
            "cURL error 60: SSL: no alternative certificate subject name matches target host name 'localhost' \(see)"
        #expect(
            try only("local.ERROR: \(message) {\"exception\":\"ConnectException(code: 0): \(message) at x.php:1)").host
                == "localhost")
        let name =
            "cURL error 60: SSL: certificate subject name 'www.wrong.example' does not match target host name 'localhost' \(see)"
        let path = String(repeating: "/v1", count: 100)
        #expect(try only("GET https://metrics.example/\n\(name)\(path)\n").host == "localhost")
    }

    /// curl decodes the host of a URL (RFC 3986, section 3.2.2).
    @Test(arguments: [
        ("ex%61mple.com", "example.com"), ("%65x%2Dmple%2Ecom:8443", "ex-mple.com"), ("ex%2.com", "ex%2.com"),
        ("ex%00.com", "ex%00.com"),
    ]) func percentEncodedHosts(host: String, expected: String) throws {
        let log =
            "+ curl --pinnedpubkey sha256//\(Self.pin) https://\(host)/\ncurl: (90) SSL: public key does not match pinned public key"
        let found = FailureLog(Array(log.utf8)).failures
        #expect(found.map(\.failure.host) == [expected], "\(found)")
    }

    @Test func twoRunsOfCurl() throws {
        let error = "curl: (90) SSL: public key does not match pinned public key"
        let shell = try only(
            """
            + curl --pinnedpubkey sha256//\(Self.pin) https://a.example/
            + curl --pinnedpubkey sha256//\(Self.other) https://localhost:8443/
            \(error)
            """)
        #expect(shell.expected.map(\.base64) == [Self.other] && shell.host == "localhost" && shell.port == 8443)
        let redirect = try only(
            """
            curl -vL https://a.example/
            * Connected to a.example (192.0.2.1) port 443
            *  subject: CN=a.example
            *  issuer: CN=R3
            < HTTP/1.1 301
            * Connected to localhost (127.0.0.1) port 443
            *  subject: CN=www.wrong.example
            *  issuer: CN=R4
            curl: (60) SSL: no alternative certificate subject name matches target host name 'localhost'
            """)
        #expect(redirect.host == "localhost")
        #expect(redirect.seen.map(\.subject) == ["CN=www.wrong.example"])
    }

    /// OkHttp's message without its pins, and lines of the app.
    @Test func aCutMessageOfOkHttp() throws {
        let log = """
            Certificate pinning failure!
              Peer certificate chain:
                sha256/\(Self.other): CN=localhost\n
            """
        let failure = try only(log + String(repeating: "12:00 app: line\n", count: 500))
        #expect(failure.seenPins.count == 1 && failure.expected.isEmpty)
    }

    /// A line of JSON with the message in two members.
    @Test func twoMessagesOfOkHttpInALine() throws {
        let message =
            #"Certificate pinning failure!\n  Peer certificate chain:\n    sha256/\#(Self.other): CN=localhost\n"#
            + #"  Pinned certificates for localhost:\n    sha256/\#(Self.pin)"#
        let log =
            #"{"message":"\#(message)","stack_trace":"javax.net.ssl.SSLPeerUnverifiedException: \#(message)\n\tat x"}"#
        let failure = try only(log)
        #expect(failure.expected.map(\.base64) == [Self.pin] && failure.seen.count == 1)
        #expect(FailureLog(Array(log.utf8)).failures.map(\.count) == [2])
    }

    /// A description without its end, and one with the keys of another request after it.
    @Test func descriptionsOfURLSession() throws {
        let start = "Error Domain=NSURLErrorDomain Code=-1202 \"x\" UserInfo={NSErrorFailingURLKey=https://localhost/, "
        let cut =
            #"NSErrorPeerCertificateChainKey=( "<cert(0x1) s: localhost i: Other Root>", "<cert(0x2) s: Other<…>"#
            + "\n"
        let failure = try only(start + cut + String(repeating: "12:00 app: line\n", count: 100))
        #expect(failure.host == "localhost")
        let other = "retry, userInfo: NSErrorFailingURLKey=https://b.example/ code -1001\n"
        #expect(try only(start + "_kCFStreamErrorCodeKey=-9807}\n" + other).host == "localhost")
    }

    /// The last report is incomplete, or other lines are around the reports.
    @Test(arguments: [
        ("R\n{\"hostname\":\"localhost\",\"know", 1), ("starting\nR\n", 0), ("{\n\"known-pins\":[]}\nR\n", 0),
    ])
    func reportsThatAreNotRead(log: String, count: Int) {
        let report = #"{"hostname":"localhost","known-pins":["\#(Self.pin)"]}"#
        let found = FailureLog(Array(log.replacing("R", with: report).utf8))
        #expect(found.failures.count == count && found.hasUnreadReports)
        #expect(!FailureLog(Array("\(report)\n\(report)\n".utf8)).hasUnreadReports)
    }

    /// Texts of which a log has many, or one long line.
    @Test(
        .notWithSanitizer,
        arguments: [
            "NSURLErrorDomain Code=-5 {\n", "Error Domain=NSURLErrorDomain Code=-1202 {\n", "NSErrorFailingURLKey=",
            "_kCFStreamErrorCodeKey=", "<cert(", ">\" )", "Certificate pinning failure!\n", "sha256/",
            "Peer certificate chain:\n",
            "curl: (60) x\n", "curl --pinnedpubkey x\n", "*  subject: x\n",
            "x509: certificate is valid for x, not y.z ",
            "x509: certificate is valid for x, not y\n", "x509: certificate is valid for x, not y.z\" \n",
            "Caused by: PKIX path building failed\n", "\tat x\n", "authority (possibly ",
            "TrustKit: Error: SSL Pin not found for x\n", "https://a ",
        ])
    func theWorkIsProportionalToTheSize(unit: String) throws {
        let start = "Error Domain=NSURLErrorDomain Code=-1202 {\nx509: certificate is valid for \n"
        func log(_ count: Int) -> [UInt8] { Array((start + String(repeating: unit, count: count)).utf8) }
        // Each message is searched for in a limited number of lines, which a shorter log does not have.
        let (few, many) = (log(200), log(1600))
        let growth = Work.growth {
            _ = FailureLog(few)
        } large: {
            _ = FailureLog(many)
        }
        #expect(growth < 30)
    }
}
