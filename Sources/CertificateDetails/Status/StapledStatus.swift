internal import OpenSSL
package import Pinning

/// The revocation status in the OCSP response that a server stapled to its handshake (RFC 6066, section 8; RFC 6960).
package struct StapledStatus: Sendable {
    package enum Verdict: String, Sendable {
        case good, revoked, unknown
        /// The server stapled no response.
        case absent
        /// The current time is outside the validity period of the response.
        case outdated
        /// The response cannot be used.
        case invalid
    }

    package let verdict: Verdict
    /// The moment at which the status is known to be correct.
    package let thisUpdate: Timestamp?
    /// The moment by which newer information will be available; nil if the response does not tell it.
    package let nextUpdate: Timestamp?
    /// The reason why the response cannot be used.
    package let reason: String?

    /// Checks a response.
    ///
    /// - Parameters:
    ///   - response: the stapled response in DER; nil if the server stapled no response.
    ///   - leaf: the server's certificate.
    ///   - issuer: the issuer of the leaf; nil if it is unknown.
    package init(_ response: [UInt8]?, of leaf: Certificate, issuedBy issuer: Certificate?, at now: Timestamp) {
        guard let response else {
            self.init(.absent)
            return
        }
        guard let issuer else {
            self.init(.invalid, reason: "the issuer of the certificate is unknown, so the signature cannot be checked")
            return
        }
        let statuses: [StatusResponse.Status]
        do throws(StatusResponse.Refusal) {
            statuses = try StatusResponse(der: response).statuses(
                of: leaf.der, issuedBy: issuer.der, secondsSince1970: now.secondsSince1970)
        } catch {
            switch error {
            case .malformed(let text): self.init(.invalid, reason: "malformed: \(text)")
            case .unsuccessful(let text): self.init(.invalid, reason: "the responder returned an error: \(text)")
            case .untrustedSigner(let text):
                self.init(.invalid, reason: "not signed on behalf of the certificate's issuer: \(text)")
            }
            return
        }
        // Revocation is permanent, so an outdated response proves it too.
        guard let status = statuses.first(where: { $0.verdict == .revoked }) ?? statuses.first else {
            self.init(.invalid, reason: "the response is for another certificate")
            return
        }
        let verdict: Verdict =
            switch status.verdict {
            case .revoked: .revoked
            case .good: status.isCurrent(at: now.secondsSince1970) ? .good : .outdated
            case .unknown: status.isCurrent(at: now.secondsSince1970) ? .unknown : .outdated
            }
        self.init(verdict, status)
    }

    private init(_ verdict: Verdict, _ status: StatusResponse.Status? = nil, reason: String? = nil) {
        self.verdict = verdict
        self.reason = reason
        // The smallest value means that the time cannot be decoded.
        thisUpdate = status.flatMap { $0.thisUpdate == .min ? nil : Timestamp(secondsSince1970: $0.thisUpdate) }
        nextUpdate = status?.nextUpdate.flatMap { $0 == .min ? nil : Timestamp(secondsSince1970: $0) }
    }
}
