import OpenSSL
import TestSupport
import Testing

@testable import Pinning

@Suite struct AnchorLookupTests {
    /// The lookup remembers names for which it found no anchor. A server chooses these names, so long ones are not kept.
    @Test func remembersOnlyShortNames() throws {
        let lookup = AnchorLookup(TrustAnchors([try Vectors.certificate("rsa2048")]))
        let store = try TrustStore()
        for (length, isKept) in [(64, true), (100_000, false)] {
            let certificate = try Certificate(der: LargeCertificate.der(1, nameLength: length))
            let hasAnchor = lookup.add(issuersOf: [certificate], to: store, comparing: .canonically)
            #expect(!hasAnchor)
            #expect(lookup.absent.contains(Array(certificate.issuerName)) == isKept)
        }
    }
}
