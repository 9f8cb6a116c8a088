internal import Encodings
internal import OpenSSL

extension TrustFailure {
    /// Converts OpenSSL's reason, and adds the certificate at fault.
    init(_ failure: VerifyFailure, in path: [Certificate]) {
        guard let certificate = path.indices.contains(failure.depth) ? path[failure.depth] : path.last else {
            self = .other(failure.text)
            return
        }
        let position = min(failure.depth, path.count - 1)
        switch failure.kind {
        case .expired: self = .expired(certificate, position: position)
        case .notYetValid: self = .notYetValid(certificate, position: position)
        case .missingIssuer: self = .missingIssuer(of: certificate, position: position)
        case .selfSignedLeaf: self = .selfSigned(certificate)
        case .untrustedRoot: self = .untrustedRoot(path.last ?? certificate)
        case .badSignature: self = .badSignature(certificate, position: position)
        case .weakKey: self = .weakKey(certificate, position: position)
        case .weakSignature: self = .weakSignature(certificate, position: position)
        case .notAnAuthority: self = .notAnAuthority(certificate, position: position)
        case .pathTooLong: self = .pathTooLong(certificate, position: position)
        case .wrongPurpose: self = .wrongPurpose(certificate, position: position)
        case .nameConstraints: self = .nameConstraints(certificate, position: position)
        case .revoked: self = .revoked(certificate, position: position)
        case .distrusted: self = .distrusted(certificate, position: position)
        case .other: self = .other(failure.text)
        }
    }
}
