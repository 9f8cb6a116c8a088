internal import Fetching
internal import Pinning

/// What continuous integration is told of a host.
extension Verification {
    /// The codes of findings; part of the interface.
    enum Code: String, CaseIterable {
        case mismatch, untrusted
        case expired = "pins-expired"
        case noPins = "no-pins"
        case unreachable
        case platformRejects = "platform-rejects"
        case platformRefusesConfig = "platform-refuses-config"
        case platformNotPinned = "platform-not-pinned"
        case expiresSoon = "pins-expire-soon"

        var summary: String {
            switch self {
            case .mismatch: "the chain validates, and no pin of the set is in it"
            case .untrusted: "the chain does not validate, so no pin was compared"
            case .expired: "the pins hold no more by the set's own date: apps would accept any trusted chain"
            case .noPins: "the set has no entry that covers the host"
            case .unreachable: "the host gave no chain, so nothing is known of its pins"
            case .platformRejects: "a platform would reject the connection by its own rules"
            case .platformRefusesConfig: "a platform does not take the pin set at all"
            case .platformNotPinned: "a platform would compare no pin"
            case .expiresSoon: "the pins soon hold no more by the set's own date"
            }
        }
    }

    static let rules = Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }

    /// - Parameter plan: which knows the pin set's file.
    func checkCase(by plan: VerifyPlan) -> CheckCase {
        CheckCase(name: plan.name(of: check), findings: findings(by: plan), measurements: measurements)
    }

    private func findings(by plan: VerifyPlan) -> [CheckFinding] {
        let step = VerifyAdvice(plan).step(after: self)
        let own: CheckFinding? =
            switch finding {
            case .noPins: finding(.noPins, "\(plan.pins.name) has no entry that covers this host", step, plan)
            case .unreachable(let error): unreachable(error.message, error.hint, plan)
            case .untrusted(let chain): finding(.untrusted, chain.reason, step, plan)
            case .judged(let judgement, let chain):
                switch judgement.verdict {
                case .match, .noPins: nil
                case .mismatch: finding(.mismatch, mismatch(in: chain), step, plan)
                case .expired(let date):
                    finding(.expired, "the pins hold no more since \(date.date), by the set's own date", step, plan)
                }
            }
        let platforms = platforms.compactMap { platform -> CheckFinding? in
            let code: Code
            switch platform.verdict {
            case .rejects where verdict == .match: code = .platformRejects
            case .rejects: return nil
            case .refusesConfig: code = .platformRefusesConfig
            case .notPinned where asPlatform != .notPinned: code = .platformNotPinned
            case .accepts, .notPinned: return nil
            }
            return finding(code, "\(platform.platform.rawValue): \(platform.rule)", nil, plan)
        }
        return [own].compactMap(\.self) + platforms + [expiresSoon(plan)].compactMap(\.self)
    }

    /// What was expected and what was seen, in a sentence.
    private func mismatch(in chain: Chain) -> String {
        let expected = expected.map { "\($0.pin.base64) (\($0.label ?? $0.role.rawValue))" }
        let seen = chain.entries.map { "\($0.certificate.pin.base64) (\($0.role.rawValue))" }
        let list = expected.isEmpty ? "none, for all are retired" : expected.joined(separator: ", ")
        return "the chain is valid, but no pin matches: expected \(list); seen \(seen.joined(separator: ", "))"
    }

    private func expiresSoon(_ plan: VerifyPlan) -> CheckFinding? {
        guard let entry = check.entry, let warning = plan.expiryWarning(on: entry) else { return nil }
        return finding(.expiresSoon, warning.message, warning.hint, plan)
    }

    private func unreachable(_ message: String, _ hint: String?, _ plan: VerifyPlan) -> CheckFinding {
        var finding = finding(.unreachable, message, hint, plan)
        finding.isInconclusive = true
        return finding
    }

    private func finding(_ code: Code, _ message: String, _ hint: String?, _ plan: VerifyPlan) -> CheckFinding {
        CheckFinding(
            code: code.rawValue, severity: severity(of: code), host: plan.name(of: check), message: message,
            hint: hint, file: plan.pins.path, line: check.entry?.position?.line
        )
    }

    private func severity(of code: Code) -> CheckFinding.Severity {
        switch code {
        case .mismatch: isOnlyReported ? .warning : .error
        case .platformNotPinned, .expiresSoon: .warning
        default: .error
        }
    }

    /// Until when the host's pins and certificates hold.
    private var measurements: [CheckMeasurement] {
        var measurements: [CheckMeasurement] = []
        if let expires = check.entry?.expires {
            measurements.append(
                CheckMeasurement(
                    name: "pins_expiry_timestamp_seconds", help: "When the pins of the host end, in seconds since 1970",
                    value: expires.secondsSince1970
                )
            )
        }
        for entry in chain?.entries ?? [] {
            guard let end = entry.certificate.notAfter else { continue }
            measurements.append(
                CheckMeasurement(
                    name: "certificate_expiry_timestamp_seconds",
                    help: "When the certificate ends, in seconds since 1970",
                    labels: [("position", String(entry.position)), ("role", entry.role.rawValue)],
                    value: end.secondsSince1970
                )
            )
        }
        return measurements
    }
}
