import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PEMTests {
    @Test(arguments: ["bundle-crlf-text.pem", "bundle-joined.pem", "bundle-cr.pem", "cert-p256.pem", "x509-label.pem"])
    func findsEveryBlock(file: String) throws {
        let expected = Vectors.expectations.filter { $0.file == file }.map(\.pin)
        let found = try blocks(try Vectors.bytes(file)).map { try Certificate(der: $0.get().bytes).pin.base64 }
        #expect(found == expected)
    }

    @Test(.enabled(if: !SystemCertificates.names.isEmpty, SystemCertificates.missing))
    func readsTheSystemBundle() throws {
        let text = [UInt8](try Data(contentsOf: SystemCertificates.bundle))
        let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
        let begins = lines.indices.filter { lines[$0] == "-----BEGIN CERTIFICATE-----" }.map { $0 + 1 }
        let found = try blocks(text).map { try $0.get() }
        #expect(found.map(\.line) == begins)
        #expect(found.map(\.number) == Array(1...begins.count))
    }

    @Test func recordsRangeOfBlock() throws {
        let text =
            "prose\n\n-----BEGIN A-----\nAAAA\n-----END A-----\n\t-----BEGIN B C-----  \r\nAA A=\r\n-----END B C-----x"
        let found = try blocks(Array(text.utf8)).map { try $0.get() }
        #expect(found.map(\.label) == ["A", "B C"])
        #expect(found.map(\.bytes) == [[0, 0, 0], [0, 0]])
        #expect(found.map(\.line) == [3, 6])
        #expect(
            found.map { String(decoding: Array(text.utf8)[$0.source], as: UTF8.self) } == [
                "-----BEGIN A-----\nAAAA\n-----END A-----", "-----BEGIN B C-----  \r\nAA A=\r\n-----END B C-----",
            ])
    }

    @Test func keepsHeaders() throws {
        let text = """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,
              00112233

            AAAA
            -----END RSA PRIVATE KEY-----
            """
        let block = try #require(blocks(Array(text.utf8)).first).get()
        #expect(block.headers.map(\.name) == ["Proc-Type", "DEK-Info"])
        #expect(block.header("DEK-Info") == "AES-128-CBC,00112233")
        #expect(block.header("Missing") == nil)
        #expect(block.bytes == [0, 0, 0])
    }

    @Test func ignoresByteOrderMark() throws {
        #expect(try blocks([0xEF, 0xBB, 0xBF] + Vectors.bytes("cert-p256.pem")).count == 1)
    }

    @Test func ignoresOtherLines() {
        for text in [
            "", "\n", "text", "-----BEGIN", "see -----BEGIN A----- and -----END A-----\n",
            "the line -----BEGIN A----- comes first\n", "---- BEGIN A ----",
        ] {
            #expect(blocks(Array(text.utf8)).isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        (
            "-----BEGIN A----\nAAAA\n-----END A-----\n",
            PEMError(line: 1, number: 1, label: "", problem: .malformedBegin)
        ),
        (
            "see -----BEGIN A-----\nAAAA\n-----END A-----\n",
            PEMError(line: 1, number: 1, label: "A", problem: .misplacedBegin)
        ),
        (
            "\n# -----BEGIN A----- \r\n# AAAA\r\n# -----END A-----\r\n",
            PEMError(line: 2, number: 1, label: "A", problem: .misplacedBegin)
        ),
        (
            "{\"ca\": \"-----BEGIN A-----\\nAAAA\\n-----END A-----\\n\"}",
            PEMError(line: 1, number: 1, label: "A", problem: .misplacedBegin)
        ),
        ("-----BEGIN A-----\nAAAA\n", PEMError(line: 3, number: 1, label: "A", problem: .missingEnd)),
        ("-----BEGIN A-----", PEMError(line: 1, number: 1, label: "A", problem: .missingEnd)),
        ("-----BEGIN A-----\nAAAA\n-----END A", PEMError(line: 3, number: 1, label: "A", problem: .missingEnd)),
        (
            "-----BEGIN A-----\nAAAA\n-----END B-----",
            PEMError(line: 3, number: 1, label: "A", problem: .mismatchedEnd(label: "B"))
        ),
        (
            "-----BEGIN A-----\nAAAA\nAA!A\n-----END A-----",
            PEMError(line: 3, number: 1, label: "A", problem: .character(0x21))
        ),
        (
            "-----BEGIN A-----\r\nAAAA\r\nAA-A\r\n-----END A-----",
            PEMError(line: 3, number: 1, label: "A", problem: .character(0x2D))
        ),
        ("-----BEGIN A-----\nAAA\n-----END A-----", PEMError(line: 3, number: 1, label: "A", problem: .padding)),
        ("-----BEGIN A-----\nAA==\nAAAA\n-----END A-----", PEMError(line: 2, number: 1, label: "A", problem: .padding)),
        ("-----BEGIN A-----\nAAAAA\n-----END A-----", PEMError(line: 3, number: 1, label: "A", problem: .cutShort)),
        ("-----BEGIN A-----\n-----END A-----", PEMError(line: 1, number: 1, label: "A", problem: .noContents)),
    ])
    func namesFault(text: String, error: PEMError) throws {
        let found = blocks(Array(text.utf8))
        #expect(found.count == 1)
        #expect(throws: error) { try #require(found.first).get() }
        // The reader reads the following block.
        let rest = blocks(Array((text + "\n-----BEGIN OK-----\nAAAA\n-----END OK-----\n").utf8))
        #expect(try rest.last?.get().label == "OK")
        #expect(try rest.last?.get().number == rest.count)
    }

    @Test func namesUTF16() throws {
        let text = try String(decoding: Vectors.bytes("cert-p256.pem"), as: UTF8.self)
        for encoding: String.Encoding in [.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = [UInt8](try #require(text.data(using: encoding)))
            let found = blocks(bytes)
            #expect(found == [.failure(PEMError(line: 1, number: 1, label: "", problem: .utf16))])
        }
    }

    @Test func findsTheFirstErrorInBlocksWithALabel() {
        func error(in text: String) -> PEMError? { PEM.firstError(inBlocksLabeled: "A", in: Array(text.utf8)) }
        let (block, other) = ("-----BEGIN A-----\nAAAA\n-----END A-----\n", "-----BEGIN B-----\n!\n-----END B-----\n")
        #expect(error(in: "BEGIN A\n" + block + other + block) == nil)
        #expect(
            error(in: other + block + "-----BEGIN A-----\n!\n")
                == PEMError(line: 9, number: 3, label: "A", problem: .missingEnd))
        // A sentence is not a block for `blocks(in:)`.
        #expect(
            error(in: block + "see -----BEGIN A----- and\n" + block)
                == PEMError(line: 4, number: 2, label: "A", problem: .misplacedBegin))
        #expect(error(in: "see -----BEGIN AB----- and\n") == nil)
        #expect(PEM.contains(label: "A", in: Array(("x" + block).utf8)) && !PEM.contains(label: "A", in: [0x2D]))
    }

    private func blocks(_ text: [UInt8]) -> [Result<PEMBlock, PEMError>] { Array(PEM.blocks(in: text)) }
}
