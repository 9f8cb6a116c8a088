import TestSupport
import Testing

@testable import Encodings
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning

/// What would still match after the next rotation.
@Suite struct RotationForecastTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let about: String
        /// A certificate's name with its role and state.
        let pins: [(String, PinSet.AllowedRole, PinSet.State)]
        /// The leaf with the same key, with another, another intermediate, another root.
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

    @Test(arguments: cases) func outcomes(test: Case) throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let keys = try test.pins.map { name, role, state in
            PinSet.PinnedKey(pin: try authorities.certificate(name).pin, role: role, state: state)
        }
        let entry = try PinSet.Entry(host: "example.com", pins: keys)
        let chain = CertificateChain(path: path, served: path, failures: [])
        let survival = try #require(RotationForecast(of: entry, chains: [chain]))
        let outcomes = [survival.leafWithSameKey, survival.leafWithNewKey, survival.intermediate, survival.root]
        #expect(outcomes.map(\.code) == test.outcomes)
        #expect(RotationForecast(of: entry, chains: []) == nil)
        // The worst of several chains counts.
        let other = try ["leaf-api", "intermediate-rsa", "root-rsa"].map(authorities.certificate)
        let both = RotationForecast(of: entry, chains: [chain, CertificateChain(path: other, served: other, failures: [])])
        #expect(both?.leafWithSameKey.code != "yes")
    }
}
