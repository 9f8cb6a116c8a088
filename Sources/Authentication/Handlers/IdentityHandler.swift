/// A handler that answers requests for a client certificate, and gives all other challenges the default handling.
public struct IdentityHandler: ChallengeHandler {
    private let identity: ClientIdentity
    private let hosts: Set<String>?

    /// - Parameter hosts: the host names and addresses that get the certificate; nil for all, also after redirects.
    public init(identity: ClientIdentity, hosts: Set<String>? = nil) {
        self.identity = identity
        self.hosts = hosts.map { Set($0.map { $0.lowercased() }) }
    }

    public func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == .clientCertificate else { return nil }
        guard hosts?.contains(space.host) ?? true, challenge.previousFailureCount == 0 else {
            return .performDefaultHandling
        }
        return .useCredential(Credential(identity: identity))
    }
}
