internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Outcomes of a refresh as text: a block for each host with a row for each pin.
struct RefreshText {
    let style: Style
    /// Maximum width in columns; nil for no limit.
    let width: Int?
    let now: Timestamp
    let names: AuthorityNames

    func block(of outcome: RefreshOutcome) -> String {
        heading(outcome) + rows(of: outcome) + forecast(outcome) + sentences(of: outcome)
    }

    /// The verdict in words.
    func verdict(of outcome: RefreshOutcome) -> (String, Style.Emphasis) {
        switch outcome.verdict {
        case .current where outcome.status != .success: ("needs attention", .bad)
        case .changed where outcome.status != .success: ("changed, needs attention", .bad)
        case .current: ("up to date", .good)
        case .changed: ("changed", .good)
        case .different: ("out of date", .careful)
        case .mismatch: (outcome.isMismatchOnlyForOthers ? "no pin matches for some clients" : "no pin matches", .bad)
        case .untrusted: (outcome.isUntrustedOnlyForOthers ? "not trusted for some clients" : "not trusted", .bad)
        case .unreachable: (outcome.refresh.chains.isEmpty ? "not reached" : "not reached at all addresses", .bad)
        case .expired: ("expired", .bad)
        }
    }

    private func heading(_ outcome: RefreshOutcome) -> String {
        let (word, emphasis) = verdict(of: outcome)
        let count = outcome.addressCount
        let addresses = count > 1 ? ChainText.gap + style(.quiet, "\(count) addresses") : ""
        let proxy = outcome.addresses.lazy.compactMap(\.proxy).first
        let through = proxy.map { ChainText.gap + style(.quiet, "through \($0)") } ?? ""
        return style(.strong, outcome.name) + ChainText.gap + style(emphasis, word) + addresses + through + "\n"
    }

    // MARK: Pins

    /// A pin of the entry, or one that is added.
    struct Row {
        let status: String
        let emphasis: Style.Emphasis
        let role: String
        let pin: String
        let name: String
        let remark: String
    }

    /// One row for each pin. Without a usable chain, the status of every pin is unknown.
    func pinRows(of outcome: RefreshOutcome) -> [Row] {
        let isWritten = outcome.mode == .write
        let unknownBackups = Set(outcome.findings.filter { $0.code == .backupUnknown }.compactMap(\.pin))
        return outcome.refresh.pins.map { row(of: $0, in: outcome, unknownBackups) }
            + outcome.refresh.added.map { added in
                let isBackup = added.chainPin == nil
                let verb = isWritten ? "added" : "to be added"
                return Row(
                    status: isBackup ? "backup" : "new", emphasis: .careful, role: added.key.role.rawValue,
                    pin: added.key.pin.base64, name: added.key.shownLabel ?? "",
                    remark: isBackup
                        ? verb : [verb, end(added.key.notAfter)].compactMap(\.self).joined(separator: ", "))
            }
    }

    private func rows(of outcome: RefreshOutcome) -> String {
        guard !outcome.refresh.chains.isEmpty else { return "" }
        let rows = pinRows(of: outcome)
        let status = rows.map(\.status.columns).max() ?? 0
        var text = ""
        for row in rows {
            let start = ChainText.indentation + style(row.emphasis, row.status.padded(to: status)) + ChainText.gap
            let indent = ChainText.indentation.count + status + ChainText.gap.count
            let room = width.map { max(12, $0 - indent - ChainText.roleColumns - ChainText.gap.count) }
            let (name, remark) = (row.name.escaped, row.remark.escaped)
            let words = name.isEmpty ? remark : "\(name): \(remark)"
            for (number, line) in words.wrapped(to: room).enumerated() {
                text +=
                    number == 0
                    ? start + row.role.padded(to: ChainText.roleColumns) + ChainText.gap
                    : String(repeating: " ", count: indent + ChainText.roleColumns + ChainText.gap.count)
                text += line + "\n"
            }
            // A pin is not cut, so a narrow terminal has no columns before it.
            let pinIndent = indent + ChainText.roleColumns + ChainText.gap.count
            let isNarrow = width.map { pinIndent + row.pin.columns > $0 } ?? false
            text += String(repeating: " ", count: isNarrow ? ChainText.indentation.count : indent)
            text += style(.quiet, isNarrow ? "pin" : "pin".padded(to: ChainText.roleColumns))
            text += ChainText.gap + row.pin + "\n"
        }
        return text
    }

    /// - Parameter unknownBackups: the backups that clients can use now.
    private func row(of pin: PinRefresh, in outcome: RefreshOutcome, _ unknownBackups: Set<Pin>) -> Row {
        let entry = outcome.refresh.entry
        let addresses = outcome.addressCount
        let (status, emphasis, remark): (String, Style.Emphasis, String) =
            switch pin.status {
            case .served: ("served", .good, served(pin, addresses))
            case .returned: ("served", .good, "again, \(served(pin, addresses))")
            case .wrongRole: ("wrong role", .careful, "in the chain, \(served(pin, addresses))")
            case .reinstated: ("served", .good, "again, so it is active again, \(served(pin, addresses))")
            case .retiredServed: ("retired", .bad, "still in the chain")
            case .gone(let since, let retires, _):
                (
                    "gone", .careful,
                    "not served since \(since.date), "
                        + (retires.map { "retires on \($0.date)" } ?? RefreshFindings.staysActive)
                )
            case .retires(let since): ("retired", .careful, "not served since \(since.date)")
            case .unserved:
                ("unserved", .careful, "not in the chain, and \(RefreshFindings.reason(ofUnservedIn: entry))")
            case .unknown: ("unknown", .careful, "not seen, but \(reasonForDoubt(in: outcome))")
            case .backup where outcome.gap?.hides(pin.key) ?? false:
                ("backup", .careful, "not seen, but \(reasonForDoubt(in: outcome))")
            case .backup where unknownBackups.contains(pin.key.pin):
                ("backup", .careful, "not seen, but clients with another path can use it")
            case .backup: ("backup", .good, "not in the chain, as expected")
            case .backupServed: ("backup", .careful, "in the chain, \(served(pin, addresses))")
            case .backupPromoted: ("served", .good, "a backup until now, \(served(pin, addresses))")
            case .retired:
                (
                    "retired", .quiet,
                    pin.roles.isEmpty
                        ? absence(of: pin.key, in: outcome) : "in the chain only \(served(pin, addresses))"
                )
            }
        return Row(
            status: status, emphasis: emphasis, role: pin.key.role.rawValue, pin: pin.key.pin.base64,
            name: pin.key.shownLabel ?? names.name(of: pin.key) ?? "", remark: remark)
    }

    /// Where a retired pin is not: chains without a pin of the set can contain it.
    private func absence(of key: PinSet.PinnedKey, in outcome: RefreshOutcome) -> String {
        let all = outcome.refresh.observations + outcome.refresh.otherObservations
        return all.contains { $0.hasKey(key.pin) } ? "only in a chain without a pin of the set" : "not in the chain"
    }

    /// Why a pin that was not seen may be in use.
    private func reasonForDoubt(in outcome: RefreshOutcome) -> String {
        guard outcome.refresh.hasEveryAnswer else { return "not every address gave a usable chain" }
        return outcome.gap?.reason ?? "a chain has more valid paths than refresh searches"
    }

    private func served(_ pin: PinRefresh, _ addresses: Int) -> String {
        let place = "as \(pin.roles.map(\.rawValue).joined(separator: " and "))"
        let count = pin.addresses < addresses ? "at \(pin.addresses) of \(addresses) addresses" : nil
        return [place, count, end(pin.notAfter)].compactMap(\.self).joined(separator: ", ")
    }

    private func end(_ time: Timestamp?) -> String? {
        guard let time else { return nil }
        let days = now.days(until: time)
        return "until \(time.date) (\(days == 1 ? "1 day" : "\(days) days"))"
    }

    // MARK: Forecast

    private func forecast(_ outcome: RefreshOutcome) -> String {
        guard let forecast = outcome.forecast else { return "" }
        let events = RotationForecast.events
        let columns = events.map(\.0.columns).max() ?? 0
        var text = ChainText.indentation + style(.quiet, "does a pin still match after") + "\n"
        for (event, path) in events {
            let (words, emphasis) = forecast[keyPath: path].words
            let start = ChainText.indentation + ChainText.indentation + event.padded(to: columns) + ChainText.gap
            var parts = [(plain: words, styled: style(emphasis, words))]
            for (other, names) in outcome.exceptions(path) {
                let (words, emphasis) = other.words
                let platforms = "on \(names.joined(conjunction: "and")): "
                parts.append((platforms + words, platforms + style(emphasis, words)))
            }
            let line = start + parts.map(\.plain).joined(separator: "; ")
            guard let width, line.columns > width else {
                text += start + parts.map(\.styled).joined(separator: "; ") + "\n"
                continue
            }
            // In a narrow terminal, each part begins a line.
            let indent = String(repeating: ChainText.indentation, count: 3)
            text += ChainText.indentation + ChainText.indentation + event + "\n"
            for part in parts {
                let lines = part.plain.wrapped(to: max(1, width - indent.columns))
                text +=
                    lines.count == 1
                    ? indent + part.styled + "\n" : lines.map { indent + $0 + "\n" }.joined()
            }
        }
        return text
    }

    // MARK: Findings

    /// The findings that the rows do not show.
    private func sentences(of outcome: RefreshOutcome) -> String {
        let findings = outcome.findings.filter { !$0.code.isShownInRow || $0.isInconclusive }
        let text = ChainText(style: style, width: width, now: now)
        return findings.map { finding in
            let emphasis: Style.Emphasis =
                switch finding.severity {
                case .error: .bad
                case .warning: .careful
                case .note: .quiet
                }
            let step = finding.hint.map { text.sentence("next: \($0)", .quiet) } ?? ""
            return text.sentence(finding.message, emphasis) + step
        }.joined()
    }
}
