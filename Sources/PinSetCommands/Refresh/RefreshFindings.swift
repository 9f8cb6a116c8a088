internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Creates the findings of a refresh for one entry.
struct RefreshFindings {
    let refresh: EntryRefresh
    let addresses: [AddressHandshake]
    /// The targets of which an address answered with a chain.
    let answering: Set<Target>
    let otherChains: [OtherChain]
    let skipped: [AddressHandshake]
    let gap: RefreshGap?
    /// The forecasts of the platforms that the set is for.
    let platforms: [PlatformForecast]
    /// The entry as it is at the end of the run.
    let kept: PinSet.Entry
    let plan: RefreshPlan

    init(
        _ refresh: EntryRefresh, _ addresses: [AddressHandshake], _ otherChains: [OtherChain],
        skipped: [AddressHandshake], kept: PinSet.Entry, gap: RefreshGap?, platforms: [PlatformForecast],
        by plan: RefreshPlan
    ) {
        self.refresh = refresh
        self.addresses = addresses
        answering = Set(addresses.filter { $0.chain != nil }.map(\.target))
        self.otherChains = otherChains
        self.skipped = skipped
        self.gap = gap
        self.platforms = platforms
        self.kept = kept
        self.plan = plan
    }

    var entry: PinSet.Entry { refresh.entry }
    var host: String { entry.host }

    /// All findings, the most important first.
    var all: [RefreshFinding] {
        zip(refresh.observations, addresses).compactMap(finding)
            + zip(refresh.otherObservations, otherChains).compactMap(otherFinding)
            + expiry + rejections + refusals + pins + additions + unlearned + missingBackup + lostBackups + gaps
    }

    private var expiry: [RefreshFinding] {
        guard let expires = entry.expires else { return [] }
        let later = "set a later \"expires\" at \(plan.pins.location(of: entry))"
        let stillMatches = !refresh.chains.isEmpty && refresh.hasEveryAnswer
        let step =
            stillMatches ? "\(later): the pins still match" : "when a pin matches each chain of the host, \(later)"
        if entry.isExpired(at: plan.rules.now) {
            return [finding(.expired, .error, "the pins expired on \(expires.date)", hint: step)]
        }
        guard plan.rules.now.days(until: expires) < CheckRun.expiryWarningDays else { return [] }
        let left = plan.rules.now.left(until: expires)
        return [finding(.expiresSoon, .warning, "the pins expire on \(expires.date), \(left)", hint: step)]
    }

    // MARK: Pins

    /// The findings about pins. Those that --write cannot fix come first.
    private var pins: [RefreshFinding] {
        let all = pinsInOrder
        let urgent = { (finding: RefreshFinding) in finding.code == .backupInUse }
        return all.filter(urgent) + all.filter { !urgent($0) }
    }

    private var pinsInOrder: [RefreshFinding] {
        refresh.pins.compactMap { pin in
            let name = Self.name(of: pin.key)
            switch pin.status {
            case .gone(let since, let retires, let isNoted):
                let text =
                    "the pin \(name) has not been served since \(since.date) and "
                    + (retires.map { "will be retired on \($0.date)" } ?? Self.staysActive)
                return isNoted ? finding(.gonePin, .note, text, pin.key) : difference(.gonePin, text, pin.key)
            case .retires(let since):
                return difference(
                    .retiredPin,
                    "the pin \(name) has not been served since \(since.date): "
                        + (plan.mode == .write ? "it was retired" : "--write retires it"), pin.key)
            case .returned: return difference(.returnedPin, "the pin \(name) is served again", pin.key)
            case .reinstated:
                return difference(
                    .returnedPin, "the retired pin \(name) is served again, so it is active again", pin.key)
            case .backupPromoted:
                return difference(.promotedBackup, "the backup \(name) is in use, so it is active now", pin.key)
            case .retiredServed:
                return finding(
                    .retiredInUse, .warning, "the pin \(name) is retired but in the chain", pin.key,
                    hint: "set its \"state\" to \"active\" if the key is in use on purpose")
            case .backupServed where !hasUnusedBackup:
                return finding(
                    .backupInUse, .error, "the backup \(name) is in the chain, and there is no other backup", pin.key,
                    hint: plan.pins.format.traits.isNative
                        ? "create a new backup key and add it with --from-key or --from-csr"
                        : BackupAdvice(for: plan.pins.format, roles: entry.pins.map(\.role)).step)
            case .wrongRole(let isMarked): return misplacement(of: pin, isMarked: isMarked)
            case .unserved:
                return finding(
                    .unservedPin, .note, "the active pin \(name) is not in the chain, and \(unservedReason)",
                    pin.key,
                    hint: plan.pins.format.traits.isNative ? "set its \"state\" to \"backup\" if it is a backup" : nil)
            case .unknown where pin.key.state == .active && refresh.hasEveryAnswer:
                guard let gap else { return nil }
                return finding(
                    .unservedPin, .note, "the active pin \(name) is not in the chain, but \(gap.reason)", pin.key,
                    hint: gap.hint)
            case .served, .unknown, .backup, .backupServed, .retired: return nil
            }
        }
    }

    /// The finding about a pin whose key is in a chain, but not in the role of the pin.
    private func misplacement(of pin: PinRefresh, isMarked: Bool) -> RefreshFinding {
        let roles = pin.roles.map(\.rawValue)
        let text =
            "the key of the pin \(Self.name(of: pin.key)) is in the chain as \(roles.joined(conjunction: "and")), but the role of the pin"
            + " is \(pin.key.role.rawValue); the pin is not retired, because apps of platforms without roles accept it"
        if isMarked {
            return difference(
                .wrongRole, "\(text); its \"goneSince\" \(plan.mode == .write ? "was removed" : "is wrong")", pin.key)
        }
        // With cross-signed certificates, a set can have the key once for each role.
        let isAlsoServed = refresh.pins.contains { other in
            other.key.pin == pin.key.pin && [.served, .returned, .reinstated].contains(other.status)
        }
        if isAlsoServed { return finding(.wrongRole, .note, text, pin.key) }
        // A cross-signed CA is a root for some clients and an intermediate for others.
        let isAuthority = !pin.roles.contains(.leaf) && [.intermediate, .root].contains(pin.key.role)
        let role = isAuthority ? "ca" : roles.count == 1 ? roles[0] : "any"
        return finding(
            .wrongRole, .warning, text, pin.key,
            hint: plan.pins.format.traits.isNative ? "set its \"role\" to \"\(role)\" if this key is meant" : nil)
    }

    private var additions: [RefreshFinding] {
        refresh.added.map { added in
            let name = Self.name(of: added.key)
            guard let chainPin = added.chainPin else {
                return difference(
                    .newBackup, "the backup \(name) \(plan.mode == .write ? "was added" : "is not in the set yet")",
                    added.key)
            }
            var finding = difference(
                .newPin,
                "the \(chainPin.role.rawValue) has a new key, \(name), which "
                    + (plan.mode == .write ? "was added" : "is not in the set"), added.key)
            finding.title = title(of: added, at: chainPin)
            return finding
        }
    }

    /// The change from the pin that a new one replaces; nil if it replaces no pin.
    private func title(of added: AddedPin, at chainPin: ChainPin) -> String? {
        let replaced = refresh.pins.first { pin in
            switch pin.status {
            case .gone, .retires, .unserved: pin.key.role == added.key.role
            default: false
            }
        }
        let certificate = refresh.chains.lazy.flatMap(\.entries).first { entry in
            entry.certificate.pin == chainPin.pin && entry.role == chainPin.role
        }
        guard let replaced, let certificate else { return nil }
        return KeyChange.title(chainPin.role.rawValue, replaced.key, to: certificate)
    }

    /// The first address with a handshake that nothing authenticated.
    private var unfinishedName: String {
        addresses.first(where: \.isUnfinished)?.name
            ?? otherChains.first(where: \.isUnfinished).map { addresses[$0.address].name } ?? host
    }

    /// Keys of chains that an interceptor may have changed.
    private var unlearned: [RefreshFinding] {
        refresh.unlearned.map { chainPin in
            var finding = finding(
                .newPin, .error,
                "the \(chainPin.role.rawValue) has a new key, \(chainPin.pin.base64), which was not added: "
                    + UnfinishedHandshake.doubt(at: unfinishedName),
                hint: UnfinishedHandshake.step)
            finding.isInconclusive = true
            return finding
        }
    }

    private var refusals: [RefreshFinding] {
        refresh.refused.map { refused in
            let pin = refused.key.pin.base64
            switch refused.reason {
            case .served:
                return finding(
                    .backupRefused, .error,
                    "the key \(pin) cannot be a backup: it is in a chain of a host",
                    refused.key,
                    hint: refused.key.role == .leaf
                        ? "create a new key that no server uses" : "choose a CA that is in no chain of the host")
            case .retired:
                return finding(
                    .backupRefused, .error, "the key \(pin) cannot be a backup: it is retired in the set",
                    refused.key,
                    hint: "create a new key")
            case .active:
                return finding(
                    .backupRefused, .error, "the key \(pin) cannot be a backup: it is active in the set", refused.key,
                    hint: "set its \"state\" to \"backup\" if no server uses it")
            case .otherPath:
                var finding = finding(
                    .backupUnknown, .error,
                    "the key \(pin) was not added: it \(Self.crossCertified)", refused.key,
                    hint: "use the key of another CA, or run refresh with the CAs that your clients trust")
                finding.isInconclusive = true
                return finding
            case .unauthenticated:
                var finding = finding(
                    .backupUnknown, .error,
                    "the key \(pin) was not added: \(UnfinishedHandshake.doubt(at: unfinishedName))",
                    refused.key, hint: UnfinishedHandshake.step)
                finding.isInconclusive = true
                return finding
            case .unknown:
                var finding = finding(
                    .backupUnknown, .error,
                    "the key \(pin) was not added: "
                        + (refresh.hasEveryAnswer
                            ? "it can be in one of the host's valid paths, of which there are more than refresh searches"
                            : "without the host's chain, pinctl cannot tell whether it is in use"),
                    refused.key)
                finding.isInconclusive = true
                return finding
            }
        }
    }

    private var unservedReason: String { Self.reason(ofUnservedIn: entry) }

    /// Why a pin that is not served is not retired.
    static func reason(ofUnservedIn entry: PinSet.Entry) -> String {
        entry.subdomains == .none
            ? "no known key replaces it" : "subdomains of the host, which pinctl does not contact, may use it"
    }

    /// Whether the entry has a backup that no valid path of a chain contains, and whose certificate has not expired.
    private var hasUnusedBackup: Bool {
        kept.pins.contains { key in
            key.state == .backup && key.expiry(before: plan.rules.now) == nil
                && !(refresh.observations + refresh.otherObservations).contains { $0.hasKey(key.pin) }
        }
    }

    private var missingBackup: [RefreshFinding] {
        guard refresh.hasEveryAnswer, !hasUnusedBackup,
            !refresh.pins.contains(where: {
                [.backupServed, .unknown].contains($0.status)
                    || $0.status == .unserved && $0.key.expiry(before: plan.rules.now) == nil
            })
        else { return [] }
        let expired = kept.pins.lazy.compactMap { key in
            key.state == .backup
                ? key.expiry(before: plan.rules.now).map {
                    "the certificate of \(Self.name(of: key)) expired on \($0.date), so "
                }
                : nil
        }.first
        return [
            finding(
                .noBackup, .warning,
                (expired ?? "") + "there is no backup: no pin matches a chain without the pinned keys that are in use",
                hint: plan.pins.format.traits.isNative
                    ? "create a backup key and add it with --from-key or --from-csr"
                    : BackupAdvice(
                        for: plan.pins.format, roles: kept.pins.filter { $0.state != .retired }.map(\.role)
                    ).step)
        ]
    }

    // MARK: Construction

    /// A finding that --write fixes.
    private func difference(_ code: RefreshFinding.Code, _ message: String, _ key: PinSet.PinnedKey) -> RefreshFinding {
        let severity: LintFinding.Severity =
            switch plan.mode {
            case .check: .error
            case .report: .warning
            case .write: .note
            }
        return finding(code, severity, message, key, hint: plan.mode == .write ? nil : plan.writeStep)
    }

    func finding(
        _ code: RefreshFinding.Code, _ severity: LintFinding.Severity, _ message: String,
        _ key: PinSet.PinnedKey? = nil,
        hint: String? = nil
    ) -> RefreshFinding {
        RefreshFinding(
            code: code, severity: severity, host: host, pin: key?.pin, message: message, hint: hint,
            file: plan.path, line: (key?.position ?? entry.position)?.line
        )
    }

    /// What happens to a pin that is gone, if no retirement follows.
    static let staysActive = "stays active, because no other active pin is in use"

    static func name(of key: PinSet.PinnedKey) -> String {
        let label = key.shownLabel ?? KnownAuthorities.name(of: key.pin)
        return label.map { "\(key.pin.base64) (\($0))" } ?? key.pin.base64
    }
}

extension RefreshPlan {
    /// The step that fixes a difference.
    var writeStep: String {
        guard pins.format.traits.isNative else {
            return
                "convert the file with pinctl convert --to pins, and refresh the set, or update the set of which the file is a copy"
        }
        let words = ["pinctl", "refresh", "--pins", path == "-" ? "FILE" : ShellCommand.path(path), "--write"]
        return "run \(ShellCommand.line(words + connecting))"
    }
}
