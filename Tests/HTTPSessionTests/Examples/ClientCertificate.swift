import Authentication
import HTTPSession
import Pinning

/// Answers with a client certificate if the server accepts its issuer.
struct CertificateDelegate: ChallengeHandler {
    let identity: ClientIdentity

    func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == .clientCertificate else { return .performDefaultHandling }
        let accepted = space.distinguishedNames ?? []
        let issuers = identity.certificates.compactMap { $0.issuer?.displayName }
        let names = accepted.compactMap { DistinguishedName(der: $0)?.displayName }
        // A server that names no CA accepts any.
        guard accepted.isEmpty || issuers.contains(where: names.contains) else { return .performDefaultHandling }
        return .useCredential(Credential(identity: identity))
    }
}

func requestWithClientCertificate(
    _ url: String, identity: ClientIdentity, anchors: TrustAnchors
) throws -> TaskResult {
    var configuration = SessionConfiguration()
    configuration.anchors = anchors
    let session = try Session(configuration, handler: CertificateDelegate(identity: identity))
    return session.run(Session.Request(url: url))
}
