import Testing

@testable import ConnectionFailures
@testable import Pinning

/// The messages of mail servers. Those of Exim with GnuTLS and of Dovecot are of Exim 4.96 and Dovecot 2.3.19 of Debian 12 and a server with
/// a wrong certificate (`exim4 -C CONFIG -odf USER`, `doveadm -c CONFIG mailbox status messages INBOX` with `imapc_host`); the others are the
/// format strings of the sources that the readers name.
@Suite struct MailServerTests {
    private static let peer = "mail.example.com[192.0.2.1]:25"

    /// The texts are those of src/tls/tls_verify.c, and the reasons after a number those of OpenSSL.
    @Test(
        arguments: [
            ("certificate verification failed for \(peer): untrusted issuer /O=CA/CN=Root", .untrusted),
            ("certificate verification failed for \(peer): self-signed certificate", .untrusted),
            ("certificate verification failed for \(peer): not trusted by local or TLSA policy", .untrusted),
            ("server certificate verification failed for \(peer): num=62:hostname mismatch", .nameMismatch),
            ("server certificate verification failed for \(peer): num=65:no matching DANE TLSA records", .pinMismatch),
            // The errors of issuers are not in the message.
            ("server certificate verification failed for \(peer): certificate has expired", .untrusted),
            ("CA certificate verification failed for \(peer): certificate not yet valid", .untrusted),
        ] as [(String, ConnectionFailure.Kind)])
    func verificationsOfPostfix(text: String, kind: ConnectionFailure.Kind) throws {
        for start in ["Nov 24 10:00:00 mx postfix/smtp[731]: ", "posttls-finger: ", "mx postfix-out/relay/smtp[1]: "] {
            let failure = try onlyFailure(in: start + text + "\n")
            #expect(failure.source == .postfix && failure.kind == kind && failure.message == text, "\(failure)")
            #expect(failure.host == "mail.example.com" && failure.port == 25 && failure.scheme == .smtp)
            #expect(failure.hostLine == nil)
        }
        // A certificate of a client.
        #expect(failures(in: "Nov 24 10:00:00 mx postfix/smtpd[731]: \(text)\n").isEmpty)
    }

    private static let result =
        "mx postfix/smtp[7]: 4AE5: to=<u@example.com>, relay=RELAY, delay=1, dsn=4.7.5, status=deferred (Server certificate not verified)\n"

    @Test func resultsOfPostfix() throws {
        let result = Self.result.replacing("RELAY", with: Self.peer)
        let reason = "mx postfix/smtp[7]: certificate verification failed for \(Self.peer): self-signed certificate\n"
        #expect(try onlyFailure(in: result).kind == .untrusted)
        let both = FailureLog(Array((reason + result + result).utf8)).failures
        #expect(both.map(\.count) == [1] && both.first?.failure.message.hasSuffix("self-signed certificate") == true)
        let other = failures(in: reason + Self.result.replacing("RELAY", with: "b.example[2001:db8::1]:465"))
        #expect(other.map(\.host) == ["mail.example.com", "b.example"] && other.last?.scheme == .smtps)
        let lmtp = Self.result.replacing("RELAY", with: "b.example[192.0.2.2]:24").replacing("/smtp[", with: "/lmtp[")
        #expect(try onlyFailure(in: lmtp).scheme == .lmtp)
    }

    /// The text of a server, the name of a certificate, and the subject of a message.
    @Test(arguments: [
        "mx postfix/smtp[7]: 4AE5: to=<u@b>, relay=PEER, status=deferred (host PEER said: 450 certificate verification failed for"
            + " evil.example[192.0.2.9]:25: certificate has expired (in reply to RCPT TO command))",
        "mx postfix/smtp[7]: 4AE5: to=<u@b>, relay=PEER, status=deferred (host PEER said: 450 status=deferred (Server certificate not verified))",
        "1xVe-0 == u@b R=r T=t defer (-44) H=b.example [192.0.2.1]: SMTP error from remote mail server after RCPT TO:<u@b>: 450 H=x [192.0.2.9]:"
            + " TLS session: (certificate verification failed): certificate invalid",
        "1xVe-0 <= u@b H=b.example [192.0.2.1] P=esmtp S=1 T=\" H=x [192.0.2.9]: TLS session: (certificate verification failed): x\"",
    ])
    func textsOfOthers(line: String) {
        #expect(failures(in: line.replacing("PEER", with: Self.peer) + "\n").isEmpty)
    }

    /// A name contains the message of another program.
    @Test(arguments: [
        "mx postfix/smtp[7]: certificate verification failed for PEER: untrusted issuer /O=TEXT",
        "[192.0.2.1] SSL verify error: depth=0 error=self-signed certificate cert=/O=TEXT",
        "[192.0.2.1] SSL verify error: certificate name mismatch: DN=\"/O=TEXT\" H=\"b.example\"",
        "imapc(b.example:993): SSL handshake failed: Received invalid SSL certificate: self-signed certificate: /O=TEXT (check"
            + " ssl_client_ca_* settings?)",
    ])
    func namesOfCertificates(line: String) throws {
        let start = line.replacing("PEER", with: Self.peer)
        let kind = try onlyFailure(in: start + "\n").kind
        for text in [
            "x509: certificate has expired or is not yet valid",
            "curl: (60) SSL certificate problem: certificate has expired",
            "imapc(evil.example:1): SSL handshake failed: Received invalid SSL certificate: certificate has expired: ",
        ] {
            let failure = try onlyFailure(in: start.replacing("TEXT", with: text) + "\n")
            #expect(failure.kind == kind && failure.host != "evil.example", "\(failure)")
        }
    }

    /// Messages of each program.
    static let log =
        "a/smtp[7]: certificate verification failed for \(peer): self-signed certificate\n"
        + result.replacing("RELAY", with: peer)
        + "x == u@b R=r T=t defer (-37) H=b.example [192.0.2.1]:25: \(invalid): certificate invalid\n[192.0.2.1] SSL verify error: depth=0"
        + " error=certificate has expired cert=/CN=x\n" + dovecot

    private static let invalid = "TLS session: (certificate verification failed)"

    @Test(
        arguments: [
            (
                "2026-11-24 00:17:08 1xVeDc-0001x2-1J == b@mail.test R=r T=t defer (-37) H=mail.test [127.0.0.1]:18601 I=[127.0.0.1]:43158"
                    + " DT=0.003s: \(invalid): certificate invalid",
                .untrusted, 18601
            ),
            (
                "2026-11-24 00:17:09 1xVeDd-0001xJ-06 == b@mail.test R=r T=t defer (-37) H=mail.test [127.0.0.1]: \(invalid)",
                .nameMismatch, nil
            ),
            (
                "2026-11-24 00:19:48 1xVeGC-000406-21 \(invalid): certificate invalid: delivering unencrypted to H=mail.test [127.0.0.1] (not"
                    + " in hosts_require_tls)",
                .untrusted, nil
            ),
            (
                "2026-11-24 00:19:49 1xVeGD-00041l-1P \(invalid): delivering unencrypted to H=mail.test [127.0.0.1] (not in hosts_require_tls)",
                .nameMismatch, nil
            ),
            (
                "1xVe-0 == b@mail.test R=r T=t defer (-37) H=mail.test [127.0.0.1]: \(invalid): Verification failed. The certificate differs. ",
                .pinMismatch, nil
            ),
        ] as [(String, ConnectionFailure.Kind, Int?)])
    func eximWithGnuTLS(line: String, kind: ConnectionFailure.Kind, port: Int?) throws {
        let failure = try onlyFailure(in: line + "\n")
        #expect(failure.source == .exim && failure.kind == kind && failure.port == port, "\(failure)")
        #expect(failure.host == "mail.test" && failure.scheme == .smtp)
    }

    /// src/tls-openssl.c. OpenSSL reports each error of a certificate that is optional.
    @Test func eximWithOpenSSL() throws {
        let expired = "1xVe-0 [192.0.2.1] SSL verify error: depth=0 error=certificate has expired cert=/CN=mail.test\n"
        let untrusted =
            "1xVe-0 [192.0.2.1] SSL verify error: depth=0 error=self-signed certificate cert=/CN=mail.test\n"
        let result =
            "1xVe-0 == u@b R=r T=t defer (-37) H=mail.test [192.0.2.1]: TLS session: (SSL_connect): error:0A000086:SSL"
            + " routines::certificate verify failed\n"
        for (log, kind) in [(expired, .expired), (expired + untrusted, .untrusted), (untrusted + expired, .untrusted)]
            as [(String, ConnectionFailure.Kind)]
        {
            let failure = try onlyFailure(in: log + result)
            #expect(failure.kind == kind && failure.host == "mail.test" && failure.scheme == .smtp, "\(failure)")
            #expect(try onlyFailure(in: log).host == nil)
        }
        #expect(try onlyFailure(in: result).kind == .untrusted)
        let mismatch = "1xVe-0 [192.0.2.1] SSL verify error: certificate name mismatch: DN=\"/CN=x\" H=\"mail.test\"\n"
        #expect(try onlyFailure(in: mismatch + result).kind == .nameMismatch)
    }

    private static let reason =
        "Received invalid SSL certificate: REASON: /CN=mail.test (check ssl_client_ca_* settings?)"
    private static let dovecot = """
        doveadm(anna)<14657><A18r>: Info: imapc(127.0.0.1:18602): Connected to 127.0.0.1:18602 (local 127.0.0.1:34390)
        doveadm(anna)<14657><A18r>: Info: \(reason)
        doveadm(anna)<14657><A18r>: Warning: imapc(127.0.0.1:18602): Server disconnected unexpectedly: \(reason) - reconnecting (delay 0 ms)
        doveadm(anna)<14657><A18r>: Info: imapc(127.0.0.1:18602): Connected to 127.0.0.1:18602 (local 127.0.0.1:34406)
        doveadm(anna)<14657><A18r>: Info: \(reason)
        doveadm(anna)<14657><A18r>: Error: imapc(127.0.0.1:18602): SSL handshake failed: \(reason)

        """

    @Test(
        arguments: [
            ("certificate has expired", .expired), ("self-signed certificate", .untrusted),
            ("self-signed certificate in certificate chain", .untrusted),
        ] as [(String, ConnectionFailure.Kind)])
    func dovecotAsAClient(reason: String, kind: ConnectionFailure.Kind) throws {
        let log = FailureLog(Array(Self.dovecot.replacing("REASON", with: reason).utf8))
        #expect(log.failures.map(\.count) == [2])
        let failure = try #require(log.failures.first).failure
        #expect(failure.source == .dovecot && failure.kind == kind && failure.host == "127.0.0.1", "\(failure)")
        #expect(failure.port == 18602 && failure.message == "invalid SSL certificate: \(reason)")
        // Without the error, Dovecot went on.
        let alone = try onlyFailure(in: "Info: " + Self.reason.replacing("REASON", with: reason) + "\n")
        #expect(alone.kind == .untrusted && alone.host == nil)
        let ofClient = Self.reason.replacing("ssl_client_ca_*", with: "ssl_ca")
        #expect(failures(in: "imap-login: Info: \(ofClient)\n").isEmpty)
        // The text of a server.
        let said =
            "Error: imapc(b.example:993): Server disconnected with message: SSL handshake failed: \(Self.reason)\n"
        #expect(try onlyFailure(in: said).host == nil)
    }

    /// src/lib-ssl-iostream/iostream-ssl.c.
    @Test func aNameForDovecot() throws {
        let text = "SSL certificate doesn't match expected host name b.example: did not match to any IP or DNS fields"
        for (start, port, scheme) in [
            ("", nil, nil), ("imapc(b.example:143): SSL handshake failed: ", 143, .imap),
            ("pop3c(b.example): Server disconnected: ", nil, .pop3s),
        ] as [(String, Int?, TargetScheme?)] {
            let failure = try onlyFailure(in: "Error: \(start)\(text)\n")
            #expect(
                failure.source == .dovecot && failure.kind == .nameMismatch && failure.host == "b.example", "\(failure)"
            )
            #expect(failure.port == port && failure.scheme == scheme)
        }
    }
}
