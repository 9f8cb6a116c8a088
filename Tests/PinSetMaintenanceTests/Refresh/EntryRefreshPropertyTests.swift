import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Random changes of hosts, each with a refresh of the set. Every refresh must satisfy the documented rules.
@Suite struct EntryRefreshPropertyTests {
    /// Certificates by role. They did not sign each other, but a refresh does not check signatures.
    struct Pool {
        let leaves: [Certificate]
        let intermediates: [Certificate]
        let roots: [Certificate]

        init() throws {
            let authorities = try TestAuthorities.shared()
            leaves = try ["leaf", "leaf-www", "leaf-api", "leaf-rsa"].map(authorities.certificate)
            intermediates = try ["intermediate", "intermediate-rsa", "root-cross"].map(authorities.certificate)
            roots = try ["root", "root-rsa", "other-root"].map(authorities.certificate)
        }

        var all: [Certificate] { leaves + intermediates + roots }

        /// A random chain; nil for an address that does not answer.
        func chain(_ random: inout SeededGenerator) -> CertificateChain? {
            guard Int.random(in: 0..<12, using: &random) > 0, let leaf = leaves.randomElement(using: &random),
                let root = roots.randomElement(using: &random)
            else { return nil }
            var middle: [Certificate] = []
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                if let next = intermediates.randomElement(using: &random), !middle.contains(next) {
                    middle.append(next)
                }
            }
            let path = [leaf] + middle + [root]
            let failures: [TrustFailure] =
                Int.random(in: 0..<8, using: &random) == 0 ? [.expired(leaf, position: 0)] : []
            var chain = CertificateChain(path: path, served: path, failures: failures)
            var paths = [chain.entries]
            // With cross-signed certificates, a client can build another path.
            if let root = roots.randomElement(using: &random), Bool.random(using: &random) {
                let other = [leaf] + intermediates.shuffled(using: &random).prefix(1) + [root]
                paths.append(CertificateChain(path: other, served: path, failures: []).entries)
            }
            chain.validPaths = ValidPaths(
                paths: chain.isTrusted ? paths : [], builtCount: chain.isTrusted ? paths.count : 0, isComplete: true)
            return chain
        }

        func entry(_ random: inout SeededGenerator) throws -> PinSet.Entry {
            let keys = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ -> PinSet.PinnedKey? in
                guard let certificate = all.randomElement(using: &random) else { return nil }
                let state: PinSet.State =
                    [.active, .active, .active, .backup, .retired].randomElement(using: &random) ?? .active
                // A person can have made a pin that was gone a backup.
                let isMarked = state == .backup && Bool.random(using: &random)
                let age = Int64.random(in: 0...400, using: &random)
                return PinSet.PinnedKey(
                    pin: certificate.pin, role: PinSet.AllowedRole.allCases.randomElement(using: &random) ?? .any,
                    state: state,
                    added: age > 200 ? nil : Timestamp(secondsSince1970: 1_780_012_800 - age * 86_400).startOfDay,
                    goneSince: isMarked ? Timestamp(secondsSince1970: 1_780_012_800).startOfDay : nil)
            }
            return try PinSet.Entry(host: "example.com", pins: keys)
        }
    }

    @Test(.limit(minutes: 3), arguments: 1...60) func satisfiesRules(seed: Int) throws {
        let pool = try Pool()
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<TestEnvironment.rounds(20) {
            var entry = try pool.entry(&random)
            var now = Timestamp(secondsSince1970: 1_795_000_000)
            // Hosts serve the same chains for several days.
            var chains = (0..<Int.random(in: 1...4, using: &random)).map { _ in pool.chain(&random) }
            let others = (0..<Int.random(in: 0...1, using: &random)).compactMap { _ in pool.chain(&random) }
            for _ in 0..<12 {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    chains[Int.random(in: chains.indices, using: &random)] = pool.chain(&random)
                }
                now.secondsSince1970 += Int64.random(in: 0...20, using: &random) * 86_400
                let accepts = Int.random(in: 0..<6, using: &random) == 0
                var rules = RefreshRules(now: now, retainedDays: 30)
                if Bool.random(using: &random), let spare = pool.all.randomElement(using: &random) {
                    rules = RefreshRules(
                        now: now, retainedDays: 30,
                        backups: [PinSet.PinnedKey(pin: spare.pin, role: .leaf, state: .backup)])
                }
                let isWhole = Int.random(in: 0..<3, using: &random) > 0
                func refreshed(_ entry: PinSet.Entry) -> EntryRefresh {
                    EntryRefresh(
                        entry, at: 0, chains: chains,
                        otherChains: others.map { (address: 0, chain: $0, isAccepted: accepts) },
                        coversAllAddresses: isWhole, by: rules
                    ) { _ in accepts }
                }
                let refresh = refreshed(entry)
                let observations = refresh.observations + refresh.otherObservations
                let all = chains.compactMap(\.self) + others
                let changed = refresh.changed
                let context: Comment =
                    "\(entry.pins)\n\(all.map { ($0.pins, $0.validPaths?.paths.count) })\n\(refresh.edits)"

                // A refresh never removes a pin and changes only properties of pins.
                #expect(changed.pins.count == entry.pins.count + refresh.added.count, context)
                #expect(zip(entry.pins, changed.pins).allSatisfy { $0.pin == $1.pin && $0.role == $1.role }, context)
                // A backup is never retired. It becomes active only if another backup remains.
                for (old, new) in zip(entry.pins, changed.pins) where old.state == .backup {
                    #expect(new.state != .retired, context)
                    guard new.state == .active else { continue }
                    // Every address uses it, and as the leaf's key, unless no active pin was in use.
                    #expect(observations.allSatisfy { !$0.chainPins(of: new).isEmpty }, context)
                    #expect(
                        observations.allSatisfy { $0.chainPins(of: new).contains { $0.position == 0 } }
                            || entry.pins.allSatisfy { key in
                                key.state != .active
                                    || observations.allSatisfy {
                                        !($0.pins + $0.pinsInAllPaths).contains(where: key.matches)
                                    }
                            }, context)
                    #expect(new.goneSince == nil, context)
                    let served = Set(all.flatMap(\.keys))
                    #expect(changed.pins.contains { $0.state == .backup && !served.contains($0.pin) }, context)
                }
                // If a run retires pins, another active pin is in use.
                if refresh.edits.contains(where: \.isRetirement) {
                    #expect(
                        changed.pins.contains { key in
                            key.state == .active
                                && observations.contains { ($0.pins + $0.pinsInAllPaths).contains(where: key.matches) }
                        }, context)
                }
                // A key that is in a chain or in another valid path, at any position, is in use, so it is not a new backup either.
                let served = Set(all.flatMap(\.keys))
                for added in refresh.added where added.chainPin == nil {
                    #expect(!served.contains(added.key.pin), context)
                }
                for edit in refresh.edits where edit.isFarewell {
                    guard case .change(_, _, let index) = edit else { continue }
                    #expect(!served.contains(entry.pins[index].pin), context)
                }
                // Chains that matched still match, and accepted chains match now.
                let isWithdrawn = observations.contains { $0.verdict == .mismatch && $0.withdrawnKey != nil }
                for observation in observations
                where observation.verdict == .match || observation.isUsable && !isWithdrawn {
                    #expect(
                        changed.pins.contains { $0.state != .retired && !observation.chainPins(of: $0).isEmpty },
                        context)
                }
                // Each new pin is in a usable chain, in its role.
                for added in refresh.added where added.chainPin != nil {
                    #expect(
                        observations.contains { $0.isUsable && !$0.chainPins(of: added.key).isEmpty }, context)
                }
                // Without a usable chain, there are no changes.
                if !observations.contains(where: \.isUsable) { #expect(refresh.edits.isEmpty, context) }
                if !isWhole || !refresh.hasEveryAnswer { #expect(!refresh.edits.contains { $0.isFarewell }, context) }
                // An entry with only authorities gets no leaf, unless the user accepted the chain, or a backup became active.
                let active = changed.pins.prefix(entry.pins.count).filter { $0.state == .active }
                if !accepts, active.allSatisfy({ [.intermediate, .root, .ca].contains($0.role) }) {
                    #expect(!refresh.added.contains { $0.chainPin?.position == 0 }, context)
                }
                // A chain without a pin of the set does not match because of a key of another chain, nor does one with a pin that the
                // user retired because of a key of an accepted chain.
                for observation in observations
                where observation.verdict == .mismatch && (!accepts || observation.withdrawnKey != nil) {
                    #expect(
                        changed.pins.allSatisfy { $0.state == .retired || observation.chainPins(of: $0).isEmpty },
                        context)
                    #expect(
                        refresh.added.allSatisfy { observation.entriesInAllPaths(with: $0.key).isEmpty }, context)
                }
                entry = changed
                // A second refresh has no changes, unless an accepted chain made another one match.
                guard !accepts || !observations.contains(where: { $0.verdict == .mismatch }) else { continue }
                let again = refreshed(entry)
                let isDone = !again.isDifferent
                #expect(isDone, "\(context)\nagain: \(again.edits)")
            }
        }
    }
}

extension PinSetEdit {
    fileprivate var isRetirement: Bool {
        if case .change(.state(.retired), _, _) = self { true } else { false }
    }

    /// Whether the edit marks a pin as gone or retires it.
    fileprivate var isFarewell: Bool {
        switch self {
        case .change(.goneSince(.some), _, _), .change(.state(.retired), _, _): true
        default: false
        }
    }
}
