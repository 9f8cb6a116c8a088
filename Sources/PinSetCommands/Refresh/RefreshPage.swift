internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTMLReports
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The HTML page of `refresh`.
struct RefreshPage {
    private let plan: RefreshPlan
    private let names: AuthorityNames
    private let text: RefreshText

    init(_ plan: RefreshPlan, _ console: Console) {
        self.plan = plan
        names = AuthorityNames(plan.trust.sources)
        text = RefreshText(style: Style(.never, on: console), width: nil, now: plan.rules.now, names: names)
    }

    func report(
        on outcomes: [RefreshOutcome], summary: String, _ console: Console
    ) -> HTMLReport {
        var contents = ReportContents(at: plan.rules.now)
        for (index, outcome) in outcomes.enumerated() { contents.add(host(outcome, at: index, in: contents)) }
        var report = HTMLReport(
            RefreshCommand.command, input: InputFile.plainName(of: plan.path), time: plan.rules.now, contents: contents,
            console)
        report.summary = summary
        if !plan.platforms.areKnown {
            report.notes.append("no manifest names the platforms of the set, so the survival table has all usual ones")
        }
        return report
    }

    private func host(_ outcome: RefreshOutcome, at index: Int, in contents: ReportContents) -> ReportedHost {
        let (verdict, emphasis) = text.verdict(of: outcome)
        let fails = outcome.status != .success
        let tone: Tone = fails ? (outcome.status == .undecided ? .careful : .bad) : Tone(emphasis)
        var host = ReportedHost(index: index, name: outcome.name, verdict: verdict, tone: tone, isFailing: fails)
        host.unicodeName = DomainName.unicode(of: outcome.refresh.entry.name)
        let errors = outcome.findings.filter { $0.severity == .error }
        host.reasons = errors.map(\.message)
        host.nextStep = errors.lazy.compactMap(\.hint).first
        let others = outcome.findings.filter { $0.severity != .error && !$0.code.isShownInRow }
        host.notes = others.map { finding in finding.message + (finding.hint.map { "; next: \($0)" } ?? "") }
        host.chains = chains(of: outcome)
        let entry = outcome.refresh.entry
        host.pinsExpire = entry.expires
        guard contents.keepsSection(of: host) else { return host }
        host.pins = pins(of: outcome)
        let predicted = plan.mode == .write ? outcome.refresh.changed : outcome.refresh.noted
        host.survival = Survival(
            of: predicted, for: entry.name, chains: outcome.refresh.forecastChains,
            orWhy: "no chain of the host is trusted and has a pin of the set",
            on: plan.platforms.configurations(for: predicted, in: plan.pins.set), at: plan.rules.now,
            name: { [names] in names.name(of: $0) })
        return host
    }

    private func chains(of outcome: RefreshOutcome) -> [ReportedChain] {
        let entry = outcome.refresh.entry
        func matches(_ certificate: CertificateChain.Entry) -> [String] {
            let keys = entry.pins.filter { key in
                key.state != .retired && key.pin == certificate.certificate.pin
                    && key.role.allows(certificate.role, at: certificate.position)
            }
            return keys.map { "matches the pin\($0.shownLabel.map { " \($0.quotedExcerpt)" } ?? "")" }
        }
        let isSingle = outcome.addresses.count == 1 && outcome.otherChains.isEmpty
        let first = outcome.addresses.map { address in
            ReportedChain(
                address.chain, try? address.result.get(), host: address.target.description,
                title: isSingle ? nil : address.name, at: [address.endpoint].compactMap(\.self), now: plan.rules.now,
                matches: { address.chain?.isTrusted == true ? matches($0) : [] })
        }
        let others = outcome.otherChains.map { other in
            let address = outcome.addresses[other.address]
            return ReportedChain(
                other.chain, nil, host: address.target.description, title: "\(address.name), \(other.title)",
                at: [address.endpoint].compactMap(\.self), now: plan.rules.now,
                matches: { other.chain.isTrusted ? matches($0) : [] })
        }
        return first + others
    }

    private func pins(of outcome: RefreshOutcome) -> [ReportedPin] {
        guard !outcome.refresh.chains.isEmpty else {
            return outcome.refresh.entry.pins.map { key in
                ReportedPin(
                    pin: key.pin.base64, role: key.role.rawValue, state: key.state.rawValue,
                    name: key.shownLabel ?? names.name(of: key) ?? "", status: "not compared", tone: .neutral)
            }
        }
        return text.pinRows(of: outcome).map { row in
            ReportedPin(
                pin: row.pin, role: row.role, state: row.status, name: row.name, status: row.remark,
                tone: Tone(row.emphasis))
        }
    }
}

extension Tone {
    fileprivate init(_ emphasis: Style.Emphasis) {
        self =
            switch emphasis {
            case .good: .good
            case .careful: .careful
            case .bad: .bad
            default: .neutral
            }
    }
}
