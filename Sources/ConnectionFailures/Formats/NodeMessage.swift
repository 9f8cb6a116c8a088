internal import Encodings

/// The errors of Node.js: the codes of `X509ErrorCode` in src/crypto/crypto_common.cc (since Node 24 in deps/ncrypto) with a key, as
/// `console.error`, JSON and npm write them, and the text of ERR_TLS_CERT_ALTNAME_INVALID (`checkServerIdentity` in lib/tls.js).
enum NodeMessage {
    private static let mismatch = "Hostname/IP does not match certificate's altnames: "
    private static let codes: [(code: String, kind: ConnectionFailure.Kind)] = [
        ("CERT_HAS_EXPIRED", .expired), ("CERT_NOT_YET_VALID", .notYetValid),
        ("UNABLE_TO_GET_ISSUER_CERT_LOCALLY", .untrusted), ("UNABLE_TO_GET_ISSUER_CERT", .untrusted),
        ("UNABLE_TO_VERIFY_LEAF_SIGNATURE", .untrusted), ("DEPTH_ZERO_SELF_SIGNED_CERT", .untrusted),
        ("SELF_SIGNED_CERT_IN_CHAIN", .untrusted), ("CERT_UNTRUSTED", .untrusted), ("CERT_REJECTED", .untrusted),
        ("CERT_SIGNATURE_FAILURE", .untrusted), ("CERT_REVOKED", .untrusted), ("CERT_CHAIN_TOO_LONG", .untrusted),
    ]
    /// What is before a code.
    private static let keys = ["code: '", "\"code\":\"", "\"code\": \"", "code "]
    private static let hosts = [" host: '", "\"host\":\"", "\"host\": \""]
    /// Maximum number of lines of a stack trace before the members of an error.
    private static let maximumTrace = 60

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if line.announces(mismatch) {
            let text = line.part(from: mismatch)
            var failure = ConnectionFailure(
                .node, .nameMismatch, line, message: mismatch + (text.text(after: mismatch, upTo: "\"") ?? ""))
            // The names of the certificate are after the host.
            failure.host =
                text.host(after: "\(mismatch)Host: ", upTo: " ") ?? text.text(after: "\(mismatch)IP: ", upTo: " ")
                ?? host(after: index, in: log)
            failure.certificateNames = names(in: text)
            failure.findHost(near: index, in: log)
            return failure
        }
        guard line.contains("code"), let (code, kind) = code(in: line) else { return nil }
        var failure = ConnectionFailure(.node, kind, line, message: code)
        failure.findHost(near: index, in: log)
        return failure
    }

    /// The DNS names of the certificate: "DNS:a.example, DNS:b.example".
    private static func names(in line: LogLine) -> String? {
        guard let list = line.text(after: "is not in the cert's altnames: ", upTo: "\"'\\") else { return nil }
        let names = list.parts(separatedByBytes: ", ").compactMap { $0.without(prefix: "DNS:")?.before(anyOf: " ") }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The member `host` of an error, which is before the certificate.
    private static func host(after index: Int, in log: LogText) -> String? {
        for line in log.lines.dropFirst(index).prefix(maximumTrace) {
            if let key = hosts.first(where: line.announces) { return line.host(after: key, upTo: "'\"") }
            if line.containsName { return nil }
        }
        return nil
    }

    private static func code(in line: LogLine) -> (code: String, kind: ConnectionFailure.Kind)? {
        // npm writes no quotation marks.
        for key in keys where key != "code " || line.announces("npm ") {
            guard line.announces(key), let word = line.text(after: key, upTo: " '\",") else { continue }
            if let found = codes.first(where: { $0.code == word }) { return found }
        }
        return nil
    }
}
