import CSystem
import TestSupport
import Testing

@testable import Fetching

@Suite struct NameAnswerTests {
    /// An answer as dig(1) reads it: an alias, and the address 192.0.2.1 of the alias. The names are pointers (RFC 1035, section 4.1.4).
    private static let alias: [UInt8] =
        [0, 7, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0x61, 4, 0x74, 0x65, 0x73, 0x74, 0, 0, 1, 0, 1]
        + [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 5, 0, 4, 1, 0x62, 0xC0, 14]
        + [0xC0, 36, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 1]

    @Test func acceptsAliases() throws {
        let addresses = try NameAnswer.addresses(in: Self.alias, AF_INET)
        #expect(addresses == [Endpoint(address: [192, 0, 2, 1], port: 0)])
        // Of a question for the other family, only the header and the alias count.
        #expect(try NameAnswer.addresses(in: Self.alias, AF_INET6) == [])
    }

    @Test func rejectsEachCutAnswer() {
        for length in 0..<Self.alias.count {
            #expect(throws: NameAnswer.Problem.malformed) {
                try NameAnswer.addresses(in: Array(Self.alias.prefix(length)), AF_INET)
            }
        }
    }

    /// As an answer with an address that the header does not count, or whose record is damaged.
    @Test func rejectsAnAnswerWithOtherContentsThanItsHeaderCounts() {
        let address = Self.alias.suffix(16)
        var answers: [[UInt8]] = [
            Self.alias + address, Self.alias + [0], Self.alias + [UInt8](repeating: 0xC0, count: 20),
        ]
        // The numbers of records for answers, authorities and additions.
        for (index, number) in [(7, 1), (7, 3), (9, 1), (11, 1)] as [(Int, UInt8)] {
            var bytes = Self.alias
            bytes[index] = number
            answers.append(bytes)
        }
        // A pointer behind its own position, to itself, into the header, and outside the answer.
        for target: UInt16 in [0xC029, 0xC028, 0xC00B, 0xFF63] {
            var bytes = Self.alias
            (bytes[40], bytes[41]) = (UInt8(target >> 8), UInt8(target & 255))
            answers.append(bytes)
        }
        // An alias whose data are an address: the name has 127 bytes, or ends before the data.
        for data: [UInt8] in [[127, 0, 2, 1], [0, 0, 2, 1]] {
            answers.append(Self.alias + Self.alias[24..<36] + data)
            answers[answers.count - 1][7] = 3
        }
        for (number, answer) in answers.enumerated() {
            #expect(throws: NameAnswer.Problem.malformed, "\(number)") { try NameAnswer.addresses(in: answer, AF_INET) }
        }
    }

    /// The records that follow the answers: an authority, and the pseudo-record of EDNS (RFC 6891, section 6.1.2).
    @Test func acceptsRecordsAfterTheAnswers() throws {
        var bytes = Self.alias + [0xC0, 14, 0, 2, 0, 1, 0, 0, 0, 5, 0, 2, 0xC0, 12]
        bytes += [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]
        (bytes[9], bytes[11]) = (1, 1)
        #expect(try NameAnswer.addresses(in: bytes, AF_INET) == [Endpoint(address: [192, 0, 2, 1], port: 0)])
    }

    /// RFC 6891, section 6.1.3: the first byte of the TTL of OPT has the higher 8 bits of the code, and the header the lower 4 bits. The
    /// codes are those of IANA's registry "DNS RCODEs": BADVERS is 16, BADMODE is 19.
    @Test(arguments: [0, 16, 19]) func rejectsTheCodesOfEDNS(code: UInt8) throws {
        let question = Self.alias[12..<24]
        // OPT with a size of 1232 bytes, and after it a record of the type A for the root.
        let records: [UInt8] =
            [0, 0, 41, 4, 208, code >> 4, 0, 0, 0, 0, 0] + [0, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 9]
        let header: [UInt8] = [0, 7, 0x81, 0x80 | code & 15, 0, 1, 0, 0, 0, 0, 0, 2]
        for rest in [[], [UInt8](repeating: 0, count: 500)] {
            let answer = header + question + records + rest
            if code == 0 {
                try NameAnswer.checkCode(ofAnswerWithoutAddresses: answer)
            } else {
                #expect(throws: NameAnswer.Problem.missing) {
                    try NameAnswer.checkCode(ofAnswerWithoutAddresses: answer)
                }
            }
        }
        var alias = Self.alias + records
        alias[11] = 2
        if code == 0 {
            #expect(try NameAnswer.addresses(in: alias, AF_INET) == [Endpoint(address: [192, 0, 2, 1], port: 0)])
        } else {
            #expect(throws: NameAnswer.Problem.missing) { try NameAnswer.addresses(in: alias, AF_INET) }
        }
    }

    /// A look-up that sent no question leaves only zeros.
    @Test func acceptsZerosAsAnAnswerWithoutAddresses() throws {
        try NameAnswer.checkCode(ofAnswerWithoutAddresses: [UInt8](repeating: 0, count: 65536))
    }

    @Test func acceptsAHeaderWithoutRecords() throws {
        #expect(try NameAnswer.addresses(in: [0, 7, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0], AF_INET6) == [])
    }

    /// The third byte has QR, the operation code, AA, TC and RD, from the highest bit on (RFC 1035, section 4.1.1). The codes are those of
    /// IANA's registry "DNS OpCodes": STATUS is 2, NOTIFY is 4.
    @Test(
        arguments: [(0x81, true), (0x84, true), (0x01, false), (0x91, false), (0xA1, false), (0x09, false)]
            as [(UInt8, Bool)])
    func acceptsOnlyResponsesToQueries(byte: UInt8, isResponse: Bool) {
        var (alias, empty) = (Self.alias, Array(Self.alias.prefix(24)) + [UInt8](repeating: 0, count: 100))
        (alias[2], empty[2], empty[7]) = (byte, byte, 0)
        if isResponse {
            #expect(throws: Never.self) { try NameAnswer.addresses(in: alias, AF_INET) }
            #expect(throws: Never.self) { try NameAnswer.checkCode(ofAnswerWithoutAddresses: empty) }
        } else {
            #expect(throws: NameAnswer.Problem.malformed) { try NameAnswer.addresses(in: alias, AF_INET) }
            #expect(throws: NameAnswer.Problem.malformed) { try NameAnswer.checkCode(ofAnswerWithoutAddresses: empty) }
        }
    }

    /// RFC 2308, section 2.2: a referral has the code NOERROR and no answers, as an answer about a name without addresses of a type. The
    /// fourth byte has RA as its highest bit, and the response code.
    @Test(
        arguments: [
            (0x81, 0x80, true), (0x85, 0x00, true), (0x81, 0x03, true), (0x81, 0x00, false), (0x80, 0x00, false),
        ]
            as [(UInt8, UInt8, Bool)])
    func rejectsReferrals(third: UInt8, fourth: UInt8, isAnswer: Bool) {
        // The domain of the name has the name server "b", as the alias in the other answer.
        var referral = Array(Self.alias.prefix(24)) + [0xC0, 14, 0, 2, 0, 1, 0, 0, 0, 5, 0, 4, 1, 0x62, 0xC0, 14]
        (referral[2], referral[3], referral[7], referral[9]) = (third, fourth, 0, 1)
        if isAnswer {
            #expect(throws: Never.self) { try NameAnswer.checkCode(ofAnswerWithoutAddresses: referral) }
        } else {
            #expect(throws: NameAnswer.Problem.missing) {
                try NameAnswer.checkCode(ofAnswerWithoutAddresses: referral)
            }
            #expect(throws: NameAnswer.Problem.missing) {
                try NameAnswer.addresses(in: Array(referral.prefix(12)), AF_INET6)
            }
        }
    }

    /// The question has the name that a domain of resolv.conf(5) completed.
    @Test func readsTheNameOfTheQuestion() throws {
        #expect(try NameAnswer.name(in: Self.alias) == "a.test")
        for length in 0..<20 {
            #expect(throws: NameAnswer.Problem.malformed) { try NameAnswer.name(in: Array(Self.alias.prefix(length))) }
        }
        for (index, byte) in [(12, 0xC0), (12, 0), (13, 0x2E), (13, 0x20), (13, 0xFF)] as [(Int, UInt8)] {
            var bytes = Self.alias
            bytes[index] = byte
            #expect(throws: NameAnswer.Problem.malformed) { try NameAnswer.name(in: bytes) }
        }
    }

    @Test func readsAnyBytes() {
        var generator = SeededGenerator(seed: 51)
        var problems = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var bytes = Self.alias
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do {
                _ = try NameAnswer.addresses(in: bytes, AF_INET)
            } catch {
                problems += 1
            }
        }
        #expect(problems > TestEnvironment.rounds(1000) && problems < TestEnvironment.rounds(20_000))
    }
}
