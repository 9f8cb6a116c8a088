internal import Encodings
internal import PinSetFormats
package import Pinning

/// Works out the changes of one entry: see ``EntryRefresh`` for the rules.
package struct EntryPlanner {
    let entry: PinSet.Entry
    let index: Int
    let answers: [RefreshAnswer]
    /// What the addresses serve to clients that accept other types of keys.
    let others: [RefreshAnswer]
    /// Whether ``answers`` has all addresses of the hosts.
    let coversAllAddresses: Bool
    let rules: RefreshRules

    private(set) var pins: [PinRefresh] = []
    private(set) var added: [AddedPin] = []
    private(set) var refused: [RefusedBackup] = []
    private(set) var known: [PinSet.PinnedKey] = []
    private(set) var edits: [PinSetEdit] = []
    private(set) var isDifferent = false

    private var newest: [Role: Timestamp?] = [:]
    /// Retired pins that are to be active again.
    private var reinstated: Set<Int> = []

    init(
        entry: PinSet.Entry, index: Int, answers: [RefreshAnswer], others: [RefreshAnswer], coversAllAddresses: Bool,
        rules: RefreshRules
    ) {
        self.entry = entry
        self.index = index
        self.answers = answers
        self.others = others
        self.coversAllAddresses = coversAllAddresses
        self.rules = rules
    }

    /// Whether every address that was contacted gave a chain that may be learned from.
    private var hasEveryAnswer: Bool { !answers.isEmpty && answers.allSatisfy(\.isLearnable) }
    /// Whether a pin that no chain contains is in use nowhere.
    private var isConclusive: Bool { hasEveryAnswer && coversAllAddresses }
    private var learnable: [RefreshAnswer] { answers.filter(\.isLearnable) }

    mutating func plan() {
        // What is learnt from one address may be for a place that no pin was for: then the others are looked at again.
        var found = -1
        while found != added.count + reinstated.count {
            found = added.count + reinstated.count
            for answer in learnable { learn(from: answer) }
        }
        takeBackups()
        newest = newestKeys()
        for place in entry.pins.indices { settle(place) }
        for pin in added { edit(.add(pin.key, entry: index)) }
    }

    private mutating func edit(_ edit: PinSetEdit, isNote: Bool = false) {
        edits.append(edit)
        if !isNote { isDifferent = true }
    }

    // MARK: Learning

    private mutating func learn(from answer: RefreshAnswer) {
        for (role, spelling) in pinnedRoles { learn(role, as: spelling, from: answer) }
        guard answer.verdict == .accepted, !isCovered(answer) else { return }
        // None of the places that were pinned is in this chain: the nearest authority stands in for another one, a leaf for itself.
        let pinsAuthorities = entry.pins.contains {
            $0.state == .active && [.intermediate, .root, .ca].contains($0.role)
        }
        guard pinsAuthorities, let issuer = answer.pins.first(where: { $0.position == 1 }) else {
            return learn(.leaf, as: .leaf, from: answer)
        }
        learn(issuer.role, as: .ca, from: answer)
    }

    private func isCovered(_ answer: RefreshAnswer) -> Bool {
        answer.pins.contains { place in currentKeys.contains { $0.matches(place) } }
    }

    /// The pins that match, those that were found so far included.
    private var currentKeys: [PinSet.PinnedKey] {
        entry.pins.enumerated().filter { $1.state != .retired || reinstated.contains($0) }.map(\.element)
            + added.map(\.key)
    }

    /// Takes the key that stands in a place of the chain, unless one there is pinned already.
    private mutating func learn(_ role: Role, as spelling: PinSet.AllowedRole, from answer: RefreshAnswer) {
        let places = answer.pins.filter { $0.role == role }
        // Of several intermediates the one that issued the leaf.
        guard let place = places.first,
            !places.contains(where: { place in currentKeys.contains { $0.matches(place) } })
        else { return }
        // What a person retired stays so; what a refresh did for want of use comes back with use.
        let retired = entry.pins.indices.filter { entry.pins[$0].state == .retired && entry.pins[$0].pin == place.pin }
        guard retired.allSatisfy({ entry.pins[$0].goneSince != nil }) || answer.verdict == .accepted else { return }
        if let same = retired.first(where: { entry.pins[$0].matches(place) }) {
            reinstated.insert(same)
        } else {
            let certificate = answer.certificate(at: place)
            let key = PinSet.PinnedKey(
                pin: place.pin, role: spelling,
                label: KnownAuthorities.name(of: place.pin) ?? certificate?.subject?.displayName,
                notAfter: certificate?.notAfter?.startOfDay, added: rules.today
            )
            added.append(AddedPin(key: key, place: place))
        }
    }

    /// The places that the entry's active pins are for, from the leaf up, and the role that a new pin for each would have.
    private var pinnedRoles: [(Role, PinSet.AllowedRole)] {
        var spellings: [Role: PinSet.AllowedRole] = [:]
        let active = entry.pins.enumerated().filter { $1.state == .active || reinstated.contains($0) }.map(\.element)
        for key in active + added.map(\.key) {
            switch key.role {
            case .leaf: spellings[.leaf] = .leaf
            case .intermediate: spellings[.intermediate] = .intermediate
            case .root: spellings[.root] = .root
            case .ca, .any:
                for role in roles(of: key) where spellings[role] == nil {
                    spellings[role] = key.role == .ca ? .ca : PinSet.AllowedRole(role)
                }
            }
        }
        return Role.allCases.compactMap { role in spellings[role].map { (role, $0) } }
    }

    /// The places that a pin is for. What a pin without a role of its own is for is known where a chain has it, or where its
    /// label is the name of a certificate; otherwise it may be for any place, and nothing follows from that.
    private func roles(of key: PinSet.PinnedKey) -> [Role] {
        switch key.role {
        case .leaf: return [.leaf]
        case .intermediate: return [.intermediate]
        case .root: return [.root]
        case .ca, .any:
            let served = learnable.flatMap { $0.places(of: key) }.map(\.role)
            if !served.isEmpty { return Role.allCases.filter(served.contains) }
            guard let label = key.label else { return [] }
            let named = learnable.flatMap { answer in
                answer.pins.filter { place in
                    key.role.allows(place.role, at: place.position)
                        && answer.certificate(at: place)?.subject?.displayName == label
                }
            }
            return named.first.map { [$0.role] } ?? []
        }
    }

    // MARK: Backups

    private mutating func takeBackups() {
        for key in rules.backups {
            let same = entry.pins.filter { $0.pin == key.pin }
            // Also what is sent beside the path: whoever has its key has it on the server.
            let isServedHere = answers.contains { answer in
                answer.pins.contains { $0.pin == key.pin }
                    || answer.chain?.unused.contains { $0.pin == key.pin } ?? false
            }
            let isServed = isServedHere || rules.served.contains(key.pin)
            let reason: RefusedBackup.Reason? =
                if isServed { .served } else if same.contains(where: { $0.state == .backup }) {
                    nil
                } else if same.contains(where: { $0.state == .active }) { .active } else if !same.isEmpty {
                    .retired
                } else if !hasEveryAnswer { .unknown } else { nil }
            if let reason {
                refused.append(RefusedBackup(key: key, reason: reason))
            } else if same.isEmpty {
                added.append(AddedPin(key: key, place: nil))
            } else {
                known.append(key)
            }
        }
    }

    /// Whether the entry keeps a backup that no chain has.
    private var hasSpare: Bool {
        let backups = entry.pins.filter { $0.state == .backup } + added.filter { $0.place == nil }.map(\.key)
        return backups.contains { key in !answers.contains { answer in answer.pins.contains { $0.pin == key.pin } } }
    }

    // MARK: Pins that are there

    private mutating func settle(_ place: Int) {
        let key = entry.pins[place]
        func serving(_ answers: [RefreshAnswer]) -> [(RefreshAnswer, [ChainPin])] {
            answers.map { answer in (answer, answer.places(of: key)) }.filter { !$0.1.isEmpty }
        }
        var served = serving(learnable)
        let isServedFirst = !served.isEmpty
        if !isServedFirst, key.state == .active { served = serving(others) }
        let places = served.flatMap(\.1)
        let ends = served.flatMap { answer, places in places.compactMap { answer.certificate(at: $0)?.notAfter } }
        // A rollout that is not at its end yet may be taken back.
        let isEverywhere = isConclusive && isServedFirst && served.count == learnable.count
        let isLeaf = isEverywhere && served.allSatisfy { $0.1.contains { $0.position == 0 } }
        let status = status(of: key, at: place, isServed: !served.isEmpty, isLeaf: isLeaf)
        change(place, to: status)
        if let end = ends.min(), let noted = key.notAfter, key.state != .retired, noted.startOfDay != end.startOfDay {
            let isDay = noted == noted.startOfDay
            edit(.change(.notAfter(isDay ? end.startOfDay : end), entry: index, pin: place), isNote: true)
        }
        pins.append(
            PinRefresh(
                key: key, status: status, roles: Role.allCases.filter { role in places.contains { $0.role == role } },
                addresses: served.count, notAfter: ends.min()
            )
        )
    }

    private func status(of key: PinSet.PinnedKey, at place: Int, isServed: Bool, isLeaf: Bool) -> PinRefresh.Status {
        switch key.state {
        case .retired:
            return reinstated.contains(place) ? .reinstated : isServed ? .retiredServed : .retired
        case .backup:
            guard isServed else { return learnable.isEmpty ? .unknown : .backup }
            return isLeaf && hasSpare ? .backupPromoted : .backupServed
        case .active:
            guard !isServed else { return key.goneSince == nil ? .served : .returned }
            guard isConclusive else { return .unknown }
            // The names below a host are not asked, and any of them may use it.
            guard entry.subdomains == .none else { return .unserved }
            guard key.goneSince != nil || isReplaced(key) else { return .unserved }
            let since = key.goneSince ?? rules.today
            guard since.days(until: rules.now) < Int64(rules.retainedDays) else { return .retires(since: since) }
            return .gone(since: since, retires: since.adding(days: rules.retainedDays), isNoted: key.goneSince != nil)
        }
    }

    /// Whether a newer key stands where this one was.
    private func isReplaced(_ key: PinSet.PinnedKey) -> Bool {
        let roles = roles(of: key)
        // Nobody knows which authority it was; where a person vouched for another one, that is in its place.
        if roles.isEmpty, key.role == .ca {
            return answers.contains { answer in
                guard answer.verdict == .accepted else { return false }
                return added.contains { $0.key.role == .ca && !answer.places(of: $0.key).isEmpty }
            }
        }
        return roles.contains { role in
            switch newest[role] {
            case nil: false
            case .some(nil): true
            case .some(let added?): key.added.map { $0 < added } ?? true
            }
        }
    }

    /// For each place of the chain, when the newest key there came into the set: nil for one that is newer than any other that is
    /// active. A place is missing where nothing is known of the age of its key.
    private func newestKeys() -> [Role: Timestamp?] {
        var newest: [Role: Timestamp?] = [:]
        func note(_ key: PinSet.PinnedKey, added: Timestamp?) {
            for role in Set(learnable.flatMap { $0.places(of: key) }.map(\.role)) {
                guard let known = newest[role] else {
                    newest[role] = .some(added)
                    continue
                }
                if let latest = known { newest[role] = .some(added.map { max($0, latest) }) }
            }
        }
        for (place, key) in entry.pins.enumerated() {
            if reinstated.contains(place) {
                note(key, added: nil)
            } else if key.state != .retired {
                guard key.added != nil || key.state == .backup else { continue }
                note(key, added: key.added)
            }
        }
        for pin in added { note(pin.key, added: nil) }
        return newest
    }

    private mutating func change(_ place: Int, to status: PinRefresh.Status) {
        func change(_ field: PinSetEdit.Field) -> PinSetEdit { .change(field, entry: index, pin: place) }
        switch status {
        case .returned: edit(change(.goneSince(nil)))
        case .reinstated:
            edit(change(.state(.active)))
            edit(change(.goneSince(nil)))
            edit(change(.added(rules.today)))
        case .gone(let since, _, isNoted: false): edit(change(.goneSince(since)))
        case .retires(let since):
            edit(change(.goneSince(since)))
            edit(change(.state(.retired)))
        case .backupPromoted:
            edit(change(.state(.active)))
            edit(change(.added(rules.today)))
        case .served, .retiredServed, .gone, .unserved, .unknown, .backup, .backupServed, .retired: break
        }
    }
}

extension PinSet.AllowedRole {
    /// This place and no other.
    package init(_ role: Role) {
        self =
            switch role {
            case .leaf: .leaf
            case .intermediate: .intermediate
            case .root: .root
            }
    }
}

extension Timestamp {
    /// Midnight UTC at the start of its day.
    package var startOfDay: Timestamp { Timestamp(rfc3339: date) ?? self }

    func adding(days: Int) -> Timestamp {
        let (seconds, overflows) = secondsSince1970.addingReportingOverflow(Int64(days) &* CalendarTime.secondsPerDay)
        return overflows ? self : Timestamp(secondsSince1970: seconds)
    }
}
