import Testing

@testable import Fetching

@Suite struct TLSVersionTests {
    /// RFC 8446, section 4.2.1.
    @Test func rawValuesAreThoseOfTheProtocol() {
        #expect(TLSVersion.allCases.sorted() == [.tls10, .tls11, .tls12, .tls13])
        #expect(TLSVersion.allCases.map(\.wireNumber) == [0x301, 0x302, 0x303, 0x304])
    }
}
