package import Authentication
internal import Encodings

extension TaskResult {
    /// This result for a report: without the users of proxies, and without the secrets and the users and passwords of URLs in texts that a
    /// server or a proxy chose. The URL of the request stays, without the users and passwords of URLs in its query.
    package func masking(_ texts: SecretTexts) -> TaskResult {
        let secrets = MaskedTexts(texts)
        let given = hops.first?.url
        let hops = hops.map { $0.masking(secrets, given: given) }
        let last = hops.last?.url ?? ""
        let outcome: Result<Response, SessionError> =
            switch outcome {
            case .success(let response): .success(response.masking(secrets))
            case .failure(let error):
                if let redirect = refusedRedirect, secrets.contains(redirect) {
                    .failure(
                        error.masking(
                            secrets,
                            as:
                                "\(last) redirects to \(secrets.maskingRedirect(redirect).bounded.quoted), which is not followed"
                        ))
                } else if secrets.hasSecret {
                    .failure(
                        error.masking(
                            secrets,
                            as:
                                "\(last): the reason is not shown, because a redirect contains a private key, or a user or a password of this run"
                        ))
                } else {
                    .failure(error.masking(secrets))
                }
            }
        return TaskResult(
            outcome: outcome, challenges: challenges.map { ChallengeRecord($0, masking: secrets, exceptURL: given) },
            hops: hops,
            requestedCertificate: requestedCertificate, hasUnreadPage: hasUnreadPage)
    }
}

extension TaskResult.Hop {
    /// The request for a report; `given` is the URL of the task.
    ///
    /// A server can repeat a secret in a redirect, and the URL that results can lack a part of it: a fragment, dot segments, white space,
    /// or upper case in the host. So the report shows the text of the server in its place, from this redirect on.
    fileprivate func masking(_ secrets: MaskedTexts, given: String?) -> TaskResult.Hop {
        if let location, secrets.hasSecret || secrets.contains(location) { secrets.hide(url, as: location) }
        return TaskResult.Hop(
            url: url == given ? url.withoutUserInfoInURLs : secrets.masking(url), status: status)
    }
}

extension Response {
    fileprivate func masking(_ secrets: MaskedTexts) -> Response {
        Response(
            status: status, reason: secrets.masking(reason), headers: headers, body: body,
            isBodyComplete: isBodyComplete)
    }
}

extension SessionError {
    fileprivate func masking(_ secrets: MaskedTexts) -> SessionError {
        replacing(
            message: secrets.masking(unfilteredMessage), protectionSpace.map { $0.masking(secrets, keepsHost: false) })
    }

    /// The error of a task whose redirect repeats a secret: any text in its own message can be a part of the secret.
    fileprivate func masking(_ secrets: MaskedTexts, as message: String) -> SessionError {
        replacing(
            message: message, protectionSpace.map { $0.masking(secrets, keepsHost: false) }, keepsCause: false)
    }
}

extension ChallengeRecord {
    fileprivate init(_ record: ChallengeRecord, masking secrets: MaskedTexts, exceptURL given: String?) {
        let isGiven = record.url == given
        protectionSpace = record.protectionSpace.masking(secrets, keepsHost: isGiven)
        scheme = record.scheme.map(secrets.masking)
        charset = record.charset.map(secrets.masking)
        url = isGiven ? record.url.withoutUserInfoInURLs : secrets.masking(record.url)
        previousFailureCount = record.previousFailureCount
        (answer, result) = (record.answer, record.result)
        user = protectionSpace.isProxy ? nil : record.user
        reason = record.reason.map(secrets.masking)
        (chain, pins, certificate) = (record.chain, record.pins, record.certificate)
        (protocolVersion, address, isRequired) = (record.protocolVersion, record.address, record.isRequired)
    }
}

extension ProtectionSpace {
    fileprivate func masking(_ secrets: MaskedTexts, keepsHost: Bool) -> ProtectionSpace {
        ProtectionSpace(
            host: keepsHost || isProxy ? host : secrets.masking(host), port: port, protocol: `protocol`,
            proxyType: proxyType,
            realm: realm.map(secrets.masking), authenticationMethod: authenticationMethod,
            distinguishedNames: distinguishedNames, serverTrust: serverTrust, isEncrypted: isEncrypted)
    }
}

/// Masks each text once. A server can send thousands of challenges, and the record of each one has the URL.
private final class MaskedTexts {
    private let secrets: SecretTexts
    private var known: [[UInt8]: String] = [:]
    /// Whether a URL contains a secret (``hide(_:as:)``).
    private(set) var hasSecret = false

    init(_ secrets: SecretTexts) { self.secrets = secrets }

    /// Whether a redirect contains a secret or a private key. White space around it is not a part of the field (RFC 9110, section 5.5).
    func contains(_ location: String) -> Bool {
        let text = " \(location) "
        return secrets.masking(text).withoutWholePrivateKeys != text
    }

    /// The redirect as the server sent it, without secrets and private keys.
    func maskingRedirect(_ location: String) -> String {
        let text = masking(" \(location) ").withoutWholePrivateKeys
        return String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self)
    }

    /// Replaces a URL, and its host, in each text that consists of it.
    func hide(_ url: String, as location: String) {
        hasSecret = true
        known[Array(url.utf8)] = maskingRedirect(location)
        if location.has("//"), let host = try? RequestURL(url).hostText { known[Array(host.utf8)] = "***" }
    }

    func masking(_ text: String) -> String {
        let key = Array(text.utf8)
        if let masked = known[key] { return masked }
        // Without its user, a part of a secret with an @ could stay.
        let masked = secrets.masking(text).withoutUserInfoInURLs
        known[key] = masked
        return masked
    }
}
