package import Authentication
internal import Encodings

extension TaskResult {
    /// This result for a report: without the users of proxies, and without the secrets and the users and passwords of URLs in texts that a
    /// server or a proxy chose. The URL of the request stays, without the users and passwords of URLs in its query.
    package func masking(_ texts: SecretTexts) -> TaskResult {
        let secrets = MaskedTexts(texts)
        let given = hops.first?.url
        let outcome: Result<Response, SessionError> =
            switch outcome {
            case .success(let response): .success(response.masking(secrets))
            case .failure(let error): .failure(error.masking(secrets))
            }
        let hops = hops.map {
            Hop(url: $0.url == given ? $0.url.withoutUserInfoInURLs : secrets.masking($0.url), status: $0.status)
        }
        return TaskResult(
            outcome: outcome, challenges: challenges.map { ChallengeRecord($0, masking: secrets, exceptURL: given) },
            hops: hops,
            requestedCertificate: requestedCertificate, hasUnreadPage: hasUnreadPage)
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

    init(_ secrets: SecretTexts) { self.secrets = secrets }

    func masking(_ text: String) -> String {
        let key = Array(text.utf8)
        if let masked = known[key] { return masked }
        // Without its user, a part of a secret with an @ could stay.
        let masked = secrets.masking(text).withoutUserInfoInURLs
        known[key] = masked
        return masked
    }
}
