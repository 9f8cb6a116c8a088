internal import CertificateDetails
internal import CommandSupport
internal import Encodings
internal import Pinning

/// The fields of one certificate as lines of a label and a value.
struct CertificateText {
    let style: Style
    /// Maximum width in columns. A word that is wider has a line of its width.
    let width: Int
    let now: Timestamp

    private static let labelColumns = 18
    /// Maximum number of bytes of an unknown value that the text shows.
    private static let maximumBytes = 256

    /// The certificate below a title.
    ///
    /// - Parameter isVerified: whether the certificate is from a file or a trusted chain; otherwise the pin is marked.
    func block(_ title: String, _ certificate: Certificate, isVerified: Bool) -> String {
        let extensions = certificate.extensions
        let problems = certificate.problems(in: extensions, at: now)
        func found(_ field: CertificateProblem.Field) -> String { self.problems(problems.filter { $0.field == field }) }
        var text = style(.strong, title) + ChainText.gap + (certificate.subject?.displayName ?? "").escaped + "\n"
        text += row("subject", [name(certificate.subject)])
        text += row("issuer", [name(certificate.issuer)])
        text += row("serial number", [certificate.serialNumber]) + found(.serialNumber)
        if certificate.version != 3 || !problems.allSatisfy({ $0.field != .version }) {
            text += row("version", [certificate.version.map(String.init) ?? "malformed"]) + found(.version)
        }
        text += row("valid from", [certificate.notBefore?.description ?? "malformed"])
        text += row("valid until", [certificate.notAfter.map(end) ?? "malformed"]) + found(.validity)
        text += row("key", [key(of: certificate)]) + found(.key)
        text += row("signature", [certificate.signatureAlgorithm ?? "malformed"]) + found(.signature)
        text += found(.names)
        for (index, item) in extensions.enumerated() {
            text += row(label(of: item), lines(of: item)) + found(.extension(index))
        }
        // The digest is too wide for the column of values, and people copy it as one word.
        text += ChainText.indentation + style(.quiet, "SHA-256") + ChainText.gap + Hex.encode(certificate.sha256) + "\n"
        if let sha1 = certificate.sha1 { text += row("SHA-1", [Hex.encode(sha1)]) }
        let mark = isVerified ? "" : " " + style(.bad, "(unverified)")
        text += row("pin", [certificate.pin.base64 + mark])
        if let known = KnownAuthorities.name(of: certificate.pin) { text += row("known CA", [known.escaped]) }
        return text
    }

    /// A label and its values, each on a new line.
    func row(_ label: String, _ values: [String]) -> String {
        let start = ChainText.indentation + style(.quiet, label.padded(to: Self.labelColumns)) + ChainText.gap
        let blank = String(repeating: " ", count: ChainText.indentation.count + Self.labelColumns + ChainText.gap.count)
        let room = max(20, width - blank.count)
        let lines = values.flatMap { $0.wrapped(to: room) }
        guard let first = lines.first else { return start.trimmingEnd + "\n" }
        return start + first + "\n" + lines.dropFirst().map { blank + $0 + "\n" }.joined()
    }

    /// The stapled revocation status of a host.
    func rows(of status: StapledStatus) -> String {
        let (text, emphasis): (String, Style.Emphasis?) =
            switch status.verdict {
            case .good: ("good", .good)
            case .revoked: ("revoked", .bad)
            case .unknown: ("the responder does not know the certificate", .bad)
            case .absent: ("no response stapled", nil)
            case .outdated:
                (
                    status.thisUpdate.map { $0 > now } ?? false
                        ? "response that is not valid yet" : "outdated response", .bad
                )
            case .invalid: ("response not usable: \(status.reason ?? "")", .bad)
            }
        var parts = [emphasis.map { style($0, text.escaped) } ?? text.escaped]
        if let time = status.thisUpdate { parts.append("from \(time)") }
        if let time = status.nextUpdate { parts.append("until \(time)") }
        return row("OCSP status", [parts.joined(separator: " ")])
    }

    // MARK: Fields

    private func name(_ name: DistinguishedName?) -> String {
        guard let name else { return "malformed" }
        return name.isEmpty ? "empty" : name.description.escaped
    }

    private func end(_ time: Timestamp) -> String {
        guard time < now else { return "\(time) (\(now.left(until: time)))" }
        let days = time.days(until: now)
        return "\(time) (\(days == 0 ? "less than a day" : days == 1 ? "1 day" : "\(days) days") ago)"
    }

    private func key(of certificate: Certificate) -> String {
        let strength = certificate.keySecurityBits.map { " (\($0) bits of security)" } ?? ""
        return certificate.key.description.escaped + strength
    }

    private func problems(_ problems: [CertificateProblem]) -> String {
        problems.map { problem in
            let emphasis: Style.Emphasis = problem.severity == .error ? .bad : .careful
            let room = max(20, width - Self.labelColumns - 2 * ChainText.gap.count)
            let lines = "\(problem.severity.rawValue): \(problem.message.escaped)".wrapped(to: room)
            let blank = String(
                repeating: " ", count: ChainText.indentation.count + Self.labelColumns + ChainText.gap.count)
            return lines.map { blank + style(emphasis, $0) + "\n" }.joined()
        }.joined()
    }

    // MARK: Extensions

    private func label(of item: CertificateExtension) -> String {
        switch item.name {
        case "subjectAltName": "names"
        case "issuerAltName": "issuer names"
        case "basicConstraints": "basic constraints"
        case "keyUsage": "key usage"
        case "extKeyUsage": "extended key usage"
        case "nameConstraints": "name constraints"
        case "certificatePolicies": "policies"
        case "policyMappings": "policy mappings"
        case "policyConstraints": "policy constraints"
        case "inhibitAnyPolicy": "inhibit any policy"
        case "authorityInfoAccess": "issuer access"
        case "subjectInfoAccess": "subject access"
        case "cRLDistributionPoints": "CRL"
        case "freshestCRL": "delta CRL"
        case "subjectKeyIdentifier": "subject key ID"
        case "authorityKeyIdentifier": "authority key ID"
        case "signedCertificateTimestampList": "transparency log"
        case "precertificatePoison": "precertificate"
        case "tlsFeature": "must-staple"
        case "ocspNoCheck": "no OCSP check"
        case let name?: name
        case nil: item.type.dotted
        }
    }

    private func lines(of item: CertificateExtension) -> [String] {
        let values = values(of: item).map(\.escaped)
        guard item.isCritical else { return values.isEmpty ? ["yes"] : values }
        guard let first = values.first else { return ["critical"] }
        return ["critical: " + first] + values.dropFirst()
    }

    private func values(of item: CertificateExtension) -> [String] {
        switch item.content {
        case .subjectAlternativeNames(let names), .issuerAlternativeNames(let names):
            return names.isEmpty ? ["empty"] : names.map(Self.text)
        case .basicConstraints(let isAuthority, let maximum):
            guard isAuthority else { return ["not a CA"] }
            return ["CA" + (maximum.map { ", at most \($0) CA certificates below it" } ?? "")]
        case .keyUsage(let usages): return [usages.isEmpty ? "empty" : usages.map(\.name).joined(separator: ", ")]
        case .extendedKeyUsage(let purposes):
            return [purposes.map { ObjectName.ofKeyPurpose($0) ?? $0.dotted }.joined(separator: ", ")]
        case .nameConstraints(let permitted, let excluded):
            return permitted.map { "permitted \(Self.text($0.base))" }
                + excluded.map { "excluded \(Self.text($0.base))" }
        case .policies(let policies): return policies.flatMap(Self.lines)
        case .policyMappings(let mappings): return mappings.map { "\($0.issuer.dotted) is \($0.subject.dotted)" }
        case .policyConstraints(let explicit, let mapping):
            return [
                explicit.map { "explicit policy required after \($0) certificates" },
                mapping.map { "no policy mapping after \($0) certificates" },
            ].compactMap(\.self)
        case .inhibitAnyPolicy(let count): return ["after \(count) certificates"]
        case .access(let descriptions):
            return descriptions.map { access in
                "\(ObjectName.ofAccessMethod(access.method) ?? access.method.dotted) \(Self.value(access.location))"
            }
        case .distributionPoints(let points): return points.flatMap { ($0.names + $0.issuer).map(Self.value) }
        case .subjectKeyIdentifier(let bytes): return [Hex.encode(bytes)]
        case .authorityKeyIdentifier(let key, let issuer, let serial):
            return [key.map { Hex.encode($0) }].compactMap(\.self)
                + issuer.map { "issuer \(Self.text($0))" }
                + [serial.map { "serial number \(Hex.encode($0))" }].compactMap(\.self)
        case .signedTimestamps(let timestamps):
            return timestamps.map { timestamp in
                "\(timestamp.time?.description ?? "malformed time") log \(Base64.encode(timestamp.logIdentifier))"
            }
        case .precertificatePoison, .noRevocationCheck: return []
        case .tlsFeatures(let features): return [features.map(ObjectName.ofTLSFeature).joined(separator: ", ")]
        case .malformed, .unknown: return Self.hex(item.value)
        }
    }

    /// A name with its type.
    private static func text(_ name: GeneralName) -> String { "\(name.kind) \(value(name))" }

    /// A name; a DNS name that people write in Unicode in both forms.
    private static func value(_ name: GeneralName) -> String {
        guard case .dns(let text) = name, let unicode = DomainName.unicode(of: text) else { return name.text }
        return "\(text) (\(unicode))"
    }

    private static func lines(of policy: CertificatePolicy) -> [String] {
        [policy.type.dotted + (ObjectName.ofPolicy(policy.type).map { " \($0)" } ?? "")]
            + policy.statements.map { "statement \($0)" } + policy.notices.map { "notice \($0)" }
    }

    /// Bytes in groups of 24, of which at most ``maximumBytes`` are shown. No group of a private key is, because only its start tells that
    /// it is one.
    private static func hex(_ bytes: [UInt8]) -> [String] {
        let all = Hex.encode(bytes)
        guard !all.containsPrivateKey else { return [String(all.withoutPrivateKeys.prefix(48))] }
        let shown = bytes.prefix(maximumBytes)
        let lines = stride(from: 0, to: shown.count, by: 24).map { Hex.encode(shown[$0..<min($0 + 24, shown.count)]) }
        guard bytes.count > shown.count else { return lines }
        return lines + ["and \(bytes.count - shown.count) more bytes (--format json shows all)"]
    }
}

extension String {
    fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
