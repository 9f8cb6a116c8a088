internal import OpenSSL

extension CertificateChain {
    /// Builds and judges the path of certificates that are at hand, by the rules for those that a server sends
    /// (RFC 5280, section 6; RFC 9525 for the name).
    ///
    /// - Parameters:
    ///   - served: the server's own certificate first, the others in any order.
    ///   - anchors: the authorities that may vouch for it, and no others.
    ///   - identity: whom the certificate must be for; nil checks no name.
    ///   - time: the moment to validate at; nil for now.
    /// - Throws: ``CertificateChainError``. A chain that does not validate is no error: see ``failures``.
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

    /// The pins of the path, leaf first: what a pin set is held against once the chain validates.
    public var pins: [ChainPin] {
        entries.map { ChainPin(role: $0.role, position: $0.position, pin: $0.certificate.pin) }
    }
}

/// Why certificates cannot be judged as a chain.
public enum CertificateChainError: Error, Hashable, Sendable {
    /// There is none.
    case empty
    /// One of them cannot be decoded; the reason in a sentence.
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
