import Pinning
import TestSupport
import Testing

@testable import Fetching

/// The limits of the memory for certificates that servers choose, and of the time to validate them.
@Suite struct HostChainsTests {
    private let empty = CertificateChain(path: [], served: [], failures: [])

    /// An eighth of the limit for each certificate.
    private func list(_ numbers: Int..., size: Int = HostChains.maximumSize / 8 - 1000) -> [[UInt8]] {
        numbers.map { LargeCertificate.der($0, nameLength: size) }
    }

    @Test func countsAndValidatesDifferentListsOnce() throws {
        let chains = HostChains()
        var validations = 0
        func admits(_ list: [[UInt8]]) -> Bool {
            chains.chain(of: list) {
                validations += 1
                return empty
            } != nil
        }
        for _ in 0..<3 {
            for number in 0..<4 { #expect(admits(list(number, 4))) }
        }
        #expect(validations == 4)
        #expect(!admits(list(5, 6)))
        // A list that exceeds the limit is not validated.
        #expect(validations == 4)
        // The server can send the others again, and short ones.
        #expect(admits(list(0, 4)))
        #expect(admits(list(7, size: 1000)))
        #expect(validations == 5)
    }

    @Test func keepsTheChainOfEachList() throws {
        let chains = HostChains()
        for number in 1...3 {
            let certificate = try Certificate(der: LargeCertificate.der(number, nameLength: 100))
            let chain = CertificateChain(path: [certificate], served: [certificate], failures: [])
            #expect(chains.chain(of: [certificate.der]) { chain }?.entries.map(\.certificate) == [certificate])
            #expect(chains.chain(of: [certificate.der]) { empty }?.entries.map(\.certificate) == [certificate])
        }
    }

    private struct Undecodable: Error {}

    /// Each address with such a list gets the error itself.
    @Test func aListThatCannotBeDecodedIsCountedOnce() throws {
        let chains = HostChains()
        for _ in 0..<20 {
            #expect(throws: Undecodable.self) {
                try chains.chain(of: list(1)) { () throws(Undecodable) in throw Undecodable() }
            }
        }
        #expect(chains.chain(of: list(2)) { empty } != nil)
    }

    @Test func theCacheOfIssuersHasALimit() throws {
        let cache = IssuerCache()
        let size = IssuerCache.maximumSize / 4
        for number in 0..<20 {
            let url = try #require(HTTPURL("http://ca.example.com/\(number)"))
            let certificate = try Certificate(der: LargeCertificate.der(number, nameLength: size))
            cache.insert([certificate], at: url)
            #expect(cache[url] == [certificate])
            #expect(cache.size <= IssuerCache.maximumSize)
        }
        let url = try #require(HTTPURL("http://ca.example.com/large"))
        let large = try Certificate(der: LargeCertificate.der(1, nameLength: IssuerCache.maximumSize + 1))
        cache.insert([large], at: url)
        #expect(cache[url] == nil && cache.size <= IssuerCache.maximumSize)
    }
}
