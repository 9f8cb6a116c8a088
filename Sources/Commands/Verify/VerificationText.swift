internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// Verdicts as aligned text, at most as wide as the terminal.
struct VerificationText {
    private let plan: VerifyPlan
    private let text: ChainText
    private let names: AuthorityNames
    /// Width of the host column in columns; 0 for a single host.
    private let hostColumns: Int

    init(_ plan: VerifyPlan, _ text: ChainText) {
        self.plan = plan
        self.text = text
        names = AuthorityNames(plan.trust.sources)
        guard plan.hasSeveral else {
            hostColumns = 0
            return
        }
        // A host name that is too wide for one line does not widen the column.
        let rest = Self.tailColumns(role: ChainText.roleColumns) + Self.verdictColumns + Self.minimumNameColumns
        let limit = text.width.map { $0 - rest } ?? Int.max
        let known = plan.checks.map { plan.name(of: $0).columns }.filter { $0 <= limit }.max()
        hostColumns = known ?? min(Self.listHostColumns, limit)
    }

    /// Width of the host column for the hosts of a list, whose lengths are not known in advance.
    private static let listHostColumns = 28

    /// One line for a match, a block for other verdicts, and an empty string for a host without a chain.
    func report(on verification: Verification) -> String {
        switch verification.finding {
        case .unreachable: return ""
        case .noPins:
            return heading(verification) + text.sentence("\(plan.pins.name) has no entry that covers this host", .bad)
        case .untrusted(let chain):
            return heading(verification) + chain.failures.map { text.sentence($0.reason, .bad) }.joined()
                + rows(seen: chain, withPins: false) + notes(verification)
                + text.sentence("no pin was compared, because this chain is not trusted", .quiet)
        case .evaluated(let evaluation, let chain):
            switch evaluation.verdict {
            case .match(let matches):
                let proxy = verification.presentation?.proxy.map { text.sentence("through \($0)", .quiet) }
                return line(verification, matches, chain) + (proxy ?? "")
            case .mismatch: return mismatch(verification, chain)
            case .expired(let date): return expired(verification, on: date, chain)
            case .noPins: return heading(verification)
            }
        }
    }

    // MARK: Match

    /// The line of a match. The pin precedes the name so that the lines of several hosts are aligned.
    private func line(_ verification: Verification, _ matches: [PinEvaluation.Match], _ chain: CertificateChain)
        -> String
    {
        guard let match = matches.first(where: { $0.key.state == .active }) ?? matches.first else { return "" }
        let style = text.style
        let host = plan.name(of: verification)
        let role = match.certificate.role.rawValue.padded(to: plan.hasSeveral ? ChainText.roleColumns : 0)
        let pin = match.key.pin.base64.prefix(Self.pinPrefixLength) + "…"
        let remark = match.key.state == .active ? "" : " (\(match.key.state.rawValue))"
        let subject = chain.entries.first { $0.position == match.certificate.position }?.certificate.subject
        let name = (match.key.shownLabel ?? subject?.displayName ?? "").escaped
        let head = style(.strong, host.padded(to: hostColumns)) + ChainText.gap + style(.good, "match")
        let middle = role + ChainText.gap + style(.quiet, String(pin)) + ChainText.gap
        let tailColumns = Self.tailColumns(role: role.columns) + remark.count
        func tail(after columns: Int) -> String {
            let room = text.width.map { max(Self.minimumNameColumns, $0 - columns - tailColumns) } ?? Int.max
            return middle + name.cut(to: room) + style(.careful, remark) + "\n"
        }
        let headColumns = max(host.columns, hostColumns) + Self.verdictColumns
        if let width = text.width, headColumns + tailColumns + min(name.columns, Self.minimumNameColumns) > width {
            return head + "\n" + ChainText.indentation + tail(after: ChainText.indentation.count)
        }
        return head + ChainText.gap + tail(after: headColumns)
    }

    /// Width of the verdict with a gap on each side.
    private static let verdictColumns = 2 * ChainText.gap.count + "match".count

    /// Width of the role and the pin, each followed by a gap.
    private static func tailColumns(role: Int) -> Int { role + 2 * ChainText.gap.count + pinPrefixLength + 1 }

    private static let pinPrefixLength = 6
    private static let minimumNameColumns = 12

    // MARK: Blocks

    private func heading(_ verification: Verification) -> String {
        let verdict = verification.verdict.rawValue
        let shown =
            verification.isOnlyReported
            ? text.style(.careful, "\(verdict) (not enforced)") : text.style(.bad, verdict)
        return text.hostLine(
            verification.check.target, named: plan.name(of: verification.check), verdict: shown,
            verification.presentation, verification.chainPart, at: verification.addresses)
    }

    private func mismatch(_ verification: Verification, _ chain: CertificateChain) -> String {
        var block = heading(verification)
        block += text.sentence(
            verification.mismatchSentence(chain, by: plan), verification.isOnlyReported ? .careful : .bad)
        block += rows("expected", verification.expected.map { Row($0, name: name(of: $0)) })
        block += rows(seen: chain, withPins: true)
        for (index, miss) in verification.nearMisses.enumerated() {
            let title = index == 0 ? "near miss" : ""
            let label = name(of: miss.key).map { " (\($0))" } ?? ""
            let room = text.width.map { max(20, $0 - Self.titleIndent) }
            for (number, line) in (miss.message + label).wrapped(to: room).enumerated() {
                block += start(number == 0 ? title : "") + text.style(.careful, line) + "\n"
            }
        }
        return block + notes(verification)
    }

    private func expired(_ verification: Verification, on date: Timestamp, _ chain: CertificateChain) -> String {
        let host = verification.check.entry?.host ?? ""
        return heading(verification)
            + text.sentence("the pins of \(host.quoted) expired on \(date.date)", .bad)
            + rows("expected", verification.expected.map { Row($0, name: name(of: $0)) })
            + rows(seen: chain, withPins: true)
            + text.sentence(verification.expirySentence, .quiet)
    }

    private func notes(_ verification: Verification) -> String {
        verification.presentation.map { text.notes(on: $0) } ?? ""
    }

    // MARK: Rows

    /// The label of the pin, or the name of the known CA that has the key.
    private func name(of key: PinSet.PinnedKey) -> String? { (key.shownLabel ?? names.name(of: key))?.escaped }

    /// A role and a name, and the pin on the next line.
    private struct Row {
        let role: String
        let name: String
        let pin: String?

        init(_ key: PinSet.PinnedKey, name: String?) {
            role = key.role.rawValue
            self.name = key.state.rawValue.padded(to: 6) + (name.map { ChainText.gap + $0 } ?? "")
            pin = key.pin.base64
        }

        init(_ entry: CertificateChain.Entry, withPin: Bool) {
            role = entry.role.rawValue
            name = (entry.certificate.subject?.displayName ?? "").escaped
            pin = withPin ? entry.certificate.pin.base64 : nil
        }
    }

    private func rows(seen chain: CertificateChain, withPins: Bool) -> String {
        rows("seen", chain.entries.map { Row($0, withPin: withPins) })
    }

    private func rows(_ title: String, _ rows: [Row]) -> String {
        let indent = Self.titleIndent + ChainText.roleColumns + ChainText.gap.count
        let room = text.width.map { max(Self.minimumNameColumns, $0 - indent) } ?? Int.max
        var block = ""
        for (index, row) in rows.enumerated() {
            block += start(index == 0 ? title : "") + row.role.padded(to: ChainText.roleColumns) + ChainText.gap
            block += text.style(.strong, row.name.cut(to: room)) + "\n"
            guard let pin = row.pin else { continue }
            // On a narrow terminal, the pin is below the role.
            let isNarrow = text.width.map { $0 < indent + pin.count } ?? false
            block += start("")
            if !isNarrow { block += text.style(.quiet, "pin".padded(to: ChainText.roleColumns)) + ChainText.gap }
            block += pin + "\n"
        }
        return block
    }

    private func start(_ title: String) -> String {
        ChainText.indentation + text.style(.quiet, title.padded(to: Self.titleColumns)) + ChainText.gap
    }

    /// Width of the longest title, "near miss".
    private static let titleColumns = 9
    private static let titleIndent = ChainText.indentation.count + titleColumns + ChainText.gap.count
}

extension VerifyPlan {
    /// The name of the chain's trust anchor, and the source of the anchor.
    func authority(of chain: CertificateChain, _ check: TargetCheck) -> String {
        guard let anchor = chain.anchor else { return "," }
        let name = (anchor.subject?.displayName ?? "").quoted
        switch trust.origin(of: anchor, for: check.entry) {
        case .system:
            let isUnlisted = UnlistedAuthority(of: chain, trust.source(for: check.entry)) != nil
            return " under \(name) of the system's trust store"
                + (isUnlisted ? ", which is not in pinctl's list of public CAs," : ",")
        case .commandLine: return " under \(name) of --anchors,"
        case .pinSet: return " under \(name), an anchor of the pin set,"
        }
    }

    /// The display name of a host, without a port for a saved chain.
    func name(of check: TargetCheck) -> String {
        isSaved ? check.target.hostText : check.target.description
    }

    /// The name of the host, with the type of its key if it has several chains, and with the addresses that gave this result if
    /// others gave another.
    func name(of verification: Verification) -> String {
        let addresses = verification.addresses.map(\.host)
        let hasOtherChains = verification.chainPart.map { $0.count > 1 } ?? false
        let keyType = hasOtherChains ? verification.chain?.entries.first?.certificate.key.type : nil
        let host = name(of: verification.check) + (keyType.map { " (\($0) key)" } ?? "")
        guard !addresses.isEmpty else { return host }
        return "\(host) at \(addresses.joined(conjunction: "and"))"
    }
}
