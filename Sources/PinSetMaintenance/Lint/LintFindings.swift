internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Collects findings without duplicates. ``LintFindingLimit`` limits their number.
struct LintFindings {
    /// The findings in the order in which they were added, without the sentences about omitted ones.
    private(set) var list: [LintFinding] = []
    private var known: Set<LintFinding> = []
    private var limit = LintFindingLimit()
    /// The hash values of the omitted findings, which need less memory than the findings.
    private var omitted: Set<Int> = []
    private var diagnoses: [Pin: PinDiagnosis.Explanation?] = [:]

    mutating func add(
        _ code: LintCode, _ message: String, hint: String? = nil, action: LintFinding.Action? = nil,
        severity: LintFinding.Severity? = nil, host: String? = nil, pin: String? = nil, at position: SourcePosition?
    ) {
        let host = host.map(Self.bounded)
        let finding = LintFinding(
            code: code, severity: severity ?? code.severity,
            host: host.map { Self.shortened($0.withoutUserInfo) },
            pin: pin.map { Self.shortened(Self.bounded($0).withoutUserInfo(of: nil)) },
            message: message.withoutUserInfo(of: host), hint: hint?.withoutUserInfo(of: host),
            action: action, line: position?.line, column: position?.column
        )
        guard !known.contains(finding) else { return }
        guard limit.isReached(by: finding) else {
            limit.add(finding)
            known.insert(finding)
            list.append(finding)
            return
        }
        if omitted.insert(finding.hashValue).inserted { limit.add(finding) }
    }

    /// The start of a text, in which a user and a password are searched. The limit keeps the work linear.
    private static func bounded(_ text: String) -> String {
        text.utf8.count <= 4096 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(4096)))
    }

    /// The text without private keys, cut if it is much longer than any host or pin. Swift compares and hashes a text with many
    /// combining marks in quadratic time.
    private static func shortened(_ text: String) -> String {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1024)))
        return (start.utf8.count == text.utf8.count ? text : start + "…").withoutPrivateKeys
    }

    /// The mistake in a valid pin; nil for a plausible pin. It is searched once, because several rules need it, and many hosts can have
    /// the same pins.
    mutating func diagnosis(of pin: Pin) -> PinDiagnosis.Explanation? {
        if let known = diagnoses[pin] { return known }
        let explanation = PinDiagnosis.explanation(of: pin)
        diagnoses[pin] = .some(explanation)
        return explanation
    }

    /// Adds a finding about an entry.
    mutating func add(
        _ code: LintCode, _ message: String, hint: String? = nil, action: LintFinding.Action? = nil,
        severity: LintFinding.Severity? = nil, of entry: LintEntry
    ) {
        add(code, message, hint: hint, action: action, severity: severity, host: entry.host, at: entry.position)
    }

    /// Adds a finding about a pin of an entry.
    mutating func add(
        _ code: LintCode, _ message: String, hint: String? = nil, severity: LintFinding.Severity? = nil,
        of entry: LintEntry, _ pin: LintPin
    ) {
        add(
            code, message, hint: hint, severity: severity, host: entry.host, pin: pin.shown,
            at: pin.position ?? entry.position
        )
    }

    /// The findings in the order of the file. Findings without a position are last, and the sentences about omitted findings follow them.
    var sorted: [LintFinding] {
        list.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            return (one.line ?? .max, one.column ?? .max, left.offset) < (
                other.line ?? .max, other.column ?? .max, right.offset
            )
        }.map(\.element) + limit.sentences
    }

    /// The findings in the order in which they were added, followed by the sentences about omitted ones.
    var inOrderOfAddition: [LintFinding] { list + limit.sentences }
}
