internal import Encodings
internal import OpenSSL
package import Pinning

extension Certificate {
    /// The strength of the key in bits of security (NIST SP 800-57, part 1, section 5.6.1.1), as OpenSSL computes it; nil if OpenSSL
    /// cannot read the key.
    package var keySecurityBits: Int? { KeyStrength.securityBits(ofSubjectPublicKeyInfo: Array(subjectPublicKeyInfo)) }

    /// The SHA-1 of the whole certificate, 20 bytes, as older tools show it; nil if OpenSSL does not provide SHA-1.
    package var sha1: [UInt8]? { Digest.hash(der, with: .sha1) }

    /// The defects and risks that the certificate itself shows.
    ///
    /// - Parameters:
    ///   - extensions: the certificate's extensions.
    ///   - now: the moment at which the certificate should be valid.
    package func problems(in extensions: [CertificateExtension], at now: Timestamp) -> [CertificateProblem] {
        let facts = ExtensionFacts(extensions)
        return problemsOfSerialNumber + problemsOfValidity(facts, at: now) + problemsOfKeys
            + problemsOfUse(facts) + Self.problems(of: extensions) + omission(after: extensions)
    }

    /// A problem if the certificate has extensions that were not decoded.
    private func omission(after extensions: [CertificateExtension]) -> [CertificateProblem] {
        let count = extensionCount - extensions.count
        guard count > 0 else { return [] }
        return [
            CertificateProblem(
                .omittedExtensions, extensions.isEmpty ? .names : .extension(extensions.count - 1),
                "\(count) more extension\(count == 1 ? " is" : "s are") not shown:"
                    + " pinctl shows at most \(Self.maximumExtensions), up to the first that is malformed")
        ]
    }

    // MARK: Fields

    /// RFC 5280, section 4.1.2.2: a serial number is positive and has at most 20 octets.
    private var problemsOfSerialNumber: [CertificateProblem] {
        let serial = serialNumber
        if serial.begins(with: "-") {
            return [CertificateProblem(.serialNumber, .serialNumber, "the serial number is negative")]
        }
        if serial.allSatisfy({ $0 == "0" }) {
            return [CertificateProblem(.serialNumber, .serialNumber, "the serial number is zero")]
        }
        guard serial.utf8.count > 40 else { return [] }
        return [CertificateProblem(.serialNumber, .serialNumber, "the serial number is longer than 20 bytes")]
    }

    /// Number of days before expiry at which a certificate is marked.
    private static let expiryWarningDays: Int64 = 21
    /// Maximum validity period in days of a TLS server certificate on Apple's systems
    /// (https://support.apple.com/en-us/103769, formerly HT210176).
    private static let maximumServerDays: Int64 = 825

    private func problemsOfValidity(_ facts: ExtensionFacts, at now: Timestamp) -> [CertificateProblem] {
        guard let start = notBefore, let end = notAfter else {
            return [CertificateProblem(.unreadableDates, .validity, "the validity period is malformed")]
        }
        var found: [CertificateProblem] = []
        let days = now.days(until: end)
        if now < start {
            found.append(CertificateProblem(.notYetValid, .validity, "the certificate is not valid yet"))
        } else if now > end {
            found.append(CertificateProblem(.expired, .validity, "the certificate has expired"))
        } else if days <= Self.expiryWarningDays {
            found.append(CertificateProblem(.expiresSoon, .validity, "the certificate expires \(now.left(until: end))"))
        }
        let isForHosts = !dnsNames.isEmpty || !ipAddresses.isEmpty
        if !isCA, isForHosts, facts.isForServers, start.days(until: end) > Self.maximumServerDays {
            found.append(
                CertificateProblem(
                    .longValidity, .validity,
                    "Apple's systems accept at most \(Self.maximumServerDays) days for a TLS server:"
                        + " this certificate is valid for \(start.days(until: end)) days"))
        }
        return found
    }

    /// Minimum strength of a key and of a signature's digest (NIST SP 800-57, part 1).
    private static let minimumSecurityBits = 112

    private var problemsOfKeys: [CertificateProblem] {
        var found: [CertificateProblem] = []
        if let bits = keySecurityBits, bits < Self.minimumSecurityBits {
            found.append(
                CertificateProblem(
                    .weakKey, .key,
                    "weak key: \(key) has \(bits) bits of security, fewer than \(Self.minimumSecurityBits)"))
        }
        // Clients do not check the signature of a root.
        if !isSelfIssued, let algorithm = signatureAlgorithm, Self.isWeak(algorithm) {
            found.append(CertificateProblem(.weakSignature, .signature, "weak signature algorithm: \(algorithm)"))
        }
        return found
    }

    private static func isWeak(_ algorithm: String) -> Bool {
        let name = algorithm.lowercased()
        return ["md2", "md4", "md5", "sha1", "ripemd160"].contains { digest in
            name.hasPrefix(digest + "with") || name.hasSuffix("with" + digest) || name.hasSuffix("-" + digest)
        }
    }

    // MARK: Use

    private func problemsOfUse(_ facts: ExtensionFacts) -> [CertificateProblem] {
        var found: [CertificateProblem] = []
        if isCA {
            if let index = facts.basicConstraints, !facts.areConstraintsCritical {
                found.append(
                    CertificateProblem(
                        .constraintsNotCritical, .extension(index),
                        "the basic constraints of a CA must be critical (RFC 5280, section 4.2.1.9)"))
            }
            if let (index, usages) = facts.keyUsage, !usages.contains(.keyCertSign) {
                found.append(
                    CertificateProblem(
                        .noCertificateSigning, .extension(index),
                        "the certificate is a CA, but its key usage does not include keyCertSign"))
            }
            return found
        }
        if let (index, usages) = facts.keyUsage, usages.contains(.keyCertSign) {
            found.append(
                CertificateProblem(
                    .noBasicConstraints, .extension(index),
                    "the key may sign certificates, but the basic constraints do not make this certificate a CA"))
        } else if version == 1, isSelfIssued {
            found.append(
                CertificateProblem(
                    .noBasicConstraints, .version,
                    "a certificate of version 1 has no basic constraints, so it is not a CA"))
        } else if dnsNames.isEmpty, ipAddresses.isEmpty {
            found.append(
                CertificateProblem(
                    .noNames, .names, "the certificate names no host: clients do not use the common name of the subject"
                ))
        }
        if let (index, purposes) = facts.purposes, !facts.isForServers, !purposes.isEmpty {
            found.append(
                CertificateProblem(
                    .wrongPurpose, .extension(index),
                    "the extended key usage does not include serverAuth: not for TLS servers"))
        }
        return found
    }

    private static func problems(of extensions: [CertificateExtension]) -> [CertificateProblem] {
        var found: [CertificateProblem] = []
        var known: Set<OID> = []
        for (index, item) in extensions.enumerated() {
            if !known.insert(item.type).inserted {
                found.append(
                    CertificateProblem(
                        .repeatedExtension, .extension(index), "the certificate has this extension more than once"))
            }
            switch item.content {
            case .malformed(let error):
                found.append(
                    CertificateProblem(.malformedExtension, .extension(index), "malformed extension: \(error)"))
            case .unknown where item.isCritical && item.name == nil:
                found.append(
                    CertificateProblem(
                        .unknownCriticalExtension, .extension(index),
                        "critical and unknown to pinctl: clients that do not know it reject the certificate"))
            case .precertificatePoison:
                found.append(
                    CertificateProblem(
                        .precertificate, .extension(index),
                        "this is a precertificate for transparency logs: clients reject it"))
            default: break
            }
        }
        return found
    }
}

/// What the rules need to know about the extensions.
private struct ExtensionFacts {
    var basicConstraints: Int?
    var areConstraintsCritical = false
    var keyUsage: (index: Int, usages: [KeyUsage])?
    var purposes: (index: Int, purposes: [OID])?

    init(_ extensions: [CertificateExtension]) {
        for (index, item) in extensions.enumerated() {
            switch item.content {
            case .basicConstraints: (basicConstraints, areConstraintsCritical) = (index, item.isCritical)
            case .keyUsage(let usages): keyUsage = (index, usages)
            case .extendedKeyUsage(let purposes): self.purposes = (index, purposes)
            default: break
            }
        }
    }

    /// Whether TLS servers may use the certificate (RFC 5280, section 4.2.1.12): without the extension, any use is allowed.
    var isForServers: Bool {
        guard let purposes else { return true }
        return purposes.purposes.contains {
            ["serverAuth", "anyExtendedKeyUsage"].contains(ObjectName.ofKeyPurpose($0) ?? "")
        }
    }
}
