internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Platform verdicts on a host as text, one row for each platform.
struct PlatformText {
    private let text: ChainText

    init(_ text: ChainText) { self.text = text }

    /// The rows. With several platforms, the line below them names the platforms that disagree with pinctl.
    func table(of verification: Verification) -> String {
        let verdicts = verification.platforms
        let names = verdicts.map(\.platform.rawValue.columns).max() ?? 0
        let words = verdicts.map(\.verdict.rawValue.columns).max() ?? 0
        let indent = ChainText.indentation.count + names + words + 2 * ChainText.gap.count
        // In a narrow terminal, the rules are below the verdicts.
        let isNarrow = text.width.map { $0 - indent < Self.minimumRuleColumns } ?? false
        let ruleIndent = isNarrow ? 2 * ChainText.indentation.count : indent
        let room = text.width.map { max(1, $0 - ruleIndent) }
        var table = ""
        for verdict in verdicts {
            table += ChainText.indentation + text.style(.strong, verdict.platform.rawValue.padded(to: names))
            let verdictColumns = isNarrow ? 0 : words
            table +=
                ChainText.gap
                + text.style(Self.emphasis(of: verdict), verdict.verdict.rawValue.padded(to: verdictColumns))
            if isNarrow { table += "\n" }
            for (number, line) in verdict.rule.escaped.wrapped(to: room).enumerated() {
                let isFirst = number == 0 && !isNarrow
                table += (isFirst ? ChainText.gap : String(repeating: " ", count: ruleIndent)) + line + "\n"
            }
        }
        return verdicts.count > 1 ? table + summary(of: verification) : table
    }

    private func summary(of verification: Verification) -> String {
        let own = "pinctl's verdict, \(verification.verdict.rawValue)"
        let disagreeing = verification.disagreeing
        guard !disagreeing.isEmpty else { return text.sentence("all platforms agree with \(own)", .good) }
        let names = disagreeing.map { "\($0.platform.rawValue) (\($0.verdict.rawValue))" }.joined(separator: ", ")
        let count = disagreeing.count == 1 ? "1 platform disagrees" : "\(disagreeing.count) platforms disagree"
        return text.sentence("\(count) with \(own): \(names)", .careful)
    }

    private static let minimumRuleColumns = 24

    private static func emphasis(of verdict: PlatformVerdict) -> Style.Emphasis {
        switch verdict.verdict {
        case .accepts: .good
        case .rejects, .refusesConfig: .bad
        case .notPinned: .careful
        }
    }
}
