public import Pinning

/// A handler that trusts a server if an evaluator accepts it, and otherwise cancels the request.
///
/// The default validation and the pin set of the session do not apply to servers that the handler accepts. Challenges of other methods
/// get the default handling.
public struct TrustHandler: ChallengeHandler {
    private let evaluator: any ServerTrustEvaluator
    private let hosts: Set<String>?

    /// - Parameters:
    ///   - evaluator: decides about each server.
    ///   - hosts: the host names and addresses that the evaluator is for; nil for all. Other hosts get the default handling.
    public init(evaluator: any ServerTrustEvaluator, hosts: Set<String>? = nil) {
        self.evaluator = evaluator
        self.hosts = hosts.map { Set($0.map { $0.lowercased() }) }
    }

    public func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == .serverTrust else { return nil }
        guard hosts?.contains(space.host) ?? true else { return .performDefaultHandling }
        guard let trust = space.serverTrust else { return .cancelAuthenticationChallenge }
        do throws(ServerTrustError) {
            try evaluator.evaluate(trust, forHost: space.host)
            return .useCredential(Credential(trust: trust))
        } catch {
            return .cancelAuthenticationChallenge
        }
    }
}

extension TrustHandler {
    /// A handler that trusts only servers with this certificate, which need not be issued by a CA of the system.
    ///
    /// - Parameter der: the certificate of the server, such as the contents of a `.der` file that is part of the program.
    /// - Throws: `CertificateError` if the bytes are not a certificate.
    public static func pinnedCertificate(
        der: [UInt8], hosts: Set<String>? = nil
    ) throws(CertificateError) -> TrustHandler {
        let certificate = try Certificate(der: der)
        return TrustHandler(
            evaluator: PinnedCertificatesTrustEvaluator(
                certificates: [certificate], acceptSelfSignedCertificates: true),
            hosts: hosts)
    }

    /// A handler that trusts a valid chain with one of these keys.
    ///
    /// - Parameter pins: the pins, as `Pin(spelling:)` reads them.
    public static func pinnedKeys(_ pins: [Pin], hosts: Set<String>? = nil) -> TrustHandler {
        TrustHandler(evaluator: PublicKeysTrustEvaluator(keys: pins), hosts: hosts)
    }

    /// A handler that trusts chains to these CAs, and to no CA of the system.
    ///
    /// - Parameter folder: a folder with certificates in files that end with `.der`, `.cer`, `.crt` or `.pem`.
    /// - Throws: ``AuthorityFolder/Failure``.
    public static func authorities(
        inFolder folder: String, hosts: Set<String>? = nil
    ) throws(AuthorityFolder.Failure) -> TrustHandler {
        TrustHandler(evaluator: AnchorsTrustEvaluator(anchors: try AuthorityFolder.anchors(in: folder)), hosts: hosts)
    }
}
