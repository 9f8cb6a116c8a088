import TestSupport
import Testing

@testable import Pinning

/// The kept sentences are those that the failures themselves have.
@Suite struct TrustReasonsTests {
    @Test func reasonsEqualThoseOfTheFailures() throws {
        let pki = try TestPKI.shared()
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        let other = try Certificate(der: pki.bytes("leaf-www.der"))
        let sequence: [[TrustFailure]] = [
            [.missingIssuer(of: leaf, position: 1), .nameMismatch(leaf, expected: "a.example")],
            [.missingIssuer(of: leaf, position: 1), .nameMismatch(leaf, expected: "b.example")],
            [.missingIssuer(of: leaf, position: 1), .nameMismatch(other, expected: "b.example")],
            [.nameMismatch(other, expected: "b.example")],
            [],
            [.nameMismatch(leaf, expected: "b.example")],
            [.expired(leaf, position: 0), .nameMismatch(leaf, expected: "b.example")],
            [.expired(other, position: 0), .nameMismatch(leaf, expected: "b.example")],
            [.expired(other, position: 0), .nameMismatch(leaf, expected: "b.example"), .revoked(leaf, position: 0)],
            [.expired(other, position: 0), .nameMismatch(leaf, expected: "b.example")],
        ]
        var reasons = TrustReasons()
        for failures in sequence + sequence.reversed() {
            let kept = reasons.reasons(of: failures)
            #expect(kept == failures.map(\.reason))
        }
    }
}
