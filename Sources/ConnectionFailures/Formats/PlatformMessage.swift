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
        /// What can be after the host that follows the text.
        var hostEnds: [String] = []
        /// The text before the host, if the host does not follow ``text``. The last one counts, because a name is before it.
        var hostStart: String?
        /// What must also be in the line after the text.
        var rest: String?
        /// Whether a URL in the line can be that of another request, or of an address.
        var hasOtherURL = false
        /// Whether the program compares whole certificates, and not keys.
        var comparesCertificates = false
    }

    /// What the texts contain.
    private static let words = [
        "remote certificate ", "CERTIFICATE_VERIFY_FAILED: ", "Server trust evaluation failed",
        "ServerTrustFailureReason", "upstream SSL certificate ", "verify cert failed: ", "certificate's owner ",
        "The certificate of ", "cannot verify ", "requested host name ",
    ]
    /// What can follow a sentence with the host at its end.
    private static let ends = [" ", "\"", "'", ")", "\\"]
    private static let trust = "Server trust evaluation failed due to reason: "
    private static let forms =
        [
            Form(text: "remote certificate is invalid because of errors in the certificate chain: ", source: .dotnet),
            Form(text: "remote certificate is invalid according to the validation procedure", source: .dotnet),
            Form(
                text: "remote certificate was rejected by the provided RemoteCertificateValidationCallback",
                source: .dotnet, kind: .cancelled),
            Form(text: "CERTIFICATE_VERIFY_FAILED: ", source: .dart, rest: "(handshake.cc:"),
            Form(
                text: trust + "Public key pinning failed for host ", source: .alamofire, kind: .pinMismatch,
                hostEnds: ends),
            Form(
                text: trust + "Certificate pinning failed for host ", source: .alamofire, kind: .pinMismatch,
                hostEnds: ends, comparesCertificates: true),
            Form(
                text: trust + "Host validation failed for host ", source: .alamofire, kind: .nameMismatch,
                hostEnds: ends),
            Form(
                text: trust + "Default evaluation failed for host ", source: .alamofire, kind: .untrusted,
                hostEnds: ends),
            Form(text: trust + "SecTrust evaluation failed with error: ", source: .alamofire, kind: .untrusted),
            Form(
                text: "ServerTrustFailureReason.publicKeyPinningFailed(host: \"", source: .alamofire,
                kind: .pinMismatch,
                hostEnds: ["\""]),
            Form(
                text: "ServerTrustFailureReason.certificatePinningFailed(host: \"", source: .alamofire,
                kind: .pinMismatch,
                hostEnds: ["\""], comparesCertificates: true),
            Form(text: "upstream SSL certificate verify error: (", source: .nginx, hasOtherURL: true),
            Form(
                text: "upstream SSL certificate does not match \"", source: .nginx, kind: .nameMismatch,
                hostEnds: ["\""],
                hasOtherURL: true),
            Form(text: "verify cert failed: cert hash and spki", source: .envoy, kind: .pinMismatch, hasOtherURL: true),
            Form(text: "verify cert failed: verify SAN list", source: .envoy, kind: .nameMismatch, hasOtherURL: true),
            Form(text: "verify cert failed: SAN matcher", source: .envoy, kind: .nameMismatch, hasOtherURL: true),
            Form(
                text: "verify cert failed: X509_verify_cert: certificate verification error at depth ", source: .envoy,
                hasOtherURL: true),
            Form(
                text: "ERROR: cannot verify ", source: .wget, kind: .untrusted, hostEnds: ["'"],
                rest: issued),
        ] + wget("‘", "’") + wget("'", "'")

    /// The forms of GNU Wget, which quotes by the language.
    private static func wget(_ open: String, _ close: String) -> [Form] {
        let reasons: [(text: String, kind: Kind)] = [
            ("has expired", .expired), ("is not yet activated", .notYetValid),
            ("doesn't have a known issuer", .untrusted),
        ]
        let mismatches = [
            "The certificate's owner does not match hostname \(open)", "requested host name \(open)",
        ]
        return reasons.map { reason in
            Form(
                text: "ERROR: The certificate of \(open)", source: .wget, kind: reason.kind, hostEnds: [close],
                rest: "\(close) \(reason.text)")
        } + mismatches.map { Form(text: $0, source: .wget, kind: .nameMismatch, hostEnds: [close]) } + [
            Form(
                text: "ERROR: certificate common name \(open)", source: .wget, kind: .nameMismatch, hostEnds: [close],
                hostStart: "requested host name \(open)", rest: "\(close) doesn't match requested host name \(open)")
        ]
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
        failure.comparesCertificates = form.comparesCertificates
        switch form.source {
        case .wget:
            // With --no-check-certificate, Wget continues after the message.
            let isWarning = index > 0 && log.lines[index - 1].contains("WARNING: ")
            if isWarning, form.text.begins(with: "requested host name ") { return nil }
            if form.rest == issued, let reason = log.lines.dropFirst(index + 1).first?.bytes.trimmed {
                if reason.starts(with: "Issued certificate has expired".utf8) { failure.kind = .expired }
                if reason.starts(with: "Issued certificate not yet valid".utf8) { failure.kind = .notYetValid }
            }
        case .nginx where form.hostEnds.isEmpty:
            // The other URLs in the line are those of a client. The host is an address.
            if line.indices(of: upstream, atMost: 2).count == 1,
                let (host, port) = line.text(after: upstream, upTo: "\"").flatMap(HostSearch.authority)
            {
                (failure.host, failure.port, failure.hostLine) = (host, port, line.number)
            }
            return failure
        default: break
        }
        if !form.hostEnds.isEmpty { failure.host = host(form, text) }
        if form.source == .wget { failure.port = WgetRequest.port(of: failure.host, before: index, in: log) }
        failure.findHost(near: index, in: log)
        // The host of the URL in the line is the address of the server, or that of the client's request.
        if form.hasOtherURL, form.hostEnds.isEmpty, failure.hostLine == nil, failure.host != nil {
            failure.hostLine = line.number
        }
        return failure
    }

    private static func host(_ form: Form, _ text: LogLine) -> String? {
        guard let index = text.indices(of: form.hostStart ?? form.text, atMost: form.hostStart == nil ? 1 : .max).last
        else { return nil }
        let start = index + (form.hostStart ?? form.text).utf8.count
        let end = form.hostEnds.compactMap { text.firstIndex(of: $0, from: start) }.min() ?? text.bytes.endIndex
        return HostSearch.name(String(decoding: text.bytes[start..<end].trimmed, as: UTF8.self))
    }

    /// What a reason after the text says.
    private static func kind(_ source: ConnectionFailure.Source, _ reason: String) -> Kind {
        switch source {
        case .dotnet: dotnet(reason)
        // "20:unable to get local issuer certificate" and "0: certificate has expired" have a number before the reason.
        default: VerificationReason.kind(reason.drop { $0.isNumber || $0 == ":" || $0 == " " })
        }
    }

    /// What the names of SslPolicyErrors or X509ChainStatusFlags say, which are separated by commas.
    private static func dotnet(_ reason: String) -> Kind {
        let words = reason.parts(separatedBy: ",").map { word in
            let letters = word.unicodeScalars.drop { !$0.properties.isAlphabetic }.prefix(
                while: \.properties.isAlphabetic)
            return String(letters)
        }
        if words.contains("RemoteCertificateNameMismatch") { return .nameMismatch }
        // The server sent no certificate.
        if words == ["RemoteCertificateNotAvailable"] { return .handshake }
        return words.contains("NotTimeValid") && words.allSatisfy(notTrust.contains) ? .expired : .untrusted
    }

    /// The flags that say nothing about the trust in the issuer. NotTimeValid is for both dates.
    private static let notTrust = ["NotTimeValid", "NotTimeNested", "RevocationStatusUnknown", "OfflineRevocation"]
    private static let issued = "'s certificate, issued by"
    /// What is before the URL of the server in a message of nginx.
    private static let upstream = "upstream: \"https://"
}
