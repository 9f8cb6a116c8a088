internal import Arguments

/// The last line of a check: what it all comes to, and what to do next. A person who reads a red job reads this line first.
///
/// `pinctl: 2 of 14 hosts fail: api.example.com (mismatch), www.example.com (untrusted); next: …`
struct ClosingLine {
    /// What is counted, and what is said of those that pass: `hosts`, `match`, `matches`.
    struct Words {
        let many: String
        /// As in "14 hosts match", and as in "api.example.com matches".
        let pass: String
        let passes: String
    }

    private let words: Words
    private var total = 0
    private var failures = 0
    /// How often each code, in the order in which they came.
    private var codes: [(code: String, count: Int)] = []
    /// The first ones that fail, by their place in the input.
    private var shown: [(place: Int, text: String)] = []
    private var warnings = 0
    private var onlyName = ""
    private var next: (rank: Int, step: String)?

    init(_ words: Words) { self.words = words }

    /// Counts all of them; what to do next is what the first error that tells it says.
    init(_ words: Words, of cases: [CheckCase]) {
        self.init(words)
        for (place, item) in cases.enumerated() {
            let errors = item.findings.filter { $0.severity == .error }
            add(
                item.name, at: place, failing: errors.first?.code,
                warnings: item.findings.count { $0.severity == .warning },
                next: errors.lazy.compactMap(\.hint).first.map { (0, $0) }
            )
        }
    }

    /// Counts one that was checked.
    ///
    /// - Parameters:
    ///   - place: in the input; they may come in any order.
    ///   - code: why it fails; nil where it passes.
    ///   - next: what to do about it, and how much it matters: that of the lowest rank is told.
    mutating func add(
        _ name: String, at place: Int, failing code: String?, warnings: Int = 0,
        next: (rank: Int, step: String)? = nil
    ) {
        total += 1
        onlyName = name
        self.warnings += warnings
        guard let code else { return }
        failures += 1
        if let known = codes.firstIndex(where: { $0.code == code }) {
            codes[known].count += 1
        } else {
            codes.append((code, 1))
        }
        let position = shown.firstIndex { $0.place > place } ?? shown.endIndex
        shown.insert((place, "\(name) (\(code))"), at: position)
        if shown.count > Self.mostNames { shown.removeLast() }
        guard let next, self.next.map({ next.rank < $0.rank }) ?? true else { return }
        self.next = next
    }

    var fails: Bool { failures > 0 }

    /// Whether there is nothing to say to a person: one thing was checked, and all is well.
    var isQuiet: Bool { !fails && warnings == 0 && total <= 1 }

    /// Without the name of the program.
    var text: String {
        guard fails else {
            let remark = warnings == 0 ? "" : ", with \(warnings) \(warnings == 1 ? "warning" : "warnings")"
            switch total {
            case 0: return "there are no \(words.many) to check"
            case 1: return "\(onlyName) \(words.passes)\(remark)"
            default: return "all \(total) \(words.many) \(words.pass)\(remark)"
            }
        }
        return verdict + (next.map { "; next: \($0.step)" } ?? "")
    }

    private var verdict: String {
        let list = shown.map(\.text).joined(separator: ", ")
        if total == 1 { return "\(onlyName) fails" + list.dropFirst(onlyName.count) }
        let count = "\(failures) of \(total) \(words.many) \(failures == 1 ? "fails" : "fail")"
        guard failures > shown.count else { return "\(count): \(list)" }
        let kinds = codes.map { "\($0.count) \($0.code)" }.joined(separator: ", ")
        return "\(count) (\(kinds)): \(list) and \(failures - shown.count) more"
    }

    /// A list of any length is one line.
    private static let mostNames = 5
}
