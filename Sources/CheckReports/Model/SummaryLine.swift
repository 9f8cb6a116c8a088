internal import PinSetMaintenance
internal import Pinning

/// The last line of a check: how many cases fail, which ones and why, and the next step.
///
/// `pinctl: 2 of 14 hosts fail: api.example.com (mismatch), www.example.com (untrusted); next: …`
package struct SummaryLine {
    /// The words of a summary: `hosts`, `match`, `matches`.
    package struct Words {
        /// Plural noun of the cases.
        package let plural: String
        /// Verb for several cases that pass, as in "14 of 14 hosts match".
        package let pass: String
        /// Verb for one case that passes, as in "api.example.com matches".
        package let passes: String

        package init(plural: String, pass: String, passes: String) {
            self.plural = plural
            self.pass = pass
            self.passes = passes
        }
    }

    private let words: Words
    private var total = 0
    private var failures = 0
    /// The number of failures of each code, in the order of first use.
    private var codes: [(code: String, count: Int)] = []
    private var codeIndices: [String: Int] = [:]
    private var shown = FirstTexts()
    private var warnings = 0
    /// The cases that pass although no pin matches.
    private var reported = FirstTexts()
    private var lastName = ""
    private var next: (rank: Int, step: String)?

    package init(_ words: Words) { self.words = words }

    /// Counts all cases. The next step is the hint of the first error that has a hint.
    package init(_ words: Words, of cases: [CheckCase]) {
        self.init(words)
        for (index, item) in cases.enumerated() {
            let errors = item.findings.filter { $0.severity == .error }
            add(
                item.name, at: index, failing: errors.first?.code,
                warnings: item.findings.count { $0.severity == .warning },
                next: errors.lazy.compactMap(\.hint).first.map { (0, $0) },
                isOnlyReported: item.isOnlyReported
            )
        }
    }

    /// Counts one case.
    ///
    /// - Parameters:
    ///   - index: Index in the input; cases may be added in any order.
    ///   - code: Code of the failure; nil if the case passes.
    ///   - next: The next step and its rank; the step with the lowest rank is shown.
    ///   - isOnlyReported: Whether no pin matches, but the set only reports that.
    package mutating func add(
        _ name: String, at index: Int, failing code: String?, warnings: Int = 0,
        next: (rank: Int, step: String)? = nil, isOnlyReported: Bool = false
    ) {
        total += 1
        lastName = name
        self.warnings += warnings
        guard let code else {
            if isOnlyReported { reported.add(name, at: index) }
            return
        }
        failures += 1
        if let known = codeIndices[code] {
            codes[known].count += 1
        } else {
            codeIndices[code] = codes.count
            codes.append((code, 1))
        }
        shown.add("\(name) (\(code))", at: index)
        guard let next, self.next.map({ next.rank < $0.rank }) ?? true else { return }
        self.next = next
    }

    package var fails: Bool { failures > 0 }

    /// Whether the line can be omitted: there is at most one case, and it passes without a warning.
    package var isQuiet: Bool { !fails && warnings == 0 && total <= 1 }

    /// The line without the name of the program.
    package var text: String {
        guard fails else {
            let remark = warnings == 0 ? "" : ", with \(warnings) \(warnings == 1 ? "warning" : "warnings")"
            if reported.count > 0 { return sentenceAboutReported(remark) }
            switch total {
            case 0: return "no \(words.plural) to check"
            case 1: return "\(lastName) \(words.passes)\(remark)"
            default: return "\(total) of \(total) \(words.plural) \(words.pass)\(remark)"
            }
        }
        return verdict + (next.map { "; next: \($0.step)" } ?? "")
    }

    private func sentenceAboutReported(_ remark: String) -> String {
        let sentence = "no pin matches for \(reported.list), which the set only reports (\"enforce\": false)"
        let rest = total - reported.count
        return rest == 0 ? sentence : "\(rest) of \(total) \(words.plural) \(words.pass)\(remark); \(sentence)"
    }

    private var verdict: String {
        let list = shown.texts.joined(separator: ", ")
        if total == 1 { return "\(lastName) fails" + list.dropFirst(lastName.count) }
        let count = "\(failures) of \(total) \(words.plural) \(failures == 1 ? "fails" : "fail")"
        guard failures > shown.texts.count else { return "\(count): \(list)" }
        let kinds = codes.map { "\($0.count) \($0.code)" }.joined(separator: ", ")
        return "\(count) (\(kinds)): \(shown.list)"
    }

    /// The texts of the cases with the lowest input indices.
    private struct FirstTexts {
        private var items: [(index: Int, text: String)] = []
        /// The number of all cases.
        private(set) var count = 0

        mutating func add(_ text: String, at index: Int) {
            count += 1
            items.insert((index, text), at: items.firstIndex { $0.index > index } ?? items.endIndex)
            if items.count > Self.maximumCount { items.removeLast() }
        }

        var texts: [String] { items.map(\.text) }

        /// The texts, and how many more cases there are.
        var list: String {
            texts.joined(separator: ", ") + (count > items.count ? " and \(count - items.count) more" : "")
        }

        private static let maximumCount = 5
    }
}
