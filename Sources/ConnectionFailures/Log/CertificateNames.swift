internal import Encodings

/// The places of a log with names of certificates. An interceptor chooses these names, so no words in them are a message, and no URL in
/// them is the host.
extension LogLine {
    /// What programs write before a name:
    /// - URLSession and Java's HostnameVerifier,
    /// - `curl --verbose`, whose TLS libraries differ in the spaces, and dumps of certificates,
    /// - the errors of curl with OpenSSL and GnuTLS,
    /// - TrustKit for Apple's systems,
    /// - Go's crypto/x509,
    /// - Node.js: its message, the object of the certificate, and the same in JSON,
    /// - rustls, Apache HttpClient for Java, Envoy, GNU Wget.
    private static let starts = [
        "<cert(", " DN: ", "subjectAltNames: [",
        "subject: ", "issuer: ", "subjectAltName: ", "common name: ", "Subject: ", "Issuer: ",
        "certificate subject name '", "certificate subject name (",
        "Checking certificate with CN: ",
        "certificate is valid for ",
        "the cert's altnames: ", "the cert's list: ", "is not cert's CN: ", "CN: '", " O: '", "OU: '",
        "subjectaltname: ",
        "\"CN\":\"", "\"O\":\"", "\"OU\":\"", "\"subjectaltname\":",
        "is only valid for ", "presented: [", "subject alternative names: [",
        "common name of the certificate subject: ",
        "ertificate SANs: [", "ertificate SANs are [", "issued by ‘", "issued by '", "common name ‘", "common name '",
    ]

    /// The index of the first name in the line.
    private var nameStart: Int? {
        var found = Self.starts.compactMap { firstIndex(of: $0) }
        // OkHttp writes "sha256/", 44 characters of base64, a colon and the name.
        found += indices(of: "sha256/", atMost: 100).filter { start in
            start + 51 < bytes.endIndex && bytes[start + 51] == UInt8(ascii: ":")
        }.prefix(1)
        return found.min()
    }

    var containsName: Bool { nameStart != nil }

    /// Whether the line contains a part of a message before the first name.
    func announces(_ text: String) -> Bool {
        guard let index = firstIndex(of: text) else { return false }
        return nameStart.map { index < $0 } ?? true
    }
}
