internal import Encodings

/// The places of a log with names of certificates. An interceptor chooses these names, so no words in them are a message, and no URL in
/// them is the host.
extension LogLine {
    /// What programs write before a name, in their exact words, because other logs contain shorter ones:
    /// - URLSession and Java's HostnameVerifier,
    /// - `curl --verbose`, whose TLS libraries differ in the spaces, and dumps of certificates,
    /// - the errors of curl with OpenSSL and GnuTLS,
    /// - curl with Secure Transport (sectransp.c), Schannel (schannel.c, schannel_verify.c) and Apple SecTrust (apple.c),
    /// - curl with Mbed TLS (`mbedtls_x509_crt_info` in its x509_crt.c),
    /// - TrustKit for Apple's systems, and the system's reason with the name in TrustKit, Alamofire and rustls-platform-verifier,
    /// - Go's crypto/x509 (verify.go, constraints.go, parser.go),
    /// - Go on macOS (root_darwin.go), also in JSON that consists of ASCII. The word `x509` is not a part of the text, so that it is
    ///   before the name,
    /// - Node.js: its message, and the object of the certificate in JSON. ``LogText`` finds an object over several lines,
    /// - rustls, Apache HttpClient for Java, Envoy, GNU Wget,
    /// - Java (CertPathConstraintsParameters, UntrustedChecker and PKIXValidator) and Android's Conscrypt (TrustManagerImpl),
    /// - Java with `javax.net.debug` (SSLLogger and the names of sun.security.x509),
    /// - Python up to 3.6 and urllib3 (`match_hostname`), PHP (xp_ssl.c), nginx with `error_log … debug` (ngx_event_openssl.c),
    /// - gnutls-cli (`print_oneline` in lib/x509/output.c). ``OpenSSLClientNames`` finds those of `openssl s_client`,
    /// - Postfix, Exim and Dovecot, as ``PostfixMessage``, ``EximMessage`` and ``DovecotMessage`` document.
    private static let starts: [[UInt8]] = [
        "<cert(", " DN: ", "subjectAltNames: [",
        "subject: ", "issuer: ", "subjectAltName: ", "common name: ", "Subject: ", "Issuer: ",
        "certificate subject name '", "certificate subject name (",
        "Server certificate: ", "certificate hostname (", "against certificate name (", "not match certificate name (",
        "Apple SecTrust failure ",
        "subject name      : ", "issuer name       : ", "subject alt name  : ", "dNSName : ", "rfc822Name : ",
        "uniformResourceIdentifier : ",
        "Checking certificate with CN: ", "default SSL validation failed for ",
        "SecTrust evaluation failed with error: ", "trustEvaluationFailed(error: ",
        "Domain=NSOSStatusErrorDomain Code=-67", "Other(OtherError(",
        "certificate is valid for ", "authority (possibly because of ", "candidate authority certificate ",
        "authorized to sign for this name: ", "x509: cannot parse ", "x509: failed to parse ", "error: URI SAN ",
        "509: “", "509: \\u201c", "is not yet valid: “", "is not yet valid: \\u201c",
        "the cert's altnames: ", "the cert's list: ", "is not cert's CN: ", "subjectaltname: ",
        "\"subject\":{", "\"subject\\\":{", "\"issuer\":{", "\"subjectaltname\":",
        "certificate is only valid for ", ", presented: [", "of the subject alternative names: [",
        "common name of the certificate subject: ",
        "ertificate SANs: [", "ertificate SANs are [", "certificate, issued by ‘", "certificate, issued by '",
        "certificate common name ‘", "certificate common name '",
        " used with certificate: ", "Untrusted certificate: ", "TrustAnchor with subject \"",
        "Unacceptable certificate: ",
        "\"subject\"            : \"", "\"issuer\"             : \"", "DNSName: ", "URIName: ",
        "' doesn't match either of ", "' doesn't match '", "' doesn't match \"", "Peer certificate CN=`",
        ", subject:\"", "SSL commonName: \"", " - subject `",
        "untrusted issuer /", "SSL verify error: depth=", "SSL verify error: certificate name mismatch: DN=",
        "Received invalid SSL certificate: ",
    ].map { Array($0.utf8) }
    /// OkHttp writes this text, 44 characters of base64, a colon and the name.
    private static let pin = Array("sha256/".utf8)

    /// The texts by their first two bytes: for each two bytes, with the first one in the high bits, the index of a group. The first group
    /// is empty.
    private static let groups: (indices: [UInt8], texts: [[[UInt8]]]) = {
        var indices = [UInt8](repeating: 0, count: 1 << 16)
        var texts: [[[UInt8]]] = [[]]
        for text in starts + [pin] {
            guard let first = text.first, let second = text.dropFirst().first else { continue }
            let pair = Int(first) << 8 | Int(second)
            if indices[pair] == 0, let index = UInt8(exactly: texts.count) {
                indices[pair] = index
                texts.append([])
            }
            texts[Int(indices[pair])].append(text)
        }
        return (indices, texts)
    }()

    /// The index of the first name in some bytes.
    static func firstName(in bytes: ArraySlice<UInt8>) -> Int? {
        if let start = OpenSSLClientNames.start(in: bytes) { return start }
        let (indices, texts) = groups
        let span = bytes.span
        var pair = 0
        var pins = 0
        var index = 0
        while index < span.count {
            pair = (pair & 0xFF) << 8 | Int(span[index])
            index += 1
            let group = indices[pair]
            guard group != 0 else { continue }
            let start = bytes.startIndex + index - 2
            let rest = bytes[start...]
            for text in texts[Int(group)] where rest.starts(with: text) {
                guard text == pin else { return start }
                pins += 1
                if pins <= 100, rest.dropFirst(51).first == UInt8(ascii: ":") { return start }
            }
        }
        return nil
    }

    var containsName: Bool { nameStart != nil }

    /// The part of the line before the first name, or the whole line.
    var beforeName: LogLine {
        LogLine(number: number, bytes: bytes[..<(nameStart ?? bytes.endIndex)])
    }

    /// Whether the line contains a part of a message before the first name.
    func announces(_ text: String) -> Bool {
        guard let nameStart else { return contains(text) }
        let end = min(bytes.endIndex, nameStart + text.utf8.count - 1)
        return LogLine(number: number, bytes: bytes[..<max(bytes.startIndex, end)]).contains(text)
    }
}
