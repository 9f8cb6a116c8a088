internal import Encodings
internal import OpenSSL

extension TrustFailure {
    static let internalFailure = "OpenSSL could not validate the chain: it is out of memory, or failed internally"

    /// Converts OpenSSL's reason, and adds the certificate that is at fault.
    init(_ failure: VerifyFailure, in path: [Certificate]) {
        guard let certificate = path.indices.contains(failure.depth) ? path[failure.depth] : path.last else {
            self = .other(failure.text)
            return
        }
        let position = min(failure.depth, path.count - 1)
        switch failure.kind {
        case .expired: self = .expired(certificate, position: position)
        case .notYetValid: self = .notYetValid(certificate, position: position)
        case .missingIssuer:
            let rejection = failure.rejectedIssuer.flatMap { IssuerRejection($0) }
            self =
                rejection.map { .issuerRejected(of: path.last ?? certificate, position: path.count - 1, $0) }
                ?? .missingIssuer(of: certificate, position: position)
        case .selfSignedLeaf: self = .selfSigned(certificate)
        case .untrustedRoot:
            let isInStore = failure.rejectedIssuer?.isInStore ?? false
            self = .untrustedRoot(path.last ?? certificate, hasNamesake: isInStore)
        case .badSignature: self = .badSignature(certificate, position: position)
        case .weakKey: self = .weakKey(certificate, position: position)
        case .weakSignature: self = .weakSignature(certificate, position: position)
        case .notAnAuthority: self = .notAnAuthority(certificate, position: position)
        case .pathTooLong: self = .pathTooLong(certificate, position: position)
        case .wrongPurpose: self = .wrongPurpose(certificate, position: position)
        case .nameConstraints: self = .nameConstraints(certificate, position: position)
        case .revoked: self = .revoked(certificate, position: position)
        case .distrusted: self = .distrusted(certificate, position: position)
        case .unspecified: self = .other(Self.limit(in: path, at: position) ?? Self.internalFailure)
        case .other: self = .other("\(Self.name(certificate, at: position)): \(failure.text)")
        }
    }

    /// The failure of a path that violates name constraints although OpenSSL accepts it; nil for any other path.
    ///
    /// - Parameters:
    ///   - path: a path that OpenSSL accepts.
    ///   - host: a DNS name that the leaf is valid for; nil to check no host.
    init?(nameConstraintsOf path: [Certificate], for host: String?) {
        for (position, certificate) in path.enumerated().dropFirst() {
            do throws(NameConstraints.Defect) {
                guard let constraints = try NameConstraints(of: certificate), let host, !constraints.permit(host: host)
                else { continue }
                self = .hostNotPermitted(certificate, position: position, host: host)
            } catch {
                self =
                    switch error {
                    case .empty: .emptyNameConstraints(certificate, position: position)
                    case .malformed: .malformedNameConstraints(certificate, position: position)
                    }
            }
            return
        }
        return nil
    }

    /// A sentence about the limit in OpenSSL that is exceeded by the names of a certificate and the name constraints of a CA above
    /// it; nil if no limit is exceeded.
    private static func limit(in path: [Certificate], at position: Int) -> String? {
        let certificate = path[position]
        let attributes = certificate.subject?.relativeNames.reduce(0) { $0 + $1.count } ?? 0
        let names = certificate.subjectAlternativeNameCount + attributes
        for authority in path.dropFirst(position + 1) {
            guard let constraints = (try? NameConstraints(of: authority))?.count, names > 0,
                constraints > NameConstraints.maximumComparisons / names
            else { continue }
            return "\(name(certificate, at: position)) has \(names) names and its CA \(constraints) name constraints: "
                + "OpenSSL compares at most \(NameConstraints.maximumComparisons) pairs of them"
        }
        return nil
    }
}

extension TrustFailure.IssuerRejection {
    /// Nil if OpenSSL used the certificate, or if pinctl cannot read it.
    fileprivate init?(_ rejected: RejectedIssuer) {
        guard let certificate = try? Certificate(der: rejected.certificate) else { return nil }
        issuer = certificate
        isInStore = rejected.isInStore
        reason =
            switch rejected.reason {
            case .issuedExtensions: .issuedExtensions
            case .extensions: .extensions
            case .keyIdentifier: .keyIdentifier
            case .serialNumber: .serialNumber
            case .unreadableKey: .unreadableKey
            case .signatureAlgorithm: .signatureAlgorithm
            case .otherCertificate: .untrusted
            case .other(let text): .other(text)
            }
    }
}
