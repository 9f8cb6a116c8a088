import Pinning
import Testing

@testable import PlaintextProtocols

/// The state machines of STARTTLS with a small number or a limit in place of each byte.
@Suite struct StartTLSByteTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let proto: StartTLSProtocol
        let bytes: [UInt8]
        var testDescription: String { "\(proto.rawValue), \(bytes.count) bytes" }
    }

    /// Successful exchanges, and errors whose lengths come from the server.
    static let answers =
        StartTLSTests.exchanges.map { exchange in
            Answer(
                proto: exchange.proto,
                bytes: exchange.lines.flatMap { line -> [UInt8] in
                    if case .fromServer(let bytes) = line { bytes } else { [] }
                })
        } + [
            Answer(proto: .postgres, bytes: Array("E\u{0}\u{0}\u{0}\u{12}SFATAL\u{0}Mbad\u{0}\u{0}\u{0}".utf8)),
            Answer(proto: .mysql, bytes: [0x0A, 0, 0, 0, 0xFF, 0x6A, 0x04] + Array("no host".utf8)),
            Answer(
                proto: .ldap, bytes: [0x30, 0x11, 2, 1, 1, 0x78, 0x0C, 0x0A, 1, 2, 4, 0, 4, 5] + Array("noTLS".utf8)),
            Answer(proto: .mssql, bytes: [0x04, 1, 0, 0x0F, 0, 0, 1, 0, 1, 0, 6, 0, 1, 0xFF, 2]),
            Answer(proto: .rdp, bytes: [3, 0, 0, 0x13, 0x0E, 0xD0, 0, 0, 0x12, 0x34, 0, 3, 0, 8, 0, 2, 0, 0, 0]),
        ]

    /// Small numbers and those around the limits of a sign and of a byte, as a wrong length has them.
    private static let values: [UInt8] = Array(0...24) + [0x7F, 0x80, 0x81, 0x82, 0x84, 0xFE, 0xFF]

    @Test(arguments: answers) func anyByteIsReadOrRefused(answer: Answer) {
        for index in answer.bytes.indices {
            for value in Self.values {
                var bytes = answer.bytes
                bytes[index] = value
                // The whole answer, an answer that ends there, and an answer in two portions.
                for parts in [[bytes], [Array(bytes[...index])], [Array(bytes[..<index]), Array(bytes[index...])]] {
                    var negotiation = answer.proto.negotiation(domain: "example.com")
                    _ = negotiation.begin()
                    for part in parts where !part.isEmpty {
                        let step = negotiation.receive(part)
                        if case .proceed = step { continue }
                        if case .done(_, let injected) = step, !(0...part.count).contains(injected) {
                            Issue.record("\(injected) of \(part.count) bytes are left")
                        }
                        break
                    }
                }
            }
        }
    }
}
