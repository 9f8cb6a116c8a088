import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Forecasts of the pins that match after a rotation.
@Suite struct RotationForecastTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let about: String
        /// The names of certificates, with the role and state of their pins.
        let pins: [(String, PinSet.AllowedRole, PinSet.State)]
        /// The outcomes for a leaf with the current key, a leaf with a new key, another intermediate, and another root.
        let outcomes: [String]
        var testDescription: String { about }
    }

    static let cases = [
        Case(
            about: "the leaf", pins: [("leaf", .leaf, .active)], outcomes: ["yes", "no", "if-key-kept", "if-key-kept"]),
        Case(
            about: "the leaf and a spare", pins: [("leaf", .leaf, .active), ("leaf-www", .leaf, .backup)],
            outcomes: ["yes", "if-backup", "if-key-kept", "if-key-kept"]),
        Case(
            about: "the intermediate", pins: [("intermediate", .intermediate, .active)],
            outcomes: ["yes", "yes", "no", "no"]),
        Case(about: "the root", pins: [("root", .root, .active)], outcomes: ["yes", "yes", "yes", "no"]),
        Case(
            about: "the root, and a spare key", pins: [("root", .ca, .active), ("leaf-www", .leaf, .backup)],
            outcomes: ["yes", "yes", "yes", "if-backup"]),
        Case(
            about: "the root, and another root", pins: [("root", .root, .active), ("other-root", .root, .active)],
            outcomes: ["yes", "yes", "yes", "if-backup"]),
        Case(
            about: "the intermediate, and another root",
            pins: [("intermediate", .any, .active), ("other-root", .root, .backup)],
            outcomes: ["yes", "yes", "no", "if-backup"]),
        Case(
            about: "a retired root", pins: [("leaf", .any, .active), ("root", .root, .retired)],
            outcomes: ["yes", "no", "if-key-kept", "if-key-kept"]),
        Case(about: "nothing", pins: [("leaf-www", .any, .active)], outcomes: Array(repeating: "if-backup", count: 4)),
        Case(about: "the root as a leaf", pins: [("root", .leaf, .active)], outcomes: ["no", "no", "no", "no"]),
    ]

    /// A CA whose certificate has expired issues none.
    @Test(arguments: [("2026-11-21", "no"), ("2026-11-22", "if-backup")])
    func anExpiredCATakesOverNothing(notAfter: String, outcome: String) throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let pins = [
            PinSet.PinnedKey(pin: path[2].pin, role: .root),
            PinSet.PinnedKey(
                pin: try authorities.certificate("root-rsa").pin, role: .root, state: .backup,
                notAfter: Timestamp(rfc3339: notAfter)),
        ]
        let now = try #require(Timestamp(year: 2026, month: 11, day: 22, hour: 12))
        let entry = try PinSet.Entry(host: "example.com", pins: pins)
        let chain = CertificateChain(path: path, served: path, failures: [])
        #expect(RotationForecast(of: entry, chains: [chain], at: now)?.root.code == outcome)
    }

    @Test(arguments: cases) func outcomes(test: Case) throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let keys = try test.pins.map { name, role, state in
            PinSet.PinnedKey(pin: try authorities.certificate(name).pin, role: role, state: state)
        }
        let entry = try PinSet.Entry(host: "example.com", pins: keys)
        let chain = CertificateChain(path: path, served: path, failures: [])
        let forecast = try #require(RotationForecast(of: entry, chains: [chain], at: Timestamp(secondsSince1970: 0)))
        let outcomes = [forecast.leafWithSameKey, forecast.leafWithNewKey, forecast.intermediate, forecast.root]
        #expect(outcomes.map(\.code) == test.outcomes)
        #expect(RotationForecast(of: entry, chains: [], at: Timestamp(secondsSince1970: 0)) == nil)
        // The outcome is the worst of several chains.
        let other = try ["leaf-api", "intermediate-rsa", "root-rsa"].map(authorities.certificate)
        let both = RotationForecast(
            of: entry, chains: [chain, CertificateChain(path: other, served: other, failures: [])],
            at: Timestamp(secondsSince1970: 0))
        #expect(both?.leafWithSameKey.code != "yes")
    }
}
