import Pinning
import TestSupport
import Testing

@testable import Fetching

/// The limits of the memory for certificates that servers choose.
@Suite struct CertificateBudgetTests {
    private func chain(_ numbers: [Int], size: Int) throws -> CertificateChain {
        let certificates = try numbers.map { try Certificate(der: LargeCertificate.der($0, nameLength: size)) }
        return CertificateChain(path: Array(certificates.prefix(1)), served: certificates, failures: [])
    }

    /// A quarter of the limit for each chain.
    @Test func countsDifferentChainsOnce() throws {
        let budget = CertificateBudget()
        let size = CertificateBudget.maximumSize / 8 - 1000
        for _ in 0..<3 {
            for number in 0..<4 { try #expect(budget.admits(chain([number, 4], size: size))) }
        }
        try #expect(!budget.admits(chain([5, 6], size: size)))
        // The server can send the others again.
        try #expect(budget.admits(chain([0, 4], size: size)))
        try #expect(budget.admits(chain([7], size: 1000)))
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
