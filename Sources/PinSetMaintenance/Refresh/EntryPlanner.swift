internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Computes the changes of an entry by the rules of ``EntryRefresh``.
package struct EntryPlanner {
    let entry: PinSet.Entry
    let index: Int
    let observations: [AddressObservation]
    /// The chains that the addresses send to other clients.
    let otherObservations: [AddressObservation]
    /// For each of ``otherObservations``, the index of its address in ``observations``.
    let otherAddresses: [Int]
    /// Whether ``observations`` covers all addresses of the hosts.
    let coversAllAddresses: Bool
    let rules: RefreshRules

    private(set) var pins: [PinRefresh] = []
    var added: [AddedPin] = []
    private(set) var unlearned: [ChainPin] = []
    var refused: [RefusedBackup] = []
    var known: [PinSet.PinnedKey] = []
    private(set) var edits: [PinSetEdit] = []
    private(set) var isDifferent = false

    private(set) var newest: [Role: Timestamp?] = [:]
    /// Indices of the retired pins that become active again.
    private(set) var reinstated: Set<Int> = []
    /// Indices of the backups that become active.
    var promoted: Set<Int> = []
    /// Whether a chain contains an active pin in its role, also one that this refresh adds or makes active.
    var hasActivePinInUse = false
    /// The observations of which the chain is one of the host.
    private let usable: [AddressObservation]
    /// The keys in chains that contain no pin of the set. With one of them, the next refresh would accept the chain.
    private let refusedKeys: Set<Pin>
    /// Those in chains that contain a pin that the user retired. Such a chain is never accepted, so they are not learned from an accepted
    /// chain either.
    private let withdrawnKeys: Set<Pin>
    /// The positions of each key in the paths of ``usable``.
    private let servedPositions: [Pin: [ChainPin]]
    /// The positions of each key in the chains for other clients, and in the other valid paths of all chains.
    private let otherPositions: [Pin: [ChainPin]]
    /// The pins that can match, including the pins that were added so far, by their keys.
    private var current: [Pin: [PinSet.PinnedKey]]
    /// See ``pinnedRoles()``; nil after a change of the pins.
    var knownRoles: [(Role, PinSet.AllowedRole)]?

    init(
        entry: PinSet.Entry, index: Int, observations: [AddressObservation], otherObservations: [AddressObservation],
        otherAddresses: [Int], coversAllAddresses: Bool,
        rules: RefreshRules
    ) {
        self.entry = entry
        self.index = index
        self.observations = observations
        self.otherObservations = otherObservations
        self.otherAddresses = otherAddresses
        self.coversAllAddresses = coversAllAddresses
        self.rules = rules
        usable = observations.filter(\.isUsable)
        let mismatches = (observations + otherObservations).filter { $0.verdict == .mismatch }
        refusedKeys = Set(mismatches.flatMap(\.keysOfPaths))
        withdrawnKeys = Set(mismatches.filter { $0.withdrawnKey != nil }.flatMap(\.keysOfPaths))
        servedPositions = Dictionary(grouping: usable.flatMap(\.pins), by: \.pin)
        let usableOthers = otherObservations.filter(\.isUsable)
        otherPositions = Dictionary(
            grouping: usableOthers.flatMap(\.pins) + (usable + usableOthers).flatMap(\.pinsInAllPaths), by: \.pin)
        current = Dictionary(grouping: entry.pins.filter { $0.state != .retired }, by: \.pin)
    }

    /// Whether a key can be in a valid path that is not known.
    var hasUnknownPaths: Bool {
        (observations + otherObservations).contains { $0.chain?.hasUnknownPaths ?? false }
    }

    /// Whether a handshake authenticated each chain.
    var areAuthenticated: Bool { (observations + otherObservations).allSatisfy(\.isAuthenticated) }

    /// Whether every contacted address sent a usable chain.
    var hasEveryAnswer: Bool { !observations.isEmpty && observations.allSatisfy(\.isUsable) }
    /// Whether a pin that no chain contains is certainly not in use. An interceptor may have sent a chain without a pin of the set, in place
    /// of the one that contains this pin.
    var isConclusive: Bool { hasEveryAnswer && coversAllAddresses && otherObservations.allSatisfy(\.isUsable) }

    mutating func plan() {
        addPins()
        addBackups()
        hasActivePinInUse =
            !reinstated.isEmpty || added.contains { $0.chainPin != nil }
            || entry.pins.contains { $0.state == .active && isInUse($0) }
        promoteBackups()
        unlearned = unlearnedKeys()
        newest = newestKeys()
        for pinIndex in entry.pins.indices { classify(pinIndex) }
        for pin in added { edit(.add(pin.key, entry: index)) }
    }

    mutating func edit(_ edit: PinSetEdit, isNote: Bool = false) {
        edits.append(edit)
        if !isNote { isDifferent = true }
    }

    // MARK: New pins

    mutating func addPins() {
        // A new pin can be for a role that no pin had before. In this case, check the other addresses again.
        var found = -1
        while found != added.count + reinstated.count {
            found = added.count + reinstated.count
            for observation in usableChains where observation.teachesKeys { addPins(from: observation) }
        }
    }

    private mutating func addPins(from observation: AddressObservation) {
        for (role, allowedRole) in pinnedRoles() { addPin(role, as: allowedRole, from: observation) }
        guard observation.verdict == .accepted, !isCovered(observation) else { return }
        // The chain has none of the pinned roles. If the entry pins CAs, the issuer of the leaf is added; otherwise the leaf.
        let pinsAuthorities = entry.pins.contains {
            $0.state == .active && [.intermediate, .root, .ca].contains($0.role)
        }
        guard pinsAuthorities, let issuer = observation.pins.first(where: { $0.position == 1 }) else {
            return addPin(.leaf, as: .leaf, from: observation)
        }
        addPin(issuer.role, as: .ca, from: observation)
    }

    private var usableChains: [AddressObservation] { usable + otherObservations.filter(\.isUsable) }

    /// The keys that the other chains would add.
    private mutating func unlearnedKeys() -> [ChainPin] {
        var found: [ChainPin] = []
        for observation in usableChains where !observation.teachesKeys {
            for (role, _) in pinnedRoles() {
                let chainPins = observation.pins.filter { $0.role == role }
                guard let first = chainPins.first, !chainPins.contains(where: isPinned),
                    !found.contains(where: { $0.pin == first.pin })
                else { continue }
                found.append(first)
            }
        }
        return found
    }

    private func isCovered(_ observation: AddressObservation) -> Bool { observation.pins.contains(where: isPinned) }

    /// Whether a pin that can match is for this key and position.
    private func isPinned(_ chainPin: ChainPin) -> Bool {
        current[chainPin.pin]?.contains { $0.matches(chainPin) } ?? false
    }

    /// Adds the key with this role in the chain, unless a key with this role is already pinned.
    private mutating func addPin(_ role: Role, as allowedRole: PinSet.AllowedRole, from observation: AddressObservation)
    {
        let chainPins = observation.pins.filter { $0.role == role }
        let excluded = observation.verdict == .accepted ? withdrawnKeys : refusedKeys
        // If there are several intermediates, the first one issued the leaf.
        guard let chainPin = chainPins.first(where: { !excluded.contains($0.pin) }),
            !chainPins.contains(where: isPinned)
        else { return }
        // If the user retired a pin, it stays retired; a chain that it matches is not accepted. If a refresh retired it, it becomes active
        // when it is served again.
        let retired = entry.pins.indices.filter {
            entry.pins[$0].state == .retired && entry.pins[$0].pin == chainPin.pin
        }
        guard retired.allSatisfy({ entry.pins[$0].goneSince != nil }) || observation.verdict == .accepted else {
            return
        }
        if let same = retired.first(where: { entry.pins[$0].matches(chainPin) }) {
            reinstated.insert(same)
            current[chainPin.pin, default: []].append(entry.pins[same])
        } else {
            let certificate = observation.certificate(at: chainPin)
            let key = PinSet.PinnedKey(
                pin: chainPin.pin, role: allowedRole,
                label: KnownAuthorities.name(of: chainPin.pin) ?? certificate?.subject?.displayName,
                notAfter: certificate?.notAfter?.startOfDay, added: rules.today
            )
            added.append(AddedPin(key: key, chainPin: chainPin))
            current[chainPin.pin, default: []].append(key)
        }
        knownRoles = nil
    }

    /// The roles that the entry's active pins cover, leaf first. Each comes with the allowed role for a new pin.
    private mutating func pinnedRoles() -> [(Role, PinSet.AllowedRole)] {
        if let knownRoles { return knownRoles }
        var allowedRoles: [Role: PinSet.AllowedRole] = [:]
        let active = entry.pins.enumerated()
            .filter { $1.state == .active || reinstated.contains($0) || promoted.contains($0) }.map(\.element)
        for key in active + added.map(\.key).filter({ $0.state == .active }) {
            switch key.role {
            case .leaf: allowedRoles[.leaf] = .leaf
            case .intermediate: allowedRoles[.intermediate] = .intermediate
            case .root: allowedRoles[.root] = .root
            case .ca, .any:
                for role in roles(of: key) where allowedRoles[role] == nil {
                    allowedRoles[role] = key.role == .ca ? .ca : PinSet.AllowedRole(role)
                }
            }
        }
        let roles = Role.allCases.compactMap { role in allowedRoles[role].map { (role, $0) } }
        knownRoles = roles
        return roles
    }

    /// The roles that a pin covers. If the pin has no specific role, they are known only if a chain contains the pin or if the
    /// pin's label is the name of a certificate. Otherwise the result is empty.
    func roles(of key: PinSet.PinnedKey) -> [Role] {
        switch key.role {
        case .leaf: return [.leaf]
        case .intermediate: return [.intermediate]
        case .root: return [.root]
        case .ca, .any:
            let served = positions(of: key).map(\.role)
            if !served.isEmpty { return Role.allCases.filter(served.contains) }
            guard let label = key.label else { return [] }
            let named = usable.flatMap { observation in
                observation.pins.filter { chainPin in
                    key.role.allows(chainPin.role, at: chainPin.position)
                        && observation.certificate(at: chainPin)?.subject?.displayName == label
                }
            }
            return named.first.map { [$0.role] } ?? []
        }
    }

    /// The positions in the paths of ``usable`` where a pin matches.
    func positions(of key: PinSet.PinnedKey) -> [ChainPin] {
        (servedPositions[key.pin] ?? []).filter(key.matches)
    }

    /// Whether a pin matches in a chain of an address, also in one for other clients or in another valid path.
    func isInUse(_ key: PinSet.PinnedKey) -> Bool {
        !positions(of: key).isEmpty || otherPositions[key.pin]?.contains(where: key.matches) ?? false
    }

    // MARK: Existing pins

    private mutating func classify(_ pinIndex: Int) {
        let key = entry.pins[pinIndex]
        // An interceptor can show a CA that the host has replaced, in a chain that no handshake authenticated.
        let isGone = key.goneSince != nil
        func counts(_ observation: AddressObservation) -> Bool {
            observation.isUsable && (observation.isAuthenticated || !isGone)
        }
        let own = zip(observations.indices, observations).filter { counts($1) }
        let others = zip(otherAddresses, otherObservations).filter { counts($1) }
        var served = own.map { (address: $0, entries: $1.entries(with: key)) }.filter { !$0.entries.isEmpty }
        if served.isEmpty {
            served = others.map { (address: $0, entries: $1.entries(with: key)) }.filter { !$0.entries.isEmpty }
        }
        if served.isEmpty {
            served = (own + others).map { (address: $0, entries: $1.entriesInAllPaths(with: key)) }
                .filter { !$0.entries.isEmpty }
        }
        // A client without roles, such as OkHttp, accepts the key at any position.
        let found =
            !served.isEmpty
            ? served
            : (own + others).map { (address: $0, entries: $1.entries(withKey: key.pin)) }.filter { !$0.entries.isEmpty }
        let entries = found.flatMap(\.entries)
        let ends = entries.compactMap(\.certificate.notAfter)
        let status = status(of: key, at: pinIndex, isServed: !served.isEmpty, isInChain: !found.isEmpty)
        change(pinIndex, to: status)
        if !served.isEmpty, areAuthenticated, let end = ends.min(), let noted = key.notAfter, key.state != .retired,
            noted.startOfDay != end.startOfDay
        {
            let isDay = noted == noted.startOfDay
            edit(.change(.notAfter(isDay ? end.startOfDay : end), entry: index, pin: pinIndex), isNote: true)
        }
        pins.append(
            PinRefresh(
                key: key, status: status,
                roles: Role.allCases.filter { role in entries.contains { $0.role == role } },
                addresses: Set(found.map(\.address)).count, notAfter: ends.min()
            )
        )
    }

    /// - Parameters:
    ///   - isServed: whether a chain contains the key at a position that the role of the pin allows.
    ///   - isInChain: whether a chain contains the key at any position.
    private func status(
        of key: PinSet.PinnedKey, at pinIndex: Int, isServed: Bool, isInChain: Bool
    ) -> PinRefresh.Status {
        switch key.state {
        case .retired:
            return reinstated.contains(pinIndex) ? .reinstated : isServed ? .retiredServed : .retired
        case .backup:
            guard isInChain else { return usable.isEmpty || hasUnknownPaths ? .unknown : .backup }
            return promoted.contains(pinIndex) ? .backupPromoted : .backupServed
        case .active:
            guard !isServed else { return key.goneSince == nil ? .served : .returned }
            guard !isInChain else { return .wrongRole(isMarked: key.goneSince != nil) }
            guard isConclusive else { return .unknown }
            // Subdomains were not contacted, and one of them may use the pin.
            guard entry.subdomains == .none else { return .unserved }
            guard key.goneSince != nil || isReplaced(key) else { return .unserved }
            // A pin is not gone before the day on which it was added: an earlier date is from a run with a wrong clock.
            let noted = key.goneSince ?? rules.today
            let since = key.added.map { max(noted, $0) } ?? noted
            let isOver = since.days(until: rules.now) >= Int64(rules.retainedDays)
            // Some platforms reject every chain of a host that has only backups.
            guard !isOver || !hasActivePinInUse else { return .retires(since: since) }
            return .gone(
                since: since, retires: isOver ? nil : since.adding(days: rules.retainedDays),
                isNoted: key.goneSince == since)
        }
    }

    private mutating func change(_ pinIndex: Int, to status: PinRefresh.Status) {
        func change(_ field: PinSetEdit.Field) -> PinSetEdit { .change(field, entry: index, pin: pinIndex) }
        switch status {
        case .returned, .wrongRole(isMarked: true): edit(change(.goneSince(nil)))
        case .reinstated:
            edit(change(.state(.active)))
            edit(change(.goneSince(nil)))
            edit(change(.added(rules.today)))
        case .gone(let since, _, isNoted: false): edit(change(.goneSince(since)))
        case .retires(let since):
            edit(change(.goneSince(since)))
            edit(change(.state(.retired)))
        case .backupPromoted:
            if entry.pins[pinIndex].goneSince != nil { edit(change(.goneSince(nil))) }
            edit(change(.state(.active)))
            edit(change(.added(rules.today)))
        case .served, .wrongRole, .retiredServed, .gone, .unserved, .unknown, .backup, .backupServed, .retired: break
        }
    }
}
