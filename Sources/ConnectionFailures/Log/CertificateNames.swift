internal import Encodings

/// The places of a log with names of certificates. An interceptor chooses these names, so no words in them are a message, and no URL in
/// them is the host.
extension LogLine {
    /// What programs write before a name, in their exact words, because other logs contain shorter ones:
    /// - URLSession and Java's HostnameVerifier,
    /// - `curl --verbose`, whose TLS libraries differ in the spaces, and dumps of certificates,
    /// - the errors of curl with OpenSSL and GnuTLS,
    /// - TrustKit for Apple's systems, and the system's reason with the name in TrustKit, Alamofire and rustls-platform-verifier,
    /// - Go's crypto/x509,
    /// - Node.js: its message, and the object of the certificate in JSON. ``LogText`` finds an object over several lines,
    /// - rustls, Apache HttpClient for Java, Envoy, GNU Wget.
    private static let starts: [[UInt8]] = [
        "<cert(", " DN: ", "subjectAltNames: [",
        "subject: ", "issuer: ", "subjectAltName: ", "common name: ", "Subject: ", "Issuer: ",
        "certificate subject name '", "certificate subject name (",
        "Checking certificate with CN: ", "default SSL validation failed for ",
        "SecTrust evaluation failed with error: ", "Other(OtherError(",
        "certificate is valid for ",
        "the cert's altnames: ", "the cert's list: ", "is not cert's CN: ", "subjectaltname: ",
        "\"subject\":{", "\"subject\\\":{", "\"issuer\":{", "\"subjectaltname\":",
        "certificate is only valid for ", ", presented: [", "of the subject alternative names: [",
        "common name of the certificate subject: ",
        "ertificate SANs: [", "ertificate SANs are [", "certificate, issued by ‘", "certificate, issued by '",
        "certificate common name ‘", "certificate common name '",
    ].map { Array($0.utf8) }
    /// OkHttp writes this text, 44 characters of base64, a colon and the name.
    private static let pin = Array("sha256/".utf8)

    /// Whether one of the texts begins with two bytes, the first one in the high bits.
    private static let pairs: [Bool] = {
        var pairs = [Bool](repeating: false, count: 1 << 16)
        for text in starts + [pin] {
            if let first = text.first, let second = text.dropFirst().first {
                pairs[Int(first) << 8 | Int(second)] = true
            }
        }
        return pairs
    }()

    /// The index of the first name in some bytes.
    static func firstName(in bytes: ArraySlice<UInt8>) -> Int? {
        let pairs = pairs
        let span = bytes.span
        var pair = 0
        var pins = 0
        var index = 0
        while index < span.count {
            pair = (pair & 0xFF) << 8 | Int(span[index])
            index += 1
            guard pairs[pair] else { continue }
            let start = bytes.startIndex + index - 2
            let rest = bytes[start...]
            if starts.contains(where: rest.starts) { return start }
            if pins < 100, rest.starts(with: pin) {
                pins += 1
                if rest.dropFirst(51).first == UInt8(ascii: ":") { return start }
            }
        }
        return nil
    }

    var containsName: Bool { nameStart != nil }

    /// Whether the line contains a part of a message before the first name.
    func announces(_ text: String) -> Bool {
        guard let nameStart else { return contains(text) }
        let end = min(bytes.endIndex, nameStart + text.utf8.count - 1)
        return LogLine(number: number, bytes: bytes[..<max(bytes.startIndex, end)]).contains(text)
    }
}
