internal import Encodings

/// A reason why a chain is not valid.
public enum TrustFailure: Error, Equatable, Sendable {
    /// A certificate's `notAfter` has passed.
    case expired(Certificate, position: Int)
    /// A certificate's `notBefore` is in the future.
    case notYetValid(Certificate, position: Int)
    /// The leaf is not valid for the expected name.
    case nameMismatch(Certificate, expected: String)
    /// The leaf is self-signed and not trusted.
    case selfSigned(Certificate)
    /// The path ends in a self-signed certificate that is not trusted. `hasNamesake` tells whether the trust store contains another
    /// certificate with the same name.
    case untrustedRoot(Certificate, hasNamesake: Bool = false)
    /// The issuer of the path's last certificate is neither served nor trusted.
    case missingIssuer(of: Certificate, position: Int)
    /// The server sent a certificate with the name of the missing issuer, or the trust store contains one, but that certificate
    /// cannot be the issuer.
    case issuerRejected(of: Certificate, position: Int, IssuerRejection)
    case badSignature(Certificate, position: Int)
    /// A key with less than 112 bits of security, such as RSA below 2048 bits (NIST SP 800-57, part 1).
    case weakKey(Certificate, position: Int)
    /// A signature with a digest of less than 112 bits of security: MD5 or SHA-1.
    case weakSignature(Certificate, position: Int)
    /// A certificate in the path is not a CA certificate, but issued another one (RFC 5280, section 4.2.1.9).
    case notAnAuthority(Certificate, position: Int)
    case pathTooLong(Certificate, position: Int)
    /// The extended key usage excludes TLS servers (RFC 5280, section 4.2.1.12).
    case wrongPurpose(Certificate, position: Int)
    /// The name constraints of an issuing CA exclude a name (RFC 5280, section 4.2.1.10).
    case nameConstraints(Certificate, position: Int)
    /// The name constraints of a CA do not permit the expected host, although they permit the names in the leaf, such as
    /// `*.example.com` (CVE-2025-61727).
    case hostNotPermitted(Certificate, position: Int, host: String)
    /// The name constraints of a CA contain no name.
    case emptyNameConstraints(Certificate, position: Int)
    /// The name constraints of a CA contain a malformed name.
    case malformedNameConstraints(Certificate, position: Int)
    case revoked(Certificate, position: Int)
    /// The trust settings of the trust store reject the certificate.
    case distrusted(Certificate, position: Int)
    /// Another reason. The string is OpenSSL's text.
    case other(String)

    /// A stable word for programs, lower case with hyphens. It is part of the JSON output.
    public var code: String {
        switch self {
        case .expired: "expired"
        case .notYetValid: "not-yet-valid"
        case .nameMismatch: "name-mismatch"
        case .selfSigned: "self-signed"
        case .untrustedRoot: "untrusted-root"
        case .missingIssuer(_, let position): position == 0 ? "missing-intermediate" : "unknown-authority"
        case .issuerRejected: "issuer-rejected"
        case .badSignature: "bad-signature"
        case .weakKey: "weak-key"
        case .weakSignature: "weak-signature"
        case .notAnAuthority: "not-an-authority"
        case .pathTooLong: "path-too-long"
        case .wrongPurpose: "wrong-purpose"
        case .nameConstraints, .hostNotPermitted, .emptyNameConstraints, .malformedNameConstraints: "name-constraints"
        case .revoked: "revoked"
        case .distrusted: "distrusted"
        case .other: "other"
        }
    }

    /// The reason as a sentence without a full stop: "the server certificate expired on 2026-03-01".
    public var reason: String {
        switch self {
        case .expired(let certificate, let position):
            return "\(Self.name(certificate, at: position)) expired\(Self.day(certificate.notAfter))"
        case .notYetValid(let certificate, let position):
            return
                "\(Self.name(certificate, at: position)) is not valid yet: it starts\(Self.day(certificate.notBefore))"
        case .nameMismatch(let certificate, let expected):
            return Self.mismatch(of: expected, with: Self.names(of: certificate))
        case .selfSigned(let certificate):
            return "the server certificate is self-signed by \(Self.quoted(certificate.subject)), "
                + "and the trust store does not contain it"
        case .untrustedRoot(let certificate, let hasNamesake):
            return
                "unknown authority: the chain ends in \(Self.quoted(certificate.subject)), which the trust store does not "
                + (hasNamesake ? "contain; it contains another certificate with this name" : "contain")
        case .missingIssuer(let certificate, position: 0):
            return "the server did not send the certificate of \(Self.quoted(certificate.issuer)), "
                + "which issued its own, and the trust store does not contain it"
        case .missingIssuer(let certificate, _):
            return "unknown authority: the chain ends in \(Self.quoted(certificate.subject)), issued by "
                + "\(Self.quoted(certificate.issuer)), which the server did not send and the trust store does not contain"
        case .issuerRejected(let certificate, let position, let rejection):
            return rejection.reason(
                issuer: Self.quoted(certificate.issuer), issued: Self.name(certificate, at: position))
        case .badSignature(let certificate, let position):
            return "the signature of \(Self.name(certificate, at: position)) was not made by its issuer's key"
        case .weakKey(let certificate, let position):
            return "\(Self.name(certificate, at: position)) has a weak key: \(certificate.key)"
        case .weakSignature(let certificate, let position):
            let algorithm =
                certificate.signatureAlgorithm?.shortened(to: Self.maximumNameLength) ?? "an unknown algorithm"
            return "\(Self.name(certificate, at: position)) has a weak signature: \(algorithm)"
        case .notAnAuthority(let certificate, let position):
            // OpenSSL has one reason for both cases; the second is a CA certificate whose key usage does not allow it to sign
            // certificates.
            let reason = certificate.isCA ? "its key usage does not permit that" : "is not a CA certificate"
            return "\(Self.name(certificate, at: position)) issued another certificate, but \(reason)"
        case .pathTooLong(let certificate, let position):
            return "the chain is longer than \(Self.name(certificate, at: position)) allows"
        case .wrongPurpose(let certificate, let position):
            return "\(Self.name(certificate, at: position)) is not for TLS servers"
        case .nameConstraints(let certificate, let position):
            return "\(Self.name(certificate, at: position)) has a name that the name constraints of its CA exclude"
        case .hostNotPermitted(let certificate, let position, let host):
            return "the name constraints of \(Self.name(certificate, at: position)) do not permit \"\(host)\""
        case .emptyNameConstraints(let certificate, let position):
            return "the name constraints of \(Self.name(certificate, at: position)) are empty"
        case .malformedNameConstraints(let certificate, let position):
            return "the name constraints of \(Self.name(certificate, at: position)) are malformed"
        case .revoked(let certificate, let position):
            return "\(Self.name(certificate, at: position)) is revoked"
        case .distrusted(let certificate, let position):
            return "the trust store rejects \(Self.name(certificate, at: position))"
        case .other(let text):
            return text
        }
    }

    static func name(_ certificate: Certificate, at position: Int) -> String {
        position == 0 ? "the server certificate" : "the certificate of \(quoted(certificate.subject))"
    }

    private static func quoted(_ name: DistinguishedName?) -> String {
        guard let name, !name.isEmpty else { return "an authority without a name" }
        return "\"\(name.displayName)\""
    }

    private static func day(_ time: Timestamp?) -> String {
        time.map { " on \($0.date)" } ?? " on a date that cannot be read"
    }

    /// Maximum number of the leaf's names in a sentence.
    private static let maximumListedNames = 4
    /// Maximum length of each name, in Unicode scalars.
    private static let maximumNameLength = 100

    /// The reason of ``nameMismatch(_:expected:)``.
    static func mismatch(of expected: String, with names: String) -> String {
        "the server certificate is not for \"\(expected)\" but \(names)"
    }

    /// The names of a server certificate, as part of a sentence.
    static func names(of certificate: Certificate) -> String {
        let names = certificate.dnsNames + certificate.ipAddresses
        guard !names.isEmpty else {
            let note = "names no host among its subject alternative names"
            guard let common = certificate.subject?.commonName?.shortened(to: maximumNameLength) else { return note }
            return "\(note); its common name, \"\(common)\", is not used"
        }
        let listed = names.prefix(maximumListedNames).map { $0.shortened(to: maximumNameLength) }.joined(
            separator: ", ")
        let rest = names.count - maximumListedNames
        return "for \(listed)" + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension TrustFailure {
    /// Whether the reason may be that the trust store does not contain the CA.
    package var isUnknownAuthority: Bool {
        switch self {
        case .issuerRejected(_, _, let rejection):
            switch rejection.reason {
            case .issuedExtensions, .extensions, .unreadableKey: false
            case .keyIdentifier, .serialNumber, .signatureAlgorithm, .untrusted, .other: true
            }
        default: isUnknownAnchor
        }
    }

    /// Whether no trust anchor was found.
    var isUnknownAnchor: Bool {
        switch self {
        case .missingIssuer, .issuerRejected, .selfSigned, .untrustedRoot: true
        default: false
        }
    }
}
