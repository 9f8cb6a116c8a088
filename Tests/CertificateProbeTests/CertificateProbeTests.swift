import Foundation
import HandshakeReplay
import OpenSSL
import TestSupport
import Testing

@testable import CertificateProbe

/// A probe with servers of OpenSSL in memory, and with changed bytes.
@Suite struct CertificateProbeTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func settings(_ change: (inout ClientContext.Settings) -> Void = { _ in }) throws
        -> CertificateProbe.Settings
    {
        var settings = ClientContext.Settings()
        change(&settings)
        return try #require(CertificateProbe.Settings(try ClientContext(settings)))
    }

    /// The same probe in each call, so that a recorded answer fits.
    private func probe(_ settings: CertificateProbe.Settings) throws -> CertificateProbe {
        let probe = HandshakeReplay.withRepeatableRandom {
            CertificateProbe(settings, serverName: "localhost", random: RandomSupply())
        }
        return try #require(probe)
    }

    private func replay(_ version: HandshakeReplay.Version, _ settings: CertificateProbe.Settings) throws
        -> HandshakeReplay
    {
        try HandshakeReplay(
            version, chain: pki.path("leaf.chain.pem"), key: pki.path("leaf.key"),
            answering: probe(settings).clientHello)
    }

    private func chain() throws -> [[UInt8]] { try ["leaf.der", "intermediate.der"].map { try pki.bytes($0) } }

    /// The generators are those that openssl(1) prints, and the base points of RFC 7748.
    @Test(arguments: [(UInt16(23), "prime256v1"), (24, "secp384r1"), (25, "secp521r1")])
    func generators(group: UInt16, curve: String) throws {
        let text = try Shell.run(
            "openssl ecparam -name \(curve) -param_enc explicit -conv_form uncompressed -text -noout",
            in: pki.folder.url)
        let generator = try #require(text.components(between: "Generator (uncompressed):", and: "Order:"))
        let share = try #require(ProbeKeyShare.all.first { $0.group == group })
        let hex = share.generator.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == generator.filter { $0.isHexDigit })
    }

    /// RFC 8446, sections 4.1.2 and 4.2: the offers are those of OpenSSL, in its order.
    @Test func offersWhatOpenSSLOffers() throws {
        let context = try ClientContext(ClientContext.Settings())
        let session = try ClientSession(context, serverName: "example.test")
        _ = session.handshake()
        let reference = try Self.Hello(session.takeOutput())
        let probe = try #require(CertificateProbe(try settings(), serverName: "example.test"))
        let own = try Self.Hello(probe.clientHello)
        #expect(own.suites == reference.suites)
        #expect(own.types.filter { $0 != 51 } == reference.types.filter { $0 != 51 })
        for type in reference.types where type != 51 { #expect(own.bodies[type] == reference.bodies[type], "\(type)") }
        #expect(own.types.contains(51))
        let address = try #require(CertificateProbe(try settings(), serverName: nil))
        #expect(try !Self.Hello(address.clientHello).types.contains(0))
    }

    private struct Hello {
        var suites: [UInt8] = []
        var types: [UInt16] = []
        var bodies: [UInt16: [UInt8]] = [:]

        init(_ record: [UInt8]) throws {
            var reader = ByteReader(record)
            _ = try reader.take(9)
            _ = try reader.take(34)
            _ = try reader.vector(1)
            suites = try reader.vector(2).rest
            _ = try reader.vector(1)
            var block = try reader.vector(2)
            #expect(reader.isAtEnd)
            for (type, body) in try block.extensions() {
                types.append(type)
                bodies[type] = body.rest
            }
        }
    }

    @Test(arguments: HandshakeReplay.Version.allCases, [1, 7, 100_000]) func readsTheChain(
        version: HandshakeReplay.Version, portion: Int
    ) throws {
        let settings = try settings()
        let flight = try replay(version, settings).recordedFlight
        let answer = try #require(Self.answer(of: probe(settings), flight, portion))
        #expect(answer.certificates == (try chain()))
        #expect(answer.version == (version == .tls13 ? 0x0304 : 0x0303))
        #expect(
            answer.cipherSuite
                == (version == .tls13 ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"))
    }

    /// The certificates are complete before the rest of the flight arrives.
    @Test(arguments: HandshakeReplay.Version.allCases) func fragments(version: HandshakeReplay.Version) throws {
        let settings = try settings()
        let replay = try replay(version, settings)
        for fragment in [1, 2, 100, 1000] {
            let flight = replay.flight(replay.messages, fragment: fragment)
            #expect(try Self.answer(of: probe(settings), flight, 100)?.certificates == chain(), "\(fragment)")
        }
    }

    /// RFC 8446, section 4.1.4: a server that supports none of the groups of the key shares requests another group.
    @Test(arguments: [("X25519", false), ("P-256", false), ("P-384", true), ("P-521", true), ("X448", true)])
    func everyGroup(group: String, isRetried: Bool) throws {
        var probe = try #require(CertificateProbe(try settings(), serverName: "localhost"))
        let server = try MemoryServer(
            .tls13, chain: pki.path("leaf.chain.pem"), key: pki.path("leaf.key"), groups: group)
        var step = try probe.receive(server.answer(probe.clientHello))
        if isRetried {
            guard case .send(let second) = step else { throw NoAnswer() }
            step = try probe.receive(server.answer(second))
        }
        guard case .done(let answer) = step else { throw NoAnswer() }
        #expect(answer.certificates == (try chain()))
    }

    private struct NoAnswer: Error {}

    /// A probe has no key share of a finite field.
    @Test func unsupportedGroup() throws {
        var probe = try #require(CertificateProbe(try settings(), serverName: "localhost"))
        let server = try MemoryServer(
            .tls13, chain: pki.path("leaf.chain.pem"), key: pki.path("leaf.key"), groups: "ffdhe2048")
        let bytes = server.answer(probe.clientHello)
        #expect(Self.failure(of: &probe, bytes) == .unsupportedParameter)
    }

    /// The answer to a flight that arrives in portions; nil if the probe fails or the flight ends.
    private static func answer(
        of probe: consuming CertificateProbe, _ bytes: [UInt8], _ portion: Int
    ) -> CertificateProbe.Answer? {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let step = try? probe.receive(Array(rest.prefix(portion))) else { return nil }
            if case .done(let answer) = step { return answer }
            rest = rest.dropFirst(portion)
        }
        return nil
    }

    /// Changes of records, messages and certificates are no trap. A changed record of TLS 1.3 changes no certificate, because the records
    /// are authenticated.
    @Test(
        arguments: HandshakeReplay.Version.allCases.flatMap { version in
            HandshakeMutation.allCases.map { (version, $0) }
        })
    func changes(version: HandshakeReplay.Version, mutation: HandshakeMutation) throws {
        let settings = try settings()
        let replay = try replay(version, settings)
        let chain = try chain()
        var (same, other, none) = (0, 0, 0)
        for seed in 0..<1000 {
            var source = SeededGenerator(seed: UInt64(seed))
            let flight = mutation.apply(to: replay, &source)
            guard let answer = Self.answer(of: try probe(settings), flight, 1 + source.number(below: 600)) else {
                none += 1
                continue
            }
            if answer.certificates == chain { same += 1 } else { other += 1 }
            #expect(!answer.certificates.isEmpty)
        }
        // The counts show that the changes reach each part of the probe.
        if mutation != .certificates { #expect(none > 200, "\(same) \(other) \(none)") }
        if mutation != .records || version == .tls12 { #expect(other > 20, "\(same) \(other) \(none)") }
        if mutation == .records, version == .tls13 {
            #expect(other == 0)
        } else {
            #expect(same > 20, "\(same) \(other) \(none)")
        }
    }

    private func failure(_ bytes: [UInt8]) throws -> ProbeFailure? {
        var probe = try #require(CertificateProbe(try settings(), serverName: "localhost"))
        return Self.failure(of: &probe, bytes)
    }

    private static func failure(of probe: inout CertificateProbe, _ bytes: [UInt8]) -> ProbeFailure? {
        do throws(ProbeFailure) {
            _ = try probe.receive(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// A ServerHello of TLS 1.2 with the signal of RFC 5746, that of RFC 7507, or a suite of TLS 1.3 (RFC 8446, appendix B.4).
    @Test(arguments: [[0x00, 0xFF], [0x56, 0x00], [0x13, 0x01]] as [[UInt8]])
    func suitesOfOtherVersions(suite: [UInt8]) throws {
        let settings = try settings()
        var flight = try replay(.tls12, settings).recordedFlight
        // The headers of the record and of the message, the version, the random number, and the session ID with its length.
        let start = 5 + 4 + 2 + 32
        let offset = start + 1 + Int(flight[start])
        flight.replaceSubrange(offset..<offset + 2, with: suite)
        var probe = try probe(settings)
        #expect(Self.failure(of: &probe, flight) == .unsupportedParameter)
    }

    /// RFC 8446, sections 5.1, 6 and 4.1.3.
    @Test func failures() throws {
        #expect(try failure(Array("HTTP/1.1 400 Bad Request\r\n".utf8)) == .malformed)
        #expect(try failure([21, 3, 3, 0, 2, 2, 40]) == .alert)
        #expect(try failure([22, 3, 3, 0, 0]) == .malformed)
        #expect(try failure([22, 3, 3, 0x40, 1]) == .malformed)
        #expect(try failure([23, 3, 3, 0, 1, 0]) == .unexpectedMessage)
        #expect(try failure([22, 3, 3, 0, 4, 11, 0, 0, 0]) == .unexpectedMessage)
        #expect(try failure([22, 3, 3, 0, 4, 2, 1, 0, 0]) == .tooLong)
        #expect(try failure([22, 3, 3, 0, 4, 2, 0, 0, 0]) == .malformed)
        #expect(try failure([20, 3, 3, 0, 1, 2]) == .unexpectedMessage)
        let change: [UInt8] = [20, 3, 3, 0, 1, 1]
        #expect(try failure(change + change) == nil)
        #expect(try failure(change + change + change) == .unexpectedMessage)
    }
}

extension String {
    fileprivate func components(between start: String, and end: String) -> String? {
        components(separatedBy: start).dropFirst().first?.components(separatedBy: end).first
    }
}

extension SeededGenerator: ByteSource {}
