import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinEvaluationTests {
    static let now = Timestamp(secondsSince1970: 1_795_000_000)

    /// A pin that is identified by one byte.
    private func pin(_ byte: UInt8) throws -> Pin {
        try #require(Pin(digest: [UInt8](repeating: byte, count: 32)))
    }

    /// Leaf 1, intermediates 2 and 3, root 4.
    private func chain() throws -> [ChainPin] {
        [
            ChainPin(role: .leaf, position: 0, pin: try pin(1)),
            ChainPin(role: .intermediate, position: 1, pin: try pin(2)),
            ChainPin(role: .intermediate, position: 2, pin: try pin(3)),
            ChainPin(role: .root, position: 3, pin: try pin(4)),
        ]
    }

    private func evaluate(
        _ keys: [PinSet.PinnedKey], chain: [ChainPin]? = nil, expires: Timestamp? = nil, enforce: Bool = true
    ) throws -> PinEvaluation {
        let entry = try PinSet.Entry(host: "example.com", expires: expires, enforce: enforce, pins: keys)
        return PinEvaluation(of: try chain ?? self.chain(), by: entry, at: Self.now)
    }

    @Test(
        arguments: [
            (.leaf, [true, false, false, false]), (.intermediate, [false, true, true, false]),
            (.root, [false, false, false, true]), (.ca, [false, true, true, true]), (.any, [true, true, true, true]),
        ] as [(PinSet.AllowedRole, [Bool])])
    func appliesRoles(role: PinSet.AllowedRole, matches: [Bool]) throws {
        for (place, isMatch) in matches.enumerated() {
            let key = PinSet.PinnedKey(pin: try pin(UInt8(place + 1)), role: role)
            let certificate = try chain()[place]
            for state in [PinSet.State.active, .backup] {
                let key = PinSet.PinnedKey(pin: key.pin, role: role, state: state)
                let expected: PinEvaluation.Verdict =
                    isMatch
                    ? .match([.init(key: key, certificate: certificate)])
                    : .mismatch([.init(key: key, certificate: certificate, reason: .role)])
                #expect(try evaluate([key]).verdict == expected)
            }
            let retired = PinSet.PinnedKey(pin: key.pin, role: role, state: .retired)
            #expect(
                try evaluate([retired]).verdict
                    == .mismatch([.init(key: retired, certificate: certificate, reason: .retired)])
            )
        }
    }

    @Test func listsMatchesInTheOrderOfTheSet() throws {
        let other = PinSet.PinnedKey(pin: try pin(9))
        let root = PinSet.PinnedKey(pin: try pin(4), role: .root, label: "root")
        let leaf = PinSet.PinnedKey(pin: try pin(1), state: .backup)
        let wrongPlace = PinSet.PinnedKey(pin: try pin(2), role: .leaf)
        let evaluation = try evaluate([other, root, leaf, wrongPlace])
        #expect(
            evaluation.verdict
                == .match([
                    .init(key: root, certificate: try chain()[3]), .init(key: leaf, certificate: try chain()[0]),
                ])
        )
        #expect(evaluation.seen == (try chain()))
    }

    @Test func listsExpectedPinsAndNearMisses() throws {
        let other = PinSet.PinnedKey(pin: try pin(9))
        let root = PinSet.PinnedKey(pin: try pin(3), role: .root)
        let retired = PinSet.PinnedKey(pin: try pin(1), state: .retired)
        let evaluation = try evaluate([other, root, retired], enforce: false)
        #expect(evaluation.expected == [other, root])
        #expect(evaluation.entry?.enforce == false)
        guard case .mismatch(let nearMisses) = evaluation.verdict else {
            Issue.record("\(evaluation.verdict)")
            return
        }
        #expect(
            nearMisses.map(\.message) == [
                "the intermediate's pin is in the set, but only as root",
                "the leaf's pin is in the set, but marked retired",
            ]
        )
    }

    @Test func findsAPinAtSeveralPositions() throws {
        let certificates = [
            ChainPin(role: .leaf, position: 0, pin: try pin(1)),
            ChainPin(role: .intermediate, position: 1, pin: try pin(7)),
            ChainPin(role: .root, position: 2, pin: try pin(7)),
        ]
        let any = PinSet.PinnedKey(pin: try pin(7))
        #expect(
            try evaluate([any], chain: certificates).verdict
                == .match(certificates.dropFirst().map { .init(key: any, certificate: $0) })
        )
        let root = PinSet.PinnedKey(pin: try pin(7), role: .root)
        #expect(
            try evaluate([root], chain: certificates).verdict
                == .match([.init(key: root, certificate: certificates[2])]))
    }

    @Test func evaluatesAChainOfOneCertificate() throws {
        let only = [ChainPin(role: .leaf, position: 0, pin: try pin(1))]
        let ca = PinSet.PinnedKey(pin: try pin(1), role: .ca)
        #expect(
            try evaluate([ca], chain: only).verdict == .mismatch([.init(key: ca, certificate: only[0], reason: .role)])
        )
        #expect(try evaluate([ca], chain: []).verdict == .mismatch([]))
    }

    @Test func expiresAtTheGivenMoment() throws {
        let key = PinSet.PinnedKey(pin: try pin(1))
        let match = PinEvaluation.Verdict.match([.init(key: key, certificate: try chain()[0])])
        let later = Timestamp(secondsSince1970: Self.now.secondsSince1970 + 1)
        #expect(try evaluate([key], expires: later).verdict == match)
        #expect(try evaluate([key], expires: Self.now).verdict == .expired(on: Self.now))
        let other = PinSet.PinnedKey(pin: try pin(9))
        #expect(try evaluate([other], expires: Self.now).verdict == .expired(on: Self.now))
    }

    @Test func reportsAHostWithoutPins() throws {
        let evaluation = PinEvaluation(of: try chain(), by: nil, at: Self.now)
        #expect(evaluation.verdict == .noPins)
        #expect(evaluation.expected.isEmpty)
        #expect(evaluation.entry == nil)
    }
}
