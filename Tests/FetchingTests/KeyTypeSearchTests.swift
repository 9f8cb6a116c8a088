import Testing

@testable import Fetching

/// The search of the chains of a server that selects its certificate only by the cipher suites, as some load balancers do.
@Suite struct KeyTypeSearchTests {
    /// A server with these certificates, in the order of its preference.
    @Test(
        arguments: [
            [.ecdsa, .rsa], [.rsa, .ecdsa], [.ed25519, .rsa], [.ed448, .rsa], [.rsaPSS, .ecdsa], [.rsaPSS, .ed25519],
            [.rsa, .dsa, .ecdsa], [.ecdsa, .dsa, .rsa], [.dsa, .ecdsa, .rsa],
        ] as [[ServerKeyType]], [true, false])
    func findsACertificateOfEachFamily(certificates: [ServerKeyType], repeats: Bool) throws {
        let first = try #require(certificates.first)
        var found: Set = [first]
        var search = KeyTypeSearch(of: Set(ServerKeyType.allCases), after: first)
        var connections = 1
        while let accepted = search.accepted {
            connections += 1
            let offered = Set(accepted.map(Self.family))
            let selected = certificates.first { offered.contains(Self.family($0)) }
            if let selected, repeats || accepted.contains(selected) {
                found.insert(selected)
                search.advance(after: selected)
            } else {
                search.advanceAfterRejection(isSelectedBySuite: true)
            }
        }
        #expect(found == Set(certificates))
        #expect(connections <= ServerKeyType.allCases.count + 2)
    }

    /// With TLS 1.3, a rejection is an answer for all types that the client accepts.
    @Test func endsAtARejectionWithTLS13() {
        var search = KeyTypeSearch(of: [.ecdsa, .rsa, .ed25519], after: .ecdsa)
        #expect(search.accepted == [.rsa, .ed25519])
        search.advanceAfterRejection(isSelectedBySuite: false)
        #expect(search.accepted == nil)
    }

    /// The families of cipher suites up to TLS 1.2 (RFC 8422, section 5.1.1).
    private static func family(_ type: ServerKeyType) -> ServerKeyType {
        switch type {
        case .ecdsa, .ed25519, .ed448: .ecdsa
        case .rsa, .rsaPSS: .rsa
        case .dsa: .dsa
        }
    }
}
