internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning
internal import Reports

/// Outcomes of a refresh as the text of a pull request or merge request (`--markdown`).
struct RefreshMarkdown {
    let plan: RefreshPlan
    let names: AuthorityNames

    func text(of outcomes: [RefreshOutcome]) -> String {
        let hosts = outcomes.map(host)
        return ChangeSummary(
            lines: [
                ("Result", result(of: outcomes, hosts.map(\.isUnchanged))), ("Changes", changes(in: outcomes)),
                ("Review", review(of: outcomes)),
            ],
            events: RotationForecast.events.map(\.name), hosts: hosts
        ).markdown
    }

    // MARK: First lines

    private func result(of outcomes: [RefreshOutcome], _ unchanged: [Bool]) -> String {
        let changed = outcomes.count { !$0.refresh.edits.isEmpty }
        let failing = outcomes.filter(\.fails)
        let both = failing.count { !$0.refresh.edits.isEmpty }
        let current = unchanged.count(where: \.self)
        var parts: [String] = []
        if current > 0 { parts.append("\(current) \(current == 1 ? "is" : "are") unchanged") }
        if changed > 0 { parts.append("\(changed) \(changed == 1 ? "has" : "have") changes") }
        if !failing.isEmpty {
            let codes = failing.compactMap { $0.errors.first?.code.rawValue }
            let counts = Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
            let kinds = counts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            parts.append("\(failing.count) \(failing.count == 1 ? "needs" : "need") a check (\(kinds))")
        }
        if both > 0 { parts.append("\(both) of them \(both == 1 ? "is" : "are") in both groups") }
        let count = outcomes.count == 1 ? "1 host" : "\(outcomes.count) hosts"
        return "pinctl compared \(count) of \(plan.pins.name) with the servers: \(parts.joined(separator: ", "))."
    }

    private func changes(in outcomes: [RefreshOutcome]) -> String {
        var counts: [(change: ChangeKind, count: Int)] = []
        for change in outcomes.flatMap(changes).map(\.kind) {
            if let index = counts.firstIndex(where: { $0.change == change }) {
                counts[index].count += 1
            } else {
                counts.append((change, 1))
            }
        }
        guard !counts.isEmpty else { return "none." }
        let list = counts.map { $0.change.phrase($0.count) }.joined(separator: ", ")
        return (plan.mode == .write ? "" : "not written yet: ") + list + "."
    }

    /// What the reader must decide.
    private func review(of outcomes: [RefreshOutcome]) -> String {
        let kinds = Set(outcomes.flatMap(changes).map(\.kind))
        var steps: [String] = []
        let failing = outcomes.count(where: \.fails)
        if failing > 0 {
            steps.append("find out why \(failing) \(failing == 1 ? "host needs" : "hosts need") a check")
        }
        if !kinds.isDisjoint(with: [.added, .reinstated]) {
            let isAccepted = outcomes.contains { outcome in
                (outcome.refresh.observations + outcome.refresh.otherObservations).contains { $0.verdict == .accepted }
            }
            steps.append(
                "confirm that the new keys belong to the servers' operators ("
                    + (isAccepted
                        ? "--accept-new was used, so a chain did not need to match a pin of the set)"
                        : "each is from a trusted chain that matches a pin of the set)"))
        }
        if kinds.contains(.retired) {
            steps.append("confirm that no server uses the retired pins, because apps with this set reject them")
        }
        guard steps.isEmpty else { return steps.joined(separator: "; ") + "." }
        return kinds.isEmpty
            ? "nothing to decide." : "nothing to decide: the changes neither add keys of servers nor retire pins."
    }

    // MARK: Hosts

    private func host(_ outcome: RefreshOutcome) -> ChangeSummary.Host {
        let changes = changes(in: outcome)
        return ChangeSummary.Host(
            name: outcome.name, changes: changes.map(\.change),
            problems: outcome.findings.filter { $0.severity != .note && !$0.code.isShownInRow }.map { finding in
                ChangeSummary.Problem(
                    isError: finding.severity == .error, message: finding.message, nextStep: finding.hint)
            },
            outcomes: changes.isEmpty ? [] : forecast(outcome),
            diagrams: changes.isEmpty && !outcome.fails ? [] : diagrams(outcome))
    }

    private func forecast(_ outcome: RefreshOutcome) -> [String] {
        guard let forecast = outcome.forecast else { return [] }
        return RotationForecast.events.map { _, path in
            let exceptions = outcome.exceptions(path).map { "on \($1.joined(conjunction: "and")): \($0.words.0)" }
            return ([forecast[keyPath: path].words.0] + exceptions).joined(separator: "; ")
        }
    }

    /// The chains of a host, without duplicates.
    private func diagrams(_ outcome: RefreshOutcome) -> [ChainDiagram] {
        let entry = outcome.refresh.changed
        let known = Set(outcome.refresh.entry.pins.map(\.pin))
        var seen: Set<[Pin]> = []
        return (outcome.refresh.observations + outcome.refresh.otherObservations).compactMap { observation in
            guard let chain = observation.chain, seen.insert(chain.entries.map(\.certificate.pin)).inserted else {
                return nil
            }
            let remark = observation.verdict == .mismatch ? ", but no pin matches" : ""
            let title = "\(outcome.name)  \(chain.verdict)\(remark)"
            return ChainDiagram(title: title, chain, pinMark: chain.pinMark, at: plan.rules.now) { link in
                guard chain.isTrusted else { return nil }
                let pin = ChainPin(role: link.role, position: link.position, pin: link.certificate.pin)
                guard let key = entry.pins.first(where: { $0.state != .retired && $0.matches(pin) }) else { return nil }
                return known.contains(key.pin) ? "pinned" : "newly pinned"
            }
        }
    }

    // MARK: Changes

    /// Kinds of changes, in the order of the first line.
    private enum ChangeKind: Hashable {
        case added, reinstated, promoted, returned, gone, retired, backup, date

        func phrase(_ count: Int) -> String {
            let (noun, verb) =
                switch self {
                case .added: ("pin", "added")
                case .reinstated: ("retired pin", "made active again")
                case .promoted: ("backup", "made active")
                case .returned: ("pin", "no longer marked as gone")
                case .gone: ("pin", "marked as gone")
                case .retired: ("pin", "retired")
                case .backup: ("backup", "added")
                case .date: ("date", "updated")
                }
            return "\(count) \(noun)\(count == 1 ? "" : "s") \(verb)"
        }

        var verb: String {
            switch self {
            case .added: "added"
            case .reinstated, .promoted: "made active"
            case .returned: "served again"
            case .gone: "marked as gone"
            case .retired: "retired"
            case .backup: "backup added"
            case .date: "date updated"
            }
        }
    }

    private func changes(in outcome: RefreshOutcome) -> [(kind: ChangeKind, change: ChangeSummary.Change)] {
        let refresh = outcome.refresh
        var changes = refresh.added.map { added in
            guard added.chainPin != nil else {
                return change(.backup, added.key, "matches only when a server uses this key")
            }
            let end = added.key.notAfter.map { ", valid until \($0.date)" } ?? ""
            return change(.added, added.key, "apps with this set accept the key that is in the chain now\(end)")
        }
        for pin in refresh.pins {
            switch pin.status {
            case .returned: changes.append(change(.returned, pin.key, "in the chain again, so it stays active"))
            case .reinstated:
                changes.append(change(.reinstated, pin.key, "in the chain again, so apps accept it again"))
            case .gone(let since, let retires, isNoted: false):
                changes.append(
                    change(
                        .gone, pin.key,
                        "not served since \(since.date); apps still accept it, and it "
                            + (retires.map { "is retired on \($0.date)" } ?? RefreshFindings.staysActive)))
            case .retires(let since):
                changes.append(
                    change(.retired, pin.key, "not served since \(since.date); apps with this set reject it"))
            case .backupPromoted:
                changes.append(change(.promoted, pin.key, "in the chain; another backup remains"))
            case .wrongRole(isMarked: true):
                changes.append(
                    change(.returned, pin.key, "its key is in the chain in another role, so it stays active"))
            case .served, .wrongRole, .retiredServed, .gone, .unserved, .unknown, .backup, .backupServed, .retired:
                break
            }
        }
        for case .change(.notAfter(let end?), _, let index) in refresh.edits
        where refresh.entry.pins.indices.contains(index) {
            changes.append(
                change(
                    .date, refresh.entry.pins[index], "the certificate is valid until \(end.date); nothing else changes"
                ))
        }
        return changes
    }

    private func change(
        _ kind: ChangeKind, _ key: PinSet.PinnedKey, _ effect: String
    ) -> (kind: ChangeKind, change: ChangeSummary.Change) {
        (
            kind,
            ChangeSummary.Change(
                verb: kind.verb, role: key.role.rawValue, name: key.shownLabel ?? names.name(of: key) ?? "",
                pin: key.pin.base64, effect: effect)
        )
    }
}

extension RefreshOutcome {
    /// The errors that a person must check. The others are differences that --check reports.
    fileprivate var errors: [RefreshFinding] {
        findings.filter { $0.severity == .error && !$0.code.isShownInRow }
    }

    fileprivate var fails: Bool { !errors.isEmpty }
}
