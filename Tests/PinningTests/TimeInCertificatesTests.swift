import Testing

@testable import Encodings
@testable import Pinning

/// RFC 5280, section 4.1.2.5.
@Suite struct TimeInCertificatesTests {
    @Test(arguments: [
        ("500101000000Z", "1950-01-01T00:00:00Z"), ("491231235959Z", "2049-12-31T23:59:59Z"),
        ("991231235959Z", "1999-12-31T23:59:59Z"), ("000229120000Z", "2000-02-29T12:00:00Z"),
    ])
    func readsUTCTime(text: String, expected: String) {
        #expect(timestamp(.utcTime, text)?.description == expected)
    }

    @Test(arguments: [
        ("20500101000000Z", "2050-01-01T00:00:00Z"), ("19500101000000Z", "1950-01-01T00:00:00Z"),
        ("99991231235959Z", "9999-12-31T23:59:59Z"), ("00000101000000Z", "0000-01-01T00:00:00Z"),
    ])
    func readsGeneralizedTime(text: String, expected: String) {
        #expect(timestamp(.generalizedTime, text)?.description == expected)
    }

    @Test(arguments: [
        "", "Z", "5001010000Z", "500101000000", "500101000000+0000", "20500101000000Z", "501301000000Z",
        "500230000000Z",
        "500101240000Z", "50010100000aZ", "5001010000000Z",
    ])
    func refusesOtherUTCTimes(text: String) {
        #expect(timestamp(.utcTime, text) == nil)
    }

    @Test(arguments: ["", "500101000000Z", "20500101000000.5Z", "20500101000000", "205001010000Z", "20510229000000Z"])
    func refusesOtherGeneralizedTimes(text: String) {
        #expect(timestamp(.generalizedTime, text) == nil)
    }

    private func timestamp(_ tag: DERTag, _ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        return Timestamp(DERElement(tag: tag, start: 0, contents: bytes.indices), in: bytes)
    }
}
