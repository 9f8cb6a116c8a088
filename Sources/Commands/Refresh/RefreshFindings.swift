internal import Arguments
internal import Fetching
internal import Pinning

/// What is wrong with an entry, or different, or should be known: the sentences that every report gives.
struct RefreshFindings {
    /// The codes of findings; part of the interface.
    enum Code: String, CaseIterable {
        case mismatch, untrusted, unreachable
        case expired = "pins-expired"
        case expiresSoon = "pins-expire-soon"
        case newPin = "new-pin"
        case gonePin = "gone-pin"
        case retiredPin = "retired-pin"
        case returnedPin = "returned-pin"
        case promotedBackup = "promoted-backup"
        case newBackup = "new-backup"
        case retiredInUse = "retired-in-use"
        case backupInUse = "backup-in-use"
        case noBackup = "no-backup"
        case unservedPin = "unserved-pin"
        case backupRefused = "backup-refused"
        case backupUnknown = "backup-unknown"

        var summary: String {
            switch self {
            case .mismatch: "the chain validates, and no pin of the set is in it: nothing was learnt from it"
            case .untrusted: "the chain does not validate: nothing was learnt from it"
            case .unreachable: "an address gave no chain, so nothing is known of its pins"
            case .expired: "the pins hold no more by the set's own date: apps would accept any trusted chain"
            case .expiresSoon: "the pins soon hold no more by the set's own date"
            case .newPin: "the chain has a key that the set should have, and has not"
            case .gonePin: "another key has taken the place of a pin"
            case .retiredPin: "a pin is no longer served, for longer than it is to be kept"
            case .returnedPin: "a pin that the set calls gone or retired is served again"
            case .promotedBackup: "a backup key is in use now, and another backup is left"
            case .newBackup: "a backup key that the set does not have yet"
            case .retiredInUse: "a pin that the set calls retired is in the chain"
            case .backupInUse: "a backup is in the chain, and no other backup is left"
            case .noBackup: "the host has no pin that is not in use already"
            case .unservedPin: "an active pin is not in the chain, and nothing is known to have taken its place"
            case .backupRefused: "a backup key that cannot be one"
            case .backupUnknown: "nobody can say whether a backup key is in use"
            }
        }
    }

    static let rules = Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }

    private let refresh: EntryRefresh
    private let addresses: [RefreshOutcome.Address]
    /// The entry as the run leaves it.
    private let kept: PinSet.Entry
    private let plan: RefreshPlan

    init(
        _ refresh: EntryRefresh, _ addresses: [RefreshOutcome.Address], kept: PinSet.Entry, by plan: RefreshPlan
    ) {
        (self.refresh, self.addresses, self.kept, self.plan) = (refresh, addresses, kept, plan)
    }

    private var entry: PinSet.Entry { refresh.entry }
    private var host: String { entry.host }

    /// Those that matter most first.
    var all: [CheckFinding] {
        zip(refresh.answers, addresses).compactMap(finding) + expiry + refusals + pins + additions + spares
    }

    // MARK: Addresses

    private func finding(_ answer: RefreshAnswer, _ address: RefreshOutcome.Address) -> CheckFinding? {
        switch answer.verdict {
        case .match, .accepted: return nil
        case .mismatch:
            let anchor = answer.chain?.anchor?.subject?.displayName ?? ""
            let seen = answer.chain?.pins.map { "\($0.pin.base64) (\($0.role.rawValue))" }.joined(separator: ", ") ?? ""
            return finding(
                .mismatch, entry.enforce ? .error : .warning,
                "\(address.name) serves a chain that validates, under \(anchor.quoted), and no pin of the set is in it: the"
                    + " server's keys were changed, or somebody intercepts the connection; nothing was learnt; seen \(seen)",
                hint: "compare with a run from another network; if the keys were changed on purpose, --accept-new "
                    + "\(plan.identity(of: address.target).text) learns them"
            )
        case .untrusted:
            return finding(
                .untrusted, .error,
                "\(address.name) serves a chain that does not validate: \(answer.chain?.reason ?? ""); somebody may be"
                    + " intercepting the connection; nothing was learnt",
                hint: step(after: answer.chain?.failures.first)
            )
        case .unreachable:
            guard case .failure(let error) = address.result else { return nil }
            var finding = finding(
                .unreachable, .error, "\(error.message); its pins stay as they are",
                hint: error.hint ?? step(afterSilenceOf: address)
            )
            finding.isInconclusive = true
            return finding
        }
    }

    private func step(afterSilenceOf address: RefreshOutcome.Address) -> String {
        let others = addresses.filter { $0.target == address.target && $0.chain != nil }.compactMap(\.endpoint?.isIPv6)
        guard let isIPv6 = address.endpoint?.isIPv6, !others.isEmpty else {
            return "try again when the host answers; one that is gone for good is taken out of the set"
        }
        return others.contains(isIPv6)
            ? "other addresses of the host answer: mend this one, or take it out of its name's addresses"
            : "other addresses of the host answer: mend this one, or leave its family out with \(isIPv6 ? "-4" : "-6")"
    }

    private func step(after failure: TrustFailure?) -> String {
        switch failure {
        case .missingIssuer, .untrustedRoot, .selfSigned:
            (entry.anchors.isEmpty
                ? "an authority of your own is named with --anchors, or as \"anchors\" in the set"
                : "of the host's authorities only the \"anchors\" in the set, or those of --anchors, count")
                + "; what does not validate is never learnt, not even with --accept-new"
        default: "the server needs another certificate: its pins are not at fault"
        }
    }

    private var expiry: [CheckFinding] {
        guard let expires = entry.expires else { return [] }
        let step = "give them a later \"expires\" at \(plan.pins.place(of: entry))"
        if entry.isExpired(at: plan.rules.now) {
            let isRight = !refresh.chains.isEmpty && refresh.isConclusive
            return [
                finding(
                    .expired, .error, "the pins hold no more since \(expires.date), by the set's own date",
                    hint: isRight ? "the pins are right: \(step)" : step)
            ]
        }
        guard plan.rules.now.days(until: expires) <= CheckRun.daysOfWarning else { return [] }
        let left = plan.rules.now.left(until: expires)
        return [finding(.expiresSoon, .warning, "the pins expire on \(expires.date), \(left)", hint: step)]
    }

    // MARK: Pins

    /// What --write does not mend comes first.
    private var pins: [CheckFinding] {
        let all = pinsInOrder
        let urgent = { (finding: CheckFinding) in finding.code == Code.backupInUse.rawValue }
        return all.filter(urgent) + all.filter { !urgent($0) }
    }

    private var pinsInOrder: [CheckFinding] {
        refresh.pins.compactMap { pin in
            let name = Self.name(of: pin.key)
            switch pin.status {
            case .gone(let since, let retires, let isNoted):
                let text =
                    "the pin \(name) is no longer served since \(since.date), and will be retired on \(retires.date)"
                return isNoted ? finding(.gonePin, .note, text, pin.key) : difference(.gonePin, text, pin.key)
            case .retires(let since):
                return difference(
                    .retiredPin,
                    "the pin \(name) is no longer served since \(since.date): "
                        + (plan.mode == .write ? "it is retired" : "it is to be retired"), pin.key)
            case .returned: return difference(.returnedPin, "the pin \(name) is served again", pin.key)
            case .reinstated:
                return difference(.returnedPin, "the retired pin \(name) is served again, and active", pin.key)
            case .backupPromoted:
                return difference(.promotedBackup, "the backup \(name) is in use: it is active now", pin.key)
            case .retiredServed:
                return finding(
                    .retiredInUse, .warning, "the pin \(name) is retired, and in the chain", pin.key,
                    hint: "if it may be used again, give it the \"state\" \"active\"")
            case .backupServed where !hasSpare:
                return finding(
                    .backupInUse, .error, "the backup \(name) is in the chain, and no other backup is left", pin.key,
                    hint: "make a new backup key, and add it with --from-key or --from-csr")
            case .unserved:
                return finding(
                    .unservedPin, .note, "the active pin \(name) is not in the chain, and \(unservedReason)",
                    pin.key, hint: "if it is held ready, give it the \"state\" \"backup\"")
            case .served, .unknown, .backup, .backupServed, .retired: return nil
            }
        }
    }

    private var additions: [CheckFinding] {
        refresh.added.map { added in
            let name = Self.name(of: added.key)
            guard let place = added.place else {
                return difference(
                    .newBackup, "the backup \(name) is \(plan.mode == .write ? "added" : "not in the set yet")",
                    added.key)
            }
            return difference(
                .newPin,
                "the \(place.role.rawValue) has a new key, \(name)"
                    + (plan.mode == .write ? ", which is added" : ", which the set does not have"), added.key)
        }
    }

    private var refusals: [CheckFinding] {
        refresh.refused.map { refused in
            let pin = refused.key.pin.base64
            switch refused.reason {
            case .served:
                return finding(
                    .backupRefused, .error,
                    "the key \(pin) cannot be a backup: it is in the chain that a host serves",
                    refused.key, hint: "a backup is a key that no server has: make a new one")
            case .retired:
                return finding(
                    .backupRefused, .error, "the key \(pin) cannot be a backup: the set says that it is retired",
                    refused.key,
                    hint: "make a new one")
            case .active:
                return finding(
                    .backupRefused, .error, "the key \(pin) is in the set already, as active", refused.key,
                    hint: "if no server has it, give it the \"state\" \"backup\"")
            case .unknown:
                var finding = finding(
                    .backupUnknown, .error,
                    "the key \(pin) is not added: without the host's own chain nobody can say whether it is in use",
                    refused.key)
                finding.isInconclusive = true
                return finding
            }
        }
    }

    private var unservedReason: String { Self.reason(ofUnservedIn: entry) }

    /// Why a pin that is not served is left as it is.
    static func reason(ofUnservedIn entry: PinSet.Entry) -> String {
        entry.subdomains == .none
            ? "nothing has taken its place" : "names below the host, which were not asked, may use it"
    }

    /// Whether a pin is left that no chain has.
    private var hasSpare: Bool {
        kept.pins.contains { key in
            key.state == .backup && !refresh.answers.contains { $0.chain?.pins.contains { $0.pin == key.pin } ?? false }
        }
    }

    private var spares: [CheckFinding] {
        guard refresh.isConclusive, !hasSpare,
            !refresh.pins.contains(where: { $0.status == .backupServed || $0.status == .unserved })
        else { return [] }
        return [
            finding(
                .noBackup, .warning, "there is no backup: if the keys in use are lost, no pin will match",
                hint: "make a spare key, and add it with --from-key or --from-csr")
        ]
    }

    // MARK: Making

    /// Something that --write mends.
    private func difference(_ code: Code, _ message: String, _ key: PinSet.PinnedKey) -> CheckFinding {
        let severity: CheckFinding.Severity =
            switch plan.mode {
            case .check: .error
            case .report: .warning
            case .write: .note
            }
        return finding(code, severity, message, key, hint: plan.mode == .write ? nil : plan.writeStep)
    }

    private func finding(
        _ code: Code, _ severity: CheckFinding.Severity, _ message: String, _ key: PinSet.PinnedKey? = nil,
        hint: String? = nil
    ) -> CheckFinding {
        CheckFinding(
            code: code.rawValue, severity: severity, host: host, pin: key?.pin, message: message, hint: hint,
            file: plan.path, line: (key?.position ?? entry.position)?.line
        )
    }

    static func name(of key: PinSet.PinnedKey) -> String {
        let label = key.label ?? KnownAuthorities.name(of: key.pin)
        return label.map { "\(key.pin.base64) (\($0))" } ?? key.pin.base64
    }
}

extension RefreshPlan {
    /// What mends a difference.
    var writeStep: String {
        "pinctl refresh --pins \(path == "-" ? "FILE" : path) --write\(connecting) brings it up to date"
    }
}
