import Testing

@testable import Encodings

/// X.690, sections 8.1 and 10.1.
@Suite struct DERReaderTests {
    @Test func readsOneLevel() throws {
        // SEQUENCE { INTEGER 5, [1] { NULL }, OCTET STRING }
        let bytes: [UInt8] = [0x30, 0x09, 0x02, 0x01, 0x05, 0xA1, 0x02, 0x05, 0x00, 0x04, 0x00]
        var outer = DERReader(bytes)
        let sequence = try outer.next(.sequence)
        #expect(sequence.range == 0..<11)
        try outer.finish()
        var inner = outer.reader(of: sequence)
        #expect(try inner.next(.integer).contents == 4..<5)
        #expect(try inner.nextIfPresent(.wrapper(0)) == nil)
        #expect(try inner.nextIfPresent(.wrapper(1))?.contents == 7..<9)
        #expect(try inner.next().tag == .octetString)
        #expect(inner.isAtEnd)
        #expect(try inner.nextIfPresent(.null) == nil)
        #expect(throws: DERError(offset: 11, .missing(.null))) { try inner.next(.null) }
    }

    @Test(
        arguments: [
            ([], DERError.Problem.truncated(missing: 1)), ([0x30], .truncated(missing: 1)),
            ([0x30, 0x01], .truncated(missing: 1)), ([0x30, 0x82, 0x01], .truncated(missing: 1)),
            ([0x30, 0x82, 0x01, 0x00, 0x00], .truncated(missing: 255)), ([0x30, 0x80, 0x00, 0x00], .indefiniteLength),
            ([0x30, 0x81, 0x7F], .lengthNotMinimal), ([0x30, 0x81, 0x00], .lengthNotMinimal),
            ([0x30, 0x82, 0x00, 0xFF], .lengthNotMinimal), ([0x30, 0xFF, 0x01], .lengthTooLarge),
            ([0x30, 0x85, 0x01, 0, 0, 0, 0], .lengthTooLarge),
            ([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .truncated(missing: 0xFFFF_FFFF)),
            ([0x1F, 0x1E, 0x00], .unusableTag), ([0x1F, 0x80, 0x1F, 0x00], .unusableTag),
            ([0x1F, 0x81, 0x81, 0x81, 0x81, 0x01, 0x00], .unusableTag), ([0x1F, 0x81], .truncated(missing: 1)),
        ] as [([UInt8], DERError.Problem)])
    func refuses(bytes: [UInt8], problem: DERError.Problem) {
        #expect(throws: DERError(offset: 0, problem)) {
            var reader = DERReader(bytes)
            _ = try reader.next()
        }
    }

    @Test func readsHighTagNumbers() throws {
        var reader = DERReader([0xBF, 0x81, 0x00, 0x01, 0x05, 0x5F, 0x1F, 0x00, 0x1F, 0xFF, 0xFF, 0xFF, 0x7F, 0x00])
        let first = try reader.next()
        #expect(first.tag == DERTag(class: .contextSpecific, isConstructed: true, number: 128))
        #expect(first.contents == 4..<5)
        #expect(try reader.next().tag.description == "[APPLICATION 31]")
        #expect(try reader.next().tag.number == 0xFFF_FFFF)
        #expect(reader.isAtEnd)
    }

    @Test func keepsPositionAfterError() {
        var reader = DERReader([0x02, 0x01, 0x05, 0x30])
        #expect(throws: DERError(offset: 0, .unexpected(.integer, expected: .sequence))) { try reader.next(.sequence) }
        #expect(reader.position == 0)
        #expect(throws: DERError(offset: 0, .trailingBytes(4))) { try reader.finish() }
    }

    @Test func namesExpectedElement() {
        #expect(DERError(offset: 4, .indefiniteLength).description == "BER, not DER: indefinite length at byte 4")
        #expect(
            DERError(offset: 7, .unexpected(.wrapper(0), expected: .integer)).description
                == "expected INTEGER at byte 7, found [0]")
    }
}

/// X.690, section 8.19.
@Suite struct OIDTests {
    @Test(arguments: [
        ("550403", "2.5.4.3"), ("2a864886f70d010101", "1.2.840.113549.1.1.1"), ("883703", "2.999.3"), ("00", "0.0"),
        ("27", "0.39"), ("28", "1.0"), ("", "#"), ("80", "#80"), ("2a86", "#2a86"),
        ("69ffffffffffffffffff7f", "#69ffffffffffffffffff7f"),
    ])
    func writesNumbers(hex: String, dotted: String) throws {
        #expect(OID(encoded: try Hex.decode(hex.utf8)).dotted == dotted)
    }
}
