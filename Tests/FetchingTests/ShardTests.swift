import Testing

@testable import Fetching

@Suite struct ShardTests {
    /// Computed with `printf %s example.com:443 | sha256sum`.
    @Test(arguments: [
        ("example.com", UInt64(0x2d92_752e_6961_4799)), ("[2001:DB8::1]:8443", 0x248a_e9dd_d82b_46c6),
        ("192.0.2.7=api.example.com", 0x4fdf_a7c6_9641_6376),
    ])
    func fingerprintIsTheStartOfSHA256(text: String, number: UInt64) throws {
        #expect(try TargetFingerprint(Target(parsing: text)).number == number)
    }

    @Test func everyTargetIsInOneShard() throws {
        let targets = try TargetRange(parsing: "10.0.0.0/20").map { TargetFingerprint($0) }
        for count in [1, 2, 3, 7, 64] {
            let shards = try (0..<count).map { try #require(Shard(index: $0, count: count)) }
            let sizes = shards.map { shard in targets.count { shard.contains($0) } }
            #expect(sizes.reduce(0, +) == targets.count)
            for target in targets { #expect(shards.count { $0.contains(target) } == 1) }
            // No part has more than 1.5 times the average.
            #expect(sizes.allSatisfy { $0 * count * 2 <= targets.count * 3 })
        }
    }

    @Test func rejectsInvalidShards() {
        #expect(Shard(index: 0, count: 0) == nil)
        #expect(Shard(index: 4, count: 4) == nil)
        #expect(Shard(index: -1, count: 4) == nil)
    }
}
