internal import Encodings
internal import OpenSSL

/// Accepts a valid chain if no certificate in it is revoked, according to given revocation lists and the stapled OCSP response.
///
/// It downloads neither lists nor responses. It always validates the chain, because lists and responses must be signed on behalf of
/// the certificate's issuer, and only the validated chain contains the true issuer.
public struct RevocationTrustEvaluator: ServerTrustEvaluator {
    /// What the evaluator does with the OCSP response that a server may staple to its handshake.
    public enum StaplePolicy: String, Hashable, Sendable, CaseIterable {
        /// The response is not used.
        case ignored
        /// A server may staple no response. If it staples one, the status must be "good".
        case ifPresent
        /// The server must staple a response with the status "good".
        case required
    }

    /// The certificates that the lists must cover, if there are lists.
    public enum ListScope: String, Hashable, Sendable, CaseIterable {
        case leaf
        /// Every certificate below the trust anchor.
        case chain
    }

    private let crls: [RevocationList]
    private let crlScope: ListScope
    private let ocsp: StaplePolicy
    private let anchors: TrustAnchors?
    private let validateHost: Bool

    /// - Parameters:
    ///   - crls: the revocation lists. If there are any, a certificate in `crlScope` that no list covers is refused.
    ///   - crlScope: the certificates that the lists must cover.
    ///   - ocsp: the use of a stapled response. If it is `ignored` and there are no lists, every server is refused.
    ///   - anchors: the only trust anchors; nil for those of the ``ServerTrust``.
    ///   - validateHost: whether the server's certificate must be valid for the host.
    public init(
        crls: [RevocationList] = [], crlScope: ListScope = .chain, ocsp: StaplePolicy = .ifPresent,
        anchors: TrustAnchors? = nil, validateHost: Bool = true
    ) {
        (self.crls, self.crlScope, self.ocsp) = (crls, crlScope, ocsp)
        (self.anchors, self.validateHost) = (anchors, validateHost)
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard !crls.isEmpty || ocsp != .ignored else { throw ServerTrustError(self, host, .nothingToCheck) }
        let chain = try trust.validated(for: self, host, to: anchors, validateHost: validateHost)
        do throws(RevocationFailure) {
            if !crls.isEmpty { try checkLists(chain, at: trust.time) }
            if ocsp != .ignored { try checkStaple(trust.stapledResponse, chain, at: trust.time) }
        } catch {
            throw ServerTrustError(self, host, .revocation(error))
        }
    }

    private func checkLists(_ chain: CertificateChain, at time: Timestamp) throws(RevocationFailure) {
        let path = chain.entries.map(\.certificate)
        guard let leaf = path.first else { throw .noIssuer }
        let finding: RevocationLists.Finding
        do throws(OpenSSLError) {
            finding = try RevocationLists.decoding(crls.map(\.der)).finding(
                on: path.map(\.der), wholePath: crlScope == .chain, secondsSince1970: time.secondsSince1970
            )
        } catch {
            throw .listUnusable(leaf, position: 0, error.text)
        }
        func certificate(_ depth: Int) -> Certificate { path.indices.contains(depth) ? path[depth] : leaf }
        switch finding {
        case .notRevoked: return
        case .revoked(let depth): throw .revoked(certificate(depth), position: depth)
        case .noList(let depth): throw .noList(certificate(depth), position: depth)
        case .notCurrent(let depth): throw .listNotCurrent(certificate(depth), position: depth)
        case .unusable(let depth, let text): throw .listUnusable(certificate(depth), position: depth, text)
        }
    }

    private func checkStaple(_ staple: [UInt8]?, _ chain: CertificateChain, at time: Timestamp)
        throws(RevocationFailure)
    {
        guard let staple else {
            guard ocsp == .ifPresent else { throw .noStapledResponse }
            return
        }
        guard chain.entries.count > 1 else { throw .noIssuer }
        let leaf = chain.entries[0].certificate
        let statuses: [StatusResponse.Status]
        do throws(StatusResponse.Refusal) {
            statuses = try StatusResponse(der: staple).statuses(
                of: leaf.der, issuedBy: chain.entries[1].certificate.der, secondsSince1970: time.secondsSince1970
            )
        } catch {
            switch error {
            case .malformed(let text), .unsuccessful(let text): throw .stapledResponseUnusable(text)
            case .untrustedSigner(let text): throw .stapledResponseUntrusted(text)
            }
        }
        guard !statuses.isEmpty else { throw .stapledResponseForAnother }
        // Revocation is permanent, so even an outdated response proves it.
        guard !statuses.contains(where: { $0.verdict == .revoked }) else { throw .revoked(leaf, position: 0) }
        let current = statuses.filter { $0.isCurrent(at: time.secondsSince1970) }
        guard !current.isEmpty else { throw .stapledResponseNotCurrent }
        guard current.contains(where: { $0.verdict == .good }) else { throw .stapledResponseUnknown }
    }
}
