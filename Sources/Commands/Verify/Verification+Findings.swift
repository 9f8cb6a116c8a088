internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Findings and measurements of a host, for CI documents.
extension Verification {
    /// Codes of findings; part of the interface.
    enum Code: String, CaseIterable {
        case mismatch, untrusted
        case expired = "pins-expired"
        case noPins = "no-pins"
        case unreachable
        case platformRejects = "platform-rejects"
        case platformRefusesConfig = "platform-refuses-config"
        case platformNotPinned = "platform-not-pinned"
        case expiresSoon = "pins-expire-soon"
        case certificateExpiresSoon = "certificate-expires-soon"
        case unfinishedHandshake = "unfinished-handshake"
        case alternativePath = "alternative-path"

        var summary: String {
            switch self {
            case .mismatch: "the chain is valid, but it contains no pin of the set"
            case .untrusted: "the chain is not trusted, so no pin was compared"
            case .expired: "the pins of the entry have expired: apps would accept any trusted chain"
            case .noPins: "no entry of the set covers the host"
            case .unreachable: "the host gave no chain, so its pins could not be checked"
            case .platformRejects: "a platform would reject the connection"
            case .platformRefusesConfig: "a platform would refuse the pin set"
            case .platformNotPinned: "a platform would not compare pins"
            case .expiresSoon: "the pins of the entry expire soon"
            case .certificateExpiresSoon: "the server's certificate expires soon"
            case .unfinishedHandshake: "nothing authenticated the handshake, so clients may get another chain"
            case .alternativePath: "the chain matches, but clients with OpenSSL reject it"
            }
        }
    }

    static let rules = Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }

    /// The host as a test case of a CI document.
    ///
    /// - Parameter others: The case with the results of the host's other addresses so far. The measurements are those of the first
    ///   address, because a metric has one value for each host.
    func checkCase(by plan: VerifyPlan, after others: CheckCase?) -> CheckCase {
        let findings = (others?.findings ?? []) + findings(by: plan)
        let measurements = others.map(\.measurements) ?? []
        var item = CheckCase(
            name: plan.name(of: check), findings: findings,
            measurements: measurements.isEmpty ? self.measurements : measurements
        )
        item.isOnlyReported = isOnlyReported || others?.isOnlyReported == true
        return item
    }

    private func findings(by plan: VerifyPlan) -> [CheckFinding] {
        let step = VerifyHints(plan).step(after: self)
        let own: CheckFinding? =
            switch finding {
            case .noPins: finding(.noPins, "\(plan.pins.name) has no entry that covers this host", step, plan)
            case .unreachable(let error): unreachable(error.message, error.hint, plan)
            case .untrusted(let chain): finding(.untrusted, chain.reason, step, plan)
            case .evaluated(let evaluation, let chain):
                switch evaluation.verdict {
                case .match, .noPins: nil
                case .mismatch: mismatch(in: chain, step, plan)
                case .expired(let date):
                    finding(.expired, "the pins expired on \(date.date)", step, plan)
                }
            }
        let platforms = platforms.compactMap { platform -> CheckFinding? in
            let code: Code
            switch platform.verdict {
            case .rejects where failsOnPlatform: code = .platformRejects
            case .rejects: return nil
            case .refusesConfig: code = .platformRefusesConfig
            case .notPinned where asPlatform != .notPinned: code = .platformNotPinned
            case .accepts, .notPinned: return nil
            }
            return finding(code, "\(platform.platform.rawValue): \(platform.rule)", nil, plan)
        }
        let warnings = [
            expiresSoon(plan), certificateExpiresSoon(plan), unfinishedHandshake(plan), alternativePath(plan),
        ]
        return [own].compactMap(\.self) + platforms + warnings.compactMap(\.self)
    }

    private func mismatch(in chain: CertificateChain, _ step: String?, _ plan: VerifyPlan) -> CheckFinding {
        var finding = finding(.mismatch, mismatch(in: chain), step, plan)
        finding.title = KeyChange.title(from: expected, to: chain) ?? "no pin matches"
        return finding
    }

    /// A sentence with the expected pins and the pins of the chain.
    private func mismatch(in chain: CertificateChain) -> String {
        let expected = expected.map { "\($0.pin.base64) (\($0.shownLabel ?? $0.role.rawValue))" }
        let seen = chain.entries.map { "\($0.certificate.pin.base64) (\($0.role.rawValue))" }
        let list = expected.isEmpty ? "none, because all pins are retired" : expected.joined(separator: ", ")
        return "the chain is valid, but no pin matches: expected \(list); seen \(seen.joined(separator: ", "))"
    }

    private func expiresSoon(_ plan: VerifyPlan) -> CheckFinding? {
        guard let entry = check.entry, let warning = plan.expiryWarning(on: entry) else { return nil }
        return finding(.expiresSoon, warning.message, warning.hint, plan)
    }

    private func certificateExpiresSoon(_ plan: VerifyPlan) -> CheckFinding? {
        guard let message = chain.flatMap({ plan.expiryWarning(on: $0) }) else { return nil }
        return finding(.certificateExpiresSoon, message, nil, plan)
    }

    private func unfinishedHandshake(_ plan: VerifyPlan) -> CheckFinding? {
        unfinishedHandshake.map { finding(.unfinishedHandshake, $0.message, $0.hint, plan) }
    }

    private func alternativePath(_ plan: VerifyPlan) -> CheckFinding? {
        detour.map { finding(.alternativePath, $0.reason, $0.step, plan) }
    }

    private func unreachable(_ message: String, _ hint: String?, _ plan: VerifyPlan) -> CheckFinding {
        var finding = finding(.unreachable, message, hint, plan)
        finding.isInconclusive = true
        return finding
    }

    private func finding(_ code: Code, _ message: String, _ hint: String?, _ plan: VerifyPlan) -> CheckFinding {
        let location = addresses.isEmpty ? "" : "at \(addresses.map(\.host).joined(conjunction: "and")): "
        return CheckFinding(
            code: code.rawValue, severity: severity(of: code), host: plan.name(of: check), message: location + message,
            hint: hint, file: plan.pins.path, line: check.entry?.position?.line
        )
    }

    private func severity(of code: Code) -> CheckFinding.Severity {
        switch code {
        case .mismatch: isOnlyReported ? .warning : .error
        case .platformNotPinned, .expiresSoon, .certificateExpiresSoon, .unfinishedHandshake, .alternativePath: .warning
        default: .error
        }
    }

    /// The expiry times of the host's pins and certificates.
    private var measurements: [CheckMeasurement] {
        var measurements: [CheckMeasurement] = []
        if let expires = check.entry?.expires {
            measurements.append(
                CheckMeasurement(
                    name: "pins_expiry_timestamp_seconds", help: "Expiry of the host's pins, in seconds since 1970",
                    value: expires.secondsSince1970
                )
            )
        }
        for entry in chain?.entries ?? [] {
            guard let end = entry.certificate.notAfter else { continue }
            measurements.append(
                CheckMeasurement(
                    name: "certificate_expiry_timestamp_seconds",
                    help: "Expiry of the certificate, in seconds since 1970",
                    labels: [("position", String(entry.position)), ("role", entry.role.rawValue)],
                    value: end.secondsSince1970
                )
            )
        }
        return measurements
    }
}
