import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// The day from which the retention of a pin counts.
@Suite struct RetentionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let about: String
        let added: Timestamp?
        let goneSince: Timestamp?
        /// The date that the set has after the refresh.
        let written: Timestamp?
        let isRetired: Bool
        var testDescription: String { about }
    }

    private static func day(_ day: Int, of month: Int) -> Timestamp? { Timestamp(year: 2026, month: month, day: day) }
    private static let today = day(22, of: 11)

    static let cases = [
        Case(about: "now", added: nil, goneSince: nil, written: today, isRetired: false),
        Case(about: "added before", added: day(1, of: 1), goneSince: nil, written: today, isRetired: false),
        Case(
            about: "gone for 29 days", added: day(1, of: 1), goneSince: day(24, of: 10), written: day(24, of: 10),
            isRetired: false),
        Case(
            about: "gone for 30 days", added: day(1, of: 1), goneSince: day(23, of: 10), written: day(23, of: 10),
            isRetired: true),
        Case(
            about: "gone on the day it was added", added: day(13, of: 10), goneSince: day(13, of: 10),
            written: day(13, of: 10), isRetired: true),
        // A run whose clock was behind wrote this date: on that day the pin was not in the set.
        Case(
            about: "gone before it was added", added: day(20, of: 11), goneSince: day(13, of: 10),
            written: day(20, of: 11), isRetired: false),
    ]

    @Test(arguments: cases) func countsFromTheFirstPossibleDay(test: Case) throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let gone = PinSet.PinnedKey(
            pin: try authorities.certificate("leaf-www").pin, role: .leaf, added: test.added, goneSince: test.goneSince)
        let root = PinSet.PinnedKey(pin: try authorities.certificate("root").pin, role: .root)
        let entry = try PinSet.Entry(host: "example.com", pins: [gone, root])
        let chain = CertificateChain(path: path, served: path, failures: [])
        let now = try #require(Timestamp(year: 2026, month: 11, day: 22, hour: 12))
        let changed = EntryRefresh(entry, at: 0, chains: [chain], by: RefreshRules(now: now)).changed
        #expect(changed.pins[0].goneSince == test.written)
        #expect(changed.pins[0].state == (test.isRetired ? .retired : .active))
        // A chain for other clients without a pin of the set may be from an interceptor, so no pin is gone.
        let other = try [authorities.certificate("leaf-rsa"), authorities.certificate("root-rsa")]
        let others = [
            (address: 0, chain: CertificateChain(path: other, served: other, failures: []), isAccepted: false)
        ]
        let kept = EntryRefresh(entry, at: 0, chains: [chain], otherChains: others, by: RefreshRules(now: now))
        #expect(kept.changed.pins[0].goneSince == test.goneSince && kept.changed.pins[0].state == .active)
        #expect(!kept.needsEveryChain)
    }
}
