import HandshakeReplay
import OpenSSL
import Pinning
import TestSupport
import Testing

/// Recorded handshakes, replayed with changes at the level of records, messages and certificates.
@Suite struct HandshakeReplayTests {
    private static func recording(_ version: HandshakeReplay.Version) throws -> HandshakeReplay {
        let pki = try TestPKI.shared()
        return try HandshakeReplay(version, chain: pki.path("leaf.chain.pem"), key: pki.path("leaf.key"))
    }

    /// Without changes the handshake completes, for any division of its bytes. So the replays below reach the end of the handshake.
    @Test(arguments: HandshakeReplay.Version.allCases) func completesUnchanged(version: HandshakeReplay.Version) throws
    {
        let pki = try TestPKI.shared()
        let replay = try Self.recording(version)
        #expect(try replay.certificates == ["leaf.der", "intermediate.der"].map { try pki.bytes($0) })
        for seed in 0..<20 {
            var source = SeededGenerator(seed: UInt64(seed))
            let result = try replay.replay(replay.recordedFlight, &source)
            #expect(result.outcome == .done)
            #expect(result.certificates == replay.certificates)
        }
    }

    /// A changed handshake either fails or has the recorded chain: no change replaces the server's chain.
    @Test(
        arguments: HandshakeReplay.Version.allCases.flatMap { version in
            HandshakeMutation.allCases.map { (version, $0) }
        })
    func changesNeverReplaceTheChain(version: HandshakeReplay.Version, mutation: HandshakeMutation) throws {
        let replay = try Self.recording(version)
        var counts: [HandshakeReplay.Outcome: Int] = [:]
        // 2,004 handshakes in total, for two versions and three levels.
        for seed in 0..<334 {
            var source = SeededGenerator(seed: UInt64(seed))
            let flight = mutation.apply(to: replay, &source)
            let result = try replay.replay(flight, &source)
            counts[result.outcome, default: 0] += 1
            if result.outcome == .done {
                #expect(result.certificates == replay.certificates, "seed \(seed)")
            }
            // In some cases pinctl parses the certificates of a failed handshake, which must not trap.
            for der in result.certificates { _ = try? Certificate(der: der) }
        }
        #expect(counts[.failed, default: 0] > 100, "\(counts)")
    }
}

extension SeededGenerator: ByteSource {}
