internal import OpenSSL

extension CertificateChain {
    /// Builds and validates the path of the certificates that a server sent (RFC 5280, section 6; RFC 9525 for the name).
    ///
    /// - Parameters:
    ///   - served: the certificates, beginning with the server's own; the others in any order.
    ///   - anchors: the only trust anchors. The chain may end in any of them, self-signed or not.
    ///   - identity: the host that the certificate must be valid for; nil to check no name.
    ///   - time: the moment to validate at; nil for now.
    /// - Throws: ``CertificateChainError`` if a certificate cannot be decoded. If the chain is not valid, ``failures`` contains
    ///   the reasons.
    public init(
        validating served: [Certificate], to anchors: TrustAnchors, for identity: ServerIdentity?,
        at time: Timestamp? = nil
    ) throws(CertificateChainError) {
        try self.init(validating: served, by: TrustSource(anchors: anchors), for: identity, at: time)
    }

    package init(
        validating served: [Certificate], by source: TrustSource, for identity: ServerIdentity?, at time: Timestamp?
    ) throws(CertificateChainError) {
        let validator: ChainValidator
        let chain: PeerChain?
        do throws(OpenSSLError) {
            validator = try ChainValidator(source, at: time)
            chain = try PeerChain.saved(served.map(\.der))
        } catch {
            throw .unreadable("OpenSSL cannot read its certificates: \(error.text)")
        }
        guard let chain else { throw .empty }
        do throws(CertificateError) {
            self = try validator.validate(chain, for: identity)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// The pins of the path, leaf first, for the comparison with a pin set.
    public var pins: [ChainPin] {
        entries.map { ChainPin(role: $0.role, position: $0.position, pin: $0.certificate.pin) }
    }
}

/// The reason why certificates cannot be validated as a chain.
public enum CertificateChainError: Error, Hashable, Sendable {
    /// There is no certificate.
    case empty
    /// A certificate cannot be decoded; the reason as a sentence.
    case unreadable(String)
}

extension CertificateChainError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is no certificate"
        case .unreadable(let reason): reason
        }
    }
}
