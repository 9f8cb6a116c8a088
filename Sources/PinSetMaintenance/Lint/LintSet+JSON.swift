internal import Encodings
internal import PinSetCodec
internal import Pinning

extension LintSet {
    /// Reads as much of a `pins.json` as possible, and reports every mistake as a finding.
    ///
    /// There is a finding of severity error if and only if `PinSet(json:)` refuses the text.
    init(json bytes: [UInt8], _ findings: inout LintFindings) {
        // An escaping closure cannot change a parameter.
        var found = findings
        let draft = PinSetReader.tolerant(bytes) { found.add($0) }
        findings = found
        let isCorrect = findings.list.isEmpty
        findings.add(unknownKeys: draft.unknown, among: PinSetReader.documentKeys, host: nil)
        for entry in draft.entries {
            findings.add(unknownKeys: entry.unknown, among: PinSetReader.entryKeys, host: entry.host)
            for pin in entry.pins {
                findings.add(unknownKeys: pin.unknown, among: PinSetReader.pinKeys, host: entry.host)
            }
        }
        entries = draft.entries.map { LintEntry($0) }
        if entries.isEmpty, isCorrect {
            findings.add(.nothingPinned, ConversionWarning(.nothingPinned).message, at: nil)
        }
    }
}

extension LintEntry {
    fileprivate init(_ draft: PinSetDraft.Entry) {
        self.init(
            host: draft.host, name: draft.name, position: draft.position, subdomains: draft.subdomains,
            expires: draft.expires, enforce: draft.enforce, anchors: draft.anchors,
            endpoints: draft.endpoints,
            pins: draft.pins.map { pin in
                LintPin(
                    spelling: pin.spelling, pin: pin.pin, role: pin.role, state: pin.state, label: pin.label,
                    notAfter: pin.notAfter, isGone: pin.goneSince != nil, position: pin.spellingPosition
                )
            }
        )
    }
}

extension LintFindings {
    fileprivate mutating func add(_ diagnostic: PinSetDiagnostic) {
        let error = diagnostic.error
        let position = error.line.flatMap { line in error.column.map { SourcePosition(line: line, column: $0) } }
        if case .pin(let spelling) = error.reason {
            let (code, message, hint) = PinDiagnosis.explanation(of: spelling)
            add(code, message, hint: hint, host: diagnostic.host, pin: diagnostic.pin, at: position)
        } else if case .host(let name) = error.reason, name.reason == .wildcard, let host = diagnostic.host {
            add(wildcard: host, at: position)
        } else {
            add(error.reason.code, error.message, hint: error.hint, host: diagnostic.host, at: position)
        }
    }

    private mutating func add(wildcard host: String, at position: SourcePosition?) {
        let bare = String(host.unicodeScalars.drop { $0 == "*" }.dropFirst())
        let reach = host.begins(with: "**.") ? "all" : "one"
        add(
            .unreachablePattern, "\(host.quotedExcerpt) is a pattern, expected a host name",
            hint: "use \(bare.quotedExcerpt) with \"subdomains\": \"\(reach)\"", host: host, at: position
        )
    }

    fileprivate mutating func add(unknownKeys members: [JSONMember], among known: [String], host: String?) {
        for member in members {
            // Keys that begin with a dollar sign, such as "$schema", are for editors.
            guard !member.key.begins(with: "$") else { continue }
            let near = known.first { EditDistance.between($0, member.key.lowercased(), atMost: 2) != nil }
            add(
                .unknownKey, "the key \(member.key.quotedExcerpt) is not known in this place; pinctl keeps it",
                hint: near.map { "if \($0.quotedExcerpt) is meant, correct the spelling" }, host: host,
                at: member.position
            )
        }
    }
}

extension PinSetError.Reason {
    fileprivate var code: LintCode {
        switch self {
        case .syntax(let error): if case .duplicateKey = error.reason { .duplicateKey } else { .syntax }
        case .type: .wrongType
        case .missing: .missingKey
        case .version: .unknownVersion
        case .word: .unknownWord
        case .date: .invalidDate
        case .host: .invalidHost
        case .sameHost: .duplicateHost
        case .subdomainsOfAddress: .addressSubdomains
        case .noPins: .emptyPins
        case .pin: .invalidPin
        case .emptyAnchor, .nulInAnchor, .noAnchors: .emptyAnchor
        case .endpoint, .noEndpoints: .invalidEndpoint
        case .privateKey: .malformed
        }
    }
}
