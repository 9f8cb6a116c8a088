internal import Encodings

/// Messages that consist of a fixed text, and in some programs a reason or the host:
///
/// - .NET: `net_ssl_io_cert_…` in System.Net.Security/src/Resources/Strings.resx, with the names of SslPolicyErrors and
///   X509ChainStatusFlags.
/// - Dart and Flutter: `FetchErrorString` in runtime/bin/secure_socket_utils.cc, with the reason of BoringSSL.
/// - Alamofire 5: `localizedDescription` of ServerTrustFailureReason in AFError.swift.
/// - nginx: `ngx_http_upstream_ssl_handshake` in src/http/ngx_http_upstream.c, with the reason of OpenSSL.
/// - Envoy: source/common/tls/cert_validator/default_validator.cc.
/// - GNU Wget with GnuTLS and OpenSSL: `ssl_check_certificate` in src/gnutls.c and src/openssl.c.
enum PlatformMessage {
    private typealias Kind = ConnectionFailure.Kind

    /// A text, and where it contains the host.
    private struct Form {
        let text: String
        let source: ConnectionFailure.Source
        /// Nil if the reason after the text says it.
        var kind: Kind?
        /// What is after the host that follows the text.
        var hostEnd: String?
        /// What must also be in the line after the text.
        var rest: String?
        /// Whether a URL in the line can be that of another request, or of an address.
        var hasOtherURL = false
    }

    /// What the texts contain.
    private static let words = [
        "remote certificate ", "CERTIFICATE_VERIFY_FAILED: ", "Server trust evaluation failed",
        "ServerTrustFailureReason", "upstream SSL certificate ", "verify cert failed: ", "certificate's owner ",
        "The certificate of ", "cannot verify ", "requested host name ",
    ]
    private static let trust = "Server trust evaluation failed due to reason: "
    private static let forms =
        [
            Form(text: "remote certificate is invalid because of errors in the certificate chain: ", source: .dotnet),
            Form(
                text:
                    "remote certificate is invalid according to the validation procedure: RemoteCertificateNameMismatch",
                source: .dotnet, kind: .nameMismatch),
            Form(
                text: "remote certificate is invalid according to the validation procedure", source: .dotnet,
                kind: .untrusted),
            Form(
                text: "remote certificate was rejected by the provided RemoteCertificateValidationCallback",
                source: .dotnet, kind: .cancelled),
            Form(text: "CERTIFICATE_VERIFY_FAILED: ", source: .dart, rest: "(handshake.cc:"),
            Form(
                text: trust + "Public key pinning failed for host ", source: .alamofire, kind: .pinMismatch,
                hostEnd: " "),
            Form(
                text: trust + "Certificate pinning failed for host ", source: .alamofire, kind: .pinMismatch,
                hostEnd: " "),
            Form(
                text: trust + "Host validation failed for host ", source: .alamofire, kind: .nameMismatch, hostEnd: " "),
            Form(
                text: trust + "Default evaluation failed for host ", source: .alamofire, kind: .untrusted, hostEnd: " "),
            Form(text: trust + "SecTrust evaluation failed with error: ", source: .alamofire, kind: .untrusted),
            Form(
                text: "ServerTrustFailureReason.publicKeyPinningFailed(host: \"", source: .alamofire,
                kind: .pinMismatch,
                hostEnd: "\""),
            Form(
                text: "ServerTrustFailureReason.certificatePinningFailed(host: \"", source: .alamofire,
                kind: .pinMismatch,
                hostEnd: "\""),
            Form(text: "upstream SSL certificate verify error: (", source: .nginx, hasOtherURL: true),
            Form(
                text: "upstream SSL certificate does not match \"", source: .nginx, kind: .nameMismatch, hostEnd: "\"",
                hasOtherURL: true),
            Form(text: "verify cert failed: cert hash and spki", source: .envoy, kind: .pinMismatch, hasOtherURL: true),
            Form(text: "verify cert failed: verify SAN list", source: .envoy, kind: .nameMismatch, hasOtherURL: true),
            Form(text: "verify cert failed: SAN matcher", source: .envoy, kind: .nameMismatch, hasOtherURL: true),
            Form(
                text: "verify cert failed: X509_verify_cert: certificate verification error at depth ", source: .envoy,
                hasOtherURL: true),
            Form(
                text: "ERROR: cannot verify ", source: .wget, kind: .untrusted, hostEnd: "'s certificate, issued by",
                rest: "'s certificate, issued by"),
        ] + wget("‘", "’") + wget("'", "'")

    /// The forms of GNU Wget, which quotes by the language.
    private static func wget(_ open: String, _ close: String) -> [Form] {
        let reasons: [(text: String, kind: Kind)] = [
            ("has expired", .expired), ("is not yet activated", .notYetValid),
            ("doesn't have a known issuer", .untrusted),
        ]
        let mismatches = ["The certificate's owner does not match hostname \(open)", "requested host name \(open)"]
        return reasons.map { reason in
            Form(
                text: "The certificate of \(open)", source: .wget, kind: reason.kind, hostEnd: close,
                rest: "\(close) \(reason.text)")
        } + mismatches.map { Form(text: $0, source: .wget, kind: .nameMismatch, hostEnd: close) }
    }

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        guard words.contains(where: line.contains) else { return nil }
        let found = forms.first { form in
            line.announces(form.text) && form.rest.map { line.part(from: form.text).contains($0) } ?? true
        }
        guard let form = found else { return nil }
        let text = line.part(from: form.text)
        var failure = ConnectionFailure(
            form.source, form.kind ?? kind(form.source, text.text(after: form.text) ?? ""), line,
            message: String(decoding: text.bytes.trimmed, as: UTF8.self))
        if let end = form.hostEnd, let host = text.text(after: form.text, ending: end) {
            failure.host = host.ends(with: ".") ? String(host.dropLast()) : host
        }
        failure.findHost(near: index, in: log)
        // The host of the URL in the line is the address of the server, or that of the client's request.
        if form.hasOtherURL, form.hostEnd == nil, failure.hostLine == nil, failure.host != nil {
            failure.hostLine = line.number
        }
        return failure
    }

    /// What a reason after the text says.
    private static func kind(_ source: ConnectionFailure.Source, _ reason: String) -> Kind {
        switch source {
        // The names of X509ChainStatusFlags.
        case .dotnet:
            let flags = reason.before(anyOf: " \"\\<")
            return flags.isSame(as: "NotTimeValid") ? .expired : .untrusted
        // "20:unable to get local issuer certificate" and "0: certificate has expired" have a number before the reason.
        default:
            let words = reason.drop { $0.isNumber || $0 == ":" || $0 == " " }
            return VerificationReason.kind(words)
        }
    }
}

extension LogLine {
    /// The text after the first occurrence of `marker`, up to another text; nil if one of them is absent or nothing is between them.
    fileprivate func text(after marker: String, ending end: String) -> String? {
        guard let index = firstIndex(of: marker) else { return nil }
        let start = index + marker.utf8.count
        let stop = firstIndex(of: end, from: start) ?? bytes.endIndex
        let found = bytes[start..<stop].trimmed
        return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
    }
}
