internal import COpenSSL

/// The reason why a path is not valid: one of OpenSSL's `X509_V_ERR_…` codes. Codes with the same remedy are one case.
package struct VerifyFailure: Equatable, Sendable {
    package enum Kind: Sendable {
        case expired, notYetValid
        /// The issuer of the last certificate was neither sent by the server nor found in the trust store.
        case missingIssuer
        /// The leaf is self-signed and not trusted.
        case selfSignedLeaf
        /// The path ends in a self-signed certificate that is not trusted.
        case untrustedRoot
        case badSignature
        case weakKey, weakSignature
        /// A certificate in the path is not allowed to issue certificates, but issued another one.
        case notAnAuthority
        case pathTooLong
        /// The certificate is not allowed for TLS servers.
        case wrongPurpose
        case nameConstraints
        case revoked
        /// The administrator of the system has marked the certificate as distrusted.
        case distrusted
        /// OpenSSL gives no reason: it did not compare all names with the name constraints of a CA, or it failed internally.
        case unspecified
        case other
    }

    package let kind: Kind
    /// Position in the path of the certificate at fault; the leaf has position 0.
    package let depth: Int
    /// OpenSSL's text for the code.
    package let text: String
    /// For a path without a trust anchor: a certificate with the name of the missing issuer, and why it was not used.
    package internal(set) var rejectedIssuer: RejectedIssuer?

    init(code: Int32, depth: Int) {
        kind = Self.kind(of: code)
        self.depth = depth
        text = Self.text(of: code)
    }

    private static func text(of code: Int32) -> String {
        switch code {
        case X509_V_ERR_CERT_CHAIN_TOO_LONG:
            "the path has more than \(VerifyParameters.maximumLength) certificates, the maximum of pinctl"
        default: unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        }
    }

    private static func kind(of code: Int32) -> Kind {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            .missingIssuer
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSignedLeaf
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: .untrustedRoot
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .badSignature
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: .weakKey
        case X509_V_ERR_CA_MD_TOO_WEAK: .weakSignature
        case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN: .notAnAuthority
        case X509_V_ERR_PATH_LENGTH_EXCEEDED: .pathTooLong
        case X509_V_ERR_INVALID_PURPOSE: .wrongPurpose
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
            .nameConstraints
        case X509_V_ERR_CERT_REVOKED: .revoked
        case X509_V_ERR_CERT_REJECTED, X509_V_ERR_CERT_UNTRUSTED: .distrusted
        case X509_V_ERR_UNSPECIFIED: .unspecified
        default: .other
        }
    }
}
