import Testing

@testable import OpenSSL

@Suite struct SuiteAlgorithmsTests {
    /// RFC 4231, sections 4.2 and 4.3: HMAC with SHA-256 and with SHA-384.
    @Test(arguments: [
        (
            UInt16(0x1301), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            0x1302,
            "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
        ),
    ])
    func codes(suite: UInt16, first: String, second: String) {
        guard let algorithms = SuiteAlgorithms(suite) else {
            Issue.record("no algorithms")
            return
        }
        let key = [UInt8](repeating: 0x0B, count: 20)
        let other = Array("Jefe".utf8)
        let (greeting, question) = (Array("Hi There".utf8), Array("what do ya want for nothing?".utf8))
        let codes = [algorithms.hmac(key: key, greeting), algorithms.hmac(key: other, question)]
        #expect(codes.map(hex) == [first, second])
        // Two messages with one key have the codes that they have alone.
        let firstPair = algorithms.hmacs(key: key, question, greeting)
        let secondPair = algorithms.hmacs(key: other, question, greeting)
        let others = [algorithms.hmac(key: key, question), algorithms.hmac(key: other, greeting)]
        #expect(firstPair?.first == others[0])
        #expect(hex(firstPair?.second) == first)
        #expect(hex(secondPair?.first) == second)
        #expect(secondPair?.second == others[1])
        let withoutKey = algorithms.hmac(key: [], greeting)
        #expect(withoutKey == nil)
    }

    private func hex(_ bytes: [UInt8]?) -> String {
        (bytes ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
