import TestSupport
import Testing

@testable import PinSetMaintenance
@testable import Pinning

/// Keys that a refresh learns, and backups that it counts.
@Suite struct TrustedKeyTests {
    private let path: [Certificate]
    private let other: Pin
    private let now: Timestamp

    init() throws {
        let authorities = try TestAuthorities.shared()
        path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        other = try authorities.certificate("root-rsa").pin
        now = try #require(Timestamp(year: 2026, month: 11, day: 22, hour: 12))
    }

    private var chain: CertificateChain { CertificateChain(path: path, served: path, failures: []) }

    /// Which chain, of the first one and that for other clients, nothing authenticated.
    enum Place: CaseIterable { case none, first, other, both }

    /// Without the server's Finished message, an interceptor with the key of a trusted CA can have replaced the certificates above a pinned
    /// key: it needs no key of the server for the others.
    @Test(arguments: Place.allCases, [false, true])
    func learnsNoKeyThatNothingAuthenticated(place: Place, isAccepted: Bool) throws {
        let retired = PinSet.PinnedKey(
            pin: path[2].pin, role: .root, state: .retired, goneSince: Timestamp(year: 2026, month: 1, day: 1))
        for known in [[], [retired]] {
            let pins = [
                PinSet.PinnedKey(pin: path[1].pin, role: .intermediate), PinSet.PinnedKey(pin: other, role: .root),
            ]
            let entry = try PinSet.Entry(host: "example.com", pins: pins + known)
            let refresh = EntryRefresh(
                entry, at: 0, chains: [chain], otherChains: [(address: 0, chain: chain, isAccepted: isAccepted)],
                unauthenticated: place == .first || place == .both ? [0] : [],
                unauthenticatedOthers: place == .other || place == .both ? [0] : [], by: RefreshRules(now: now)
            ) { _ in isAccepted }
            let learns = place != .both
            #expect(refresh.changed.pins.contains { $0.pin == path[2].pin && $0.state == .active } == learns)
            #expect(refresh.unlearned.map(\.pin) == (learns ? [] : [path[2].pin]))
            #expect(refresh.isDifferent == learns)
        }
    }

    /// The user accepts a chain that no pin matches. An interceptor can have replaced what nothing authenticated.
    @Test(arguments: [true, false], [true, false])
    func learnsKeysOfAnAcceptedChain(isAccepted: Bool, isAuthenticated: Bool) throws {
        let entry = try PinSet.Entry(host: "example.com", pins: [PinSet.PinnedKey(pin: other, role: .root)])
        let refresh = EntryRefresh(
            entry, at: 0, chains: [chain], unauthenticated: isAuthenticated ? [] : [0], by: RefreshRules(now: now)
        ) { _ in isAccepted }
        let learns = isAccepted && isAuthenticated
        #expect(refresh.added.map(\.key.pin) == (learns ? [path[2].pin] : []))
        #expect(refresh.observations.map(\.verdict) == [learns ? .accepted : .mismatch])
        #expect(refresh.unlearned.isEmpty)
    }

    /// A chain that nothing authenticated does not show which CAs are in use.
    @Test(arguments: [true, false], [PinSet.AllowedRole.root, .leaf])
    func refusesTheBackupOfACA(isAuthenticated: Bool, role: PinSet.AllowedRole) throws {
        let backup = PinSet.PinnedKey(pin: other, role: role, state: .backup)
        let entry = try PinSet.Entry(host: "example.com", pins: [PinSet.PinnedKey(pin: path[0].pin, role: .leaf)])
        let refresh = EntryRefresh(
            entry, at: 0, chains: [chain], unauthenticated: isAuthenticated ? [] : [0],
            by: RefreshRules(now: now, backups: [backup]))
        let isRefused = role == .root && !isAuthenticated
        #expect(refresh.refused.map(\.reason) == (isRefused ? [.unauthenticated] : []))
        #expect(refresh.added.map(\.key) == (isRefused ? [] : [backup]))
    }

    /// A pin that is gone does not return because of a chain that nothing authenticated.
    @Test(arguments: Place.allCases) func keepsTheNoteOnAGonePin(place: Place) throws {
        let date = try #require(Timestamp(year: 2026, month: 11, day: 1))
        let pins = [
            PinSet.PinnedKey(pin: path[0].pin, role: .leaf),
            PinSet.PinnedKey(pin: path[2].pin, role: .root, goneSince: date),
        ]
        let refresh = EntryRefresh(
            try PinSet.Entry(host: "example.com", pins: pins), at: 0, chains: [chain],
            otherChains: [(address: 0, chain: chain, isAccepted: false)],
            unauthenticated: place == .first || place == .both ? [0] : [],
            unauthenticatedOthers: place == .other || place == .both ? [0] : [], coversAllAddresses: false,
            by: RefreshRules(now: now))
        #expect(refresh.pins.map(\.status) == [.served, place == .both ? .unknown : .returned])
        #expect(refresh.changed.pins[1].goneSince == (place == .both ? date : nil))
    }

    /// What the set had before the host moved to its backup, and whether the backup becomes active.
    struct Move: Sendable {
        let former: [(name: String, role: PinSet.AllowedRole, state: PinSet.State, isGone: Bool)]
        let isPromoted: Bool
    }

    static let moves = [
        Move(former: [("root-rsa", .root, .active, false)], isPromoted: true),
        Move(
            former: [("intermediate-rsa", .intermediate, .active, false), ("root-rsa", .root, .active, false)],
            isPromoted: true),
        Move(
            former: [("intermediate", .intermediate, .active, false), ("root-rsa", .root, .retired, true)],
            isPromoted: true),
        // The user retired the root, so no root replaces it.
        Move(
            former: [("intermediate", .intermediate, .active, false), ("root-rsa", .root, .retired, false)],
            isPromoted: false),
        // The entry never pinned a root.
        Move(former: [("leaf", .leaf, .active, false)], isPromoted: false),
        Move(former: [("root-rsa", .ca, .active, false)], isPromoted: true),
        Move(former: [("root", .any, .active, false), ("root-rsa", .root, .active, false)], isPromoted: false),
    ]

    /// A host moves to the CA of a backup. Also if keys with other roles are learned in the same run, the entry pins roots afterwards.
    @Test(arguments: moves.indices) func aBackupReplacesThePinsOfItsRole(index: Int) throws {
        let authorities = try TestAuthorities.shared()
        let move = Self.moves[index]
        let former = try move.former.map { name, role, state, isGone in
            PinSet.PinnedKey(
                pin: try authorities.certificate(name).pin, role: role, state: state,
                goneSince: isGone ? Timestamp(year: 2026, month: 1, day: 1) : nil)
        }
        let backups = [
            PinSet.PinnedKey(pin: path[2].pin, role: .root, state: .backup),
            PinSet.PinnedKey(pin: try authorities.certificate("leaf-www").pin, role: .leaf, state: .backup),
        ]
        let entry = try PinSet.Entry(host: "example.com", pins: former + backups)
        let refresh = EntryRefresh(entry, at: 0, chains: [chain], by: RefreshRules(now: now))
        let root = try #require(refresh.changed.pins.first { $0.pin == path[2].pin && $0.role == .root })
        #expect(root.state == (move.isPromoted ? .active : .backup))
        #expect(refresh.changed.pins.contains { $0.role == .leaf && $0.state == .backup })
        let isLearned = refresh.added.map(\.key.pin) == [path[1].pin]
        #expect(isLearned == (move.former.first?.name == "intermediate-rsa"))
    }

    /// The certificate of a backup was renewed with the same key.
    @Test func notesTheNewEndOfABackup() throws {
        let end = try #require(Timestamp(year: 2036, month: 1, day: 1))
        func key(_ end: Timestamp?) -> PinSet.PinnedKey {
            PinSet.PinnedKey(pin: other, role: .root, state: .backup, notAfter: end)
        }
        let pins = [PinSet.PinnedKey(pin: path[2].pin, role: .root), key(Timestamp(year: 2026, month: 1, day: 1))]
        let entry = try PinSet.Entry(host: "example.com", pins: pins)
        for (given, isChanged) in [(end, true), (Timestamp(year: 2025, month: 1, day: 1), false), (nil, false)] {
            let rules = RefreshRules(now: now, backups: [key(given)])
            let refresh = EntryRefresh(entry, at: 0, chains: [chain], by: rules)
            #expect(refresh.changed.pins[1].notAfter == (isChanged ? end : pins[1].notAfter))
            #expect(refresh.isDifferent == isChanged && refresh.refused.isEmpty)
        }
    }

    /// At one address no pin matches now, so none matches there after a renewal either.
    @Test func aForecastCountsChainsWithoutAMatch() throws {
        let authorities = try TestAuthorities.shared()
        let foreign = try ["leaf-rsa", "root-rsa"].map(authorities.certificate)
        let second = CertificateChain(path: foreign, served: foreign, failures: [])
        let entry = try PinSet.Entry(host: "example.com", pins: [PinSet.PinnedKey(pin: path[2].pin, role: .root)])
        for (chains, outcome) in [([chain], "yes"), ([chain, second], "no")] {
            let refresh = EntryRefresh(entry, at: 0, chains: chains, by: RefreshRules(now: now))
            #expect(
                RotationForecast(of: entry, chains: refresh.forecastChains, at: now)?.leafWithSameKey.code == outcome)
        }
        #expect(EntryRefresh(entry, at: 0, chains: [second], by: RefreshRules(now: now)).forecastChains.isEmpty)
    }

    /// A CA whose certificates have expired issues none. DST Root CA X3 expired on 2021-09-30.
    @Test(
        arguments: [
            ("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=", nil, false),
            ("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=", "2030-01-01", true), (nil, "2026-11-21", false),
            (nil, "2026-11-22", true), (nil, nil, true),
        ] as [(String?, String?, Bool)])
    func anExpiredCAIsNoBackup(name: String?, notAfter: String?, isBackup: Bool) throws {
        let pin = try name.map { try Pin(spelling: $0) } ?? other
        let end = notAfter.flatMap { Timestamp(rfc3339: $0) }
        let pins = [
            PinSet.PinnedKey(pin: path[0].pin, role: .leaf, state: .backup),
            PinSet.PinnedKey(pin: pin, role: .root, state: .backup, notAfter: end),
        ]
        let refresh = EntryRefresh(
            try PinSet.Entry(host: "example.com", pins: pins), at: 0, chains: [chain], by: RefreshRules(now: now))
        #expect(refresh.pins.map(\.status) == [isBackup ? .backupPromoted : .backupServed, .backup])
    }
}
