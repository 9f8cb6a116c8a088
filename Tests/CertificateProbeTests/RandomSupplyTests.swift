import Testing

@testable import CertificateProbe

@Suite struct RandomSupplyTests {
    /// More bytes than one supply, so that it is filled again.
    @Test func givesNoBytesTwice() throws {
        let supply = RandomSupply()
        let taken = try (0..<200).map { _ in try #require(supply.take(64)) }
        #expect(taken.allSatisfy { $0.count == 64 })
        #expect(Set(taken).count == taken.count)
        #expect(try #require(supply.take(10_000)).count == 10_000)
    }
}
