internal import Encodings

/// The error of curl, or of a program that uses libcurl, in a line:
///
///     curl: (60) TEXT                                         src/tool_operate.c
///     cURL error 60: TEXT                                     Guzzle: CurlFactory.php
///     curl error 60 while downloading URL: TEXT               Composer: CurlDownloader.php
///     fatal: unable to access 'URL': TEXT                     git: remote-curl.c
///     (60, 'TEXT')                                            PycURL
struct CurlError {
    /// The words of the program before the text.
    let prefix: String
    /// Nil for git.
    let code: Int?
    let text: String
    /// The host of the URL that is a part of the message.
    let url: (host: String, port: Int?)?

    private static let (git, composer, pycurl) = ("unable to access '", "curl error ", "pycurl.error: (")
    private static let codes: [(prefix: String, code: Int)] = ["curl: (", "cURL error "].flatMap { start in
        [35, 51, 60, 77, 90].map { ("\(start)\($0)" + (start.ends(with: "(") ? ") " : ": "), $0) }
    }

    /// Whether a line contains the start of an error.
    static func isPossible(in line: LogLine) -> Bool { CurlError(line) != nil }

    init?(_ line: LogLine) {
        guard
            line.contains("curl: (") || line.contains("cURL error ") || line.contains(Self.git)
                || line.contains(Self.composer) || line.contains(Self.pycurl)
        else { return nil }
        for (prefix, code) in Self.codes where line.announces(prefix) {
            guard let text = line.text(after: prefix) else { continue }
            (self.prefix, self.code, self.text, url) = (prefix, code, text, nil)
            return
        }
        if line.announces(Self.pycurl), let code = line.text(after: Self.pycurl, upTo: ",").flatMap({ Int($0) }),
            let start = line.firstIndex(of: Self.pycurl).flatMap({ line.firstIndex(of: ", ", from: $0) })
        {
            // Python quotes the text with the mark that it does not contain.
            let quoted = line.bytes[(start + 2)...].trimmed.dropLast(2).dropFirst()
            (prefix, self.code, text, url) = ("(\(code)) ", code, String(decoding: quoted, as: UTF8.self), nil)
            return
        }
        for (start, separator) in [(Self.git, "': "), (Self.composer, ": ")] where line.announces(start) {
            guard let found = line.firstIndex(of: start), let end = line.firstIndex(of: separator, from: found),
                line.announces(separator)
            else { continue }
            let rest = line.bytes[(found + start.utf8.count)..<end]
            let text = String(decoding: line.bytes[(end + separator.utf8.count)...].trimmed, as: UTF8.self)
            let before = LogLine(number: line.number, bytes: rest)
            guard let url = HostSearch.url(in: before), CurlReason.isAboutCertificates(text) else { continue }
            let code = String(decoding: rest.prefix(while: \.isDigit), as: UTF8.self)
            self.prefix = String(decoding: line.bytes[found..<end], as: UTF8.self) + separator
            (self.code, self.text, self.url) = (Int(code), text, url)
            return
        }
        return nil
    }
}

/// The texts of curl's errors about certificates. They are in lib/vtls of curl: openssl.c, gtls.c, wolfssl.c, mbedtls.c, schannel.c,
/// schannel_verify.c, rustls.c and, up to 8.14, sectransp.c. The reasons of OpenSSL are in its crypto/x509/x509_txt.c, those of rustls in
/// rustls/src/error/mod.rs, and those of Mbed TLS in its library/x509_crt.c.
enum CurlReason {
    /// What is before and after the host in a text about names that contains no name of the certificate.
    static let hostsWithoutName = [
        ("common name do not match \"", "\""), ("failed to match connection hostname (", ")"),
        ("certificate did not match \"", "\""), ("certificate not valid for name \"", "\""),
    ]

    private static let mismatches = [
        "subject name", "SEC_E_WRONG_PRINCIPAL", "BADCERT_CN_MISMATCH", "does not match with the expected CN",
        "NotValidForName",
    ]
    private static let expirations = [
        "has expired", "SEC_E_CERT_EXPIRED", "BADCERT_EXPIRED", "had an expired certificate", "certificate expired",
        "ExpiredContext",
    ]
    private static let starts = [
        "not yet valid", "not valid yet", "BADCERT_FUTURE", "validity starts in the future", "NotValidYet",
    ]

    /// What the program found; nil for another error.
    static func kind(_ text: String, code: Int?) -> ConnectionFailure.Kind? {
        switch code {
        case 90?: return .pinMismatch
        // Schannel reports an expired certificate as a failed handshake, and wolfSSL a missing CA as a file of CAs.
        case 35?
        where !text.has("SEC_E_CERT_EXPIRED") && !text.has("SEC_E_UNTRUSTED_ROOT") && !text.has("SEC_E_WRONG_PRINCIPAL"):
            return nil
        case 77? where !text.has("CA signer not available"): return nil
        case 35?, 51?, 60?, 77?, nil: break
        default: return nil
        }
        if code == nil, text.has("does not match pinned public key") { return .pinMismatch }
        // The other words can be a part of the name.
        if hostsWithoutName.contains(where: { text.has($0.0) }) || mismatches.contains(where: text.has) {
            return .nameMismatch
        }
        if expirations.contains(where: text.has) { return .expired }
        if starts.contains(where: text.has) { return .notYetValid }
        return .untrusted
    }

    /// Whether the text of an error without a number is about certificates.
    static func isAboutCertificates(_ text: String) -> Bool {
        [
            "SSL: certificate ", "SSL: no alternative ", "SSL certificate ", "SSL: public key does not match",
            "server certificate verification failed", "server verification failed", "schannel: ",
        ].contains { text.begins(with: $0) }
    }
}
