import Testing

@testable import PinSetMaintenance
@testable import Pinning

/// The pins that stand for all pins of their kind.
@Suite struct PinKindsTests {
    /// A combination needs two different keys, so a pin that the entry has twice is one sample.
    @Test func samplesAreDifferentKeys() throws {
        let pins = (0..<3).map { Pin(subjectPublicKeyInfo: Array("\($0)".utf8)) }
        func key(_ pin: Pin, _ label: String) -> PinSet.PinnedKey {
            PinSet.PinnedKey(pin: pin, role: .any, state: .backup, label: label, notAfter: nil)
        }
        let keys = [key(pins[0], "a"), key(pins[0], "b"), key(pins[1], "c"), key(pins[2], "d")]
        let entry = try PinSet.Entry(host: "example.com", pins: keys)
        let kinds = PinKinds(of: entry, spares: keys) { _ in true }
        #expect(kinds.samples(of: keys).map(\.label) == ["a", "c"])
    }
}
