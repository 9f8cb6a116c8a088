import Pinning
import TestSupport
import Testing

@testable import CommandSupport

@Suite struct CertificateJSONCacheTests {
    /// A server chooses the size of its certificates, so large ones are not kept.
    @Test func keepsNoLargeCertificate() throws {
        let cache = CertificateJSONCache()
        for (length, count) in [(100_000, 0), (100, 1), (100_000, 1)] {
            let certificate = try Certificate(der: LargeCertificate.der(1, nameLength: length))
            #expect(!cache.fields(of: certificate, isAnchor: false).isEmpty)
            #expect(cache.count == count)
        }
    }
}
