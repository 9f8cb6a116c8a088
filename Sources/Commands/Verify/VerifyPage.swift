internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTMLReports
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The HTML page of `verify`.
final class VerifyPage {
    private let plan: VerifyPlan
    private let hints: VerifyHints
    private let names: AuthorityNames
    /// The platforms that the set may be for, if neither `--as` nor a manifest names them.
    private let usualPlatforms: SetPlatforms?
    private var contents: ReportContents
    private var gaps: [String] = []

    init(_ plan: VerifyPlan) throws(CommandError) {
        self.plan = plan
        hints = VerifyHints(plan)
        names = AuthorityNames(plan.trust.sources)
        usualPlatforms = plan.namesPlatforms ? nil : try SetPlatforms(of: plan.pins, warn: { _ in })
        contents = ReportContents(at: plan.now)
    }

    /// Adds a host.
    ///
    /// - Parameters:
    ///   - groups: the results of the host's addresses, equal ones together.
    ///   - failing: the most important failure; nil if the host does not fail.
    func add(_ groups: [Verification], failing: Verification?) {
        guard let shown = failing ?? groups.first else { return }
        let platformFails = shown.failsOnPlatform
        var host = ReportedHost(
            index: shown.check.index, name: plan.name(of: shown.check),
            verdict: platformFails ? "a platform rejects" : shown.verdict.rawValue,
            tone: tone(of: shown, failing != nil),
            isFailing: failing != nil)
        host.unicodeName = DomainName.unicode(of: shown.check.target.hostText)
        for group in groups {
            let prefix = groups.count > 1 ? plan.name(of: group) + ": " : ""
            host.reasons += group.reasons(by: plan).map { prefix + $0 }
            for platform in group.platforms {
                let sentence = "\(prefix)\(platform.platform.rawValue) \(platform.verdict.rawValue): \(platform.rule)"
                if platform.isFailure, group.failsOnPlatform {
                    host.reasons.append(sentence)
                } else {
                    host.details.append(sentence)
                }
            }
            if let error = group.failure, case .noPins = group.finding { host.reasons.append(prefix + error.message) }
            if let warning = group.chain.flatMap({ plan.expiryWarning(on: $0) }) { host.notes.append(prefix + warning) }
            host.chains.append(chain(of: group, title: groups.count > 1 ? plan.name(of: group) : nil))
        }
        if let failing {
            let step = failing.failsOnPlatform ? nil : hints.step(after: failing)
            host.nextStep = step ?? hints.generalStep(after: failing)
        }
        host.isContacted = groups.contains { $0.chain != nil || $0.failure != nil }
        if let entry = shown.check.entry { add(entry, of: groups, to: &host) }
        contents.add(host)
    }

    func add(gap: String) { gaps.append(gap) }

    private func tone(of verification: Verification, _ isFailing: Bool) -> Tone {
        if isFailing { return verification.verdict == .unreachable ? .careful : .bad }
        return verification.verdict == .match ? .good : .careful
    }

    private func chain(of group: Verification, title: String?) -> ReportedChain {
        ReportedChain(
            group.chain, group.presentation, host: plan.name(of: group.check), title: title, at: group.addresses,
            now: plan.now
        ) { entry in
            group.matches.filter { $0.certificate.position == entry.position }.map { match in
                let state = match.key.state == .active ? "" : " (\(match.key.state.rawValue))"
                return "matches the pin\(match.key.shownLabel.map { " \($0.quotedExcerpt)" } ?? "")\(state)"
            }
        }
    }

    private func add(_ entry: PinSet.Entry, of groups: [Verification], to host: inout ReportedHost) {
        host.pinsExpire = entry.expires
        if let warning = plan.expiryWarning(on: entry) {
            host.notes.append(warning.message)
            if host.nextStep == nil { host.notes.append(warning.hint) }
        }
        guard contents.keepsSection(of: host) else { return }
        let trusted = groups.compactMap(\.chain).filter(\.isTrusted)
        host.pins = entry.pins.map { pin($0, trusted) }
        let configurations = usualPlatforms?.configurations(for: entry, in: plan.pins.set) ?? plan.platforms
        host.survival = Survival(
            of: entry, for: groups.first?.check.identity.text ?? entry.name, chains: trusted,
            orWhy: groups.contains { $0.chain != nil } ? "the chain is not trusted" : "the host gave no chain",
            on: configurations, at: plan.now, name: { [names] in names.name(of: $0) })
    }

    /// The row of a pin. It states what the chains contain, whether or not the pin is allowed to match.
    private func pin(_ key: PinSet.PinnedKey, _ chains: [CertificateChain]) -> ReportedPin {
        let found = chains.flatMap(\.pins).filter { $0.pin == key.pin }
        let allowed = found.filter { key.role.allows($0.role, at: $0.position) }
        let (status, tone): (String, Tone) =
            if chains.isEmpty {
                ("not compared", .neutral)
            } else if let match = allowed.first {
                key.state == .retired
                    ? ("in the chain, but retired", .bad) : ("matches the \(match.role.rawValue)", .good)
            } else if let other = found.first {
                ("in the chain as \(other.role.rawValue), which its role does not allow", .bad)
            } else {
                ("not in the chain", .neutral)
            }
        return ReportedPin(
            pin: key.pin.base64, role: key.role.rawValue, state: key.state.rawValue,
            name: key.shownLabel ?? names.name(of: key) ?? "", status: status, tone: tone)
    }

    /// The whole page.
    func report(summary: String, _ status: ExitStatus, _ console: Console) -> HTMLReport {
        var report = HTMLReport(
            VerifyCommand.command, input: InputFile.plainName(of: plan.pins.path), time: plan.now, contents: contents,
            gaps: gaps, console)
        report.summary = summary
        if usualPlatforms?.areKnown == false {
            report.notes.append(
                "no platform was named, so the survival table has all usual ones: use --as to select them")
        }
        return report
    }
}
