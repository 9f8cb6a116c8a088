import CSystem
import Foundation
import OpenSSL
import Pinning
import PlaintextProtocols
import Testing

@testable import Fetching

@Suite struct FetchErrorTests {
    static let four = "192.0.2.1:443"
    static let six = "[2001:db8::1]:443"

    private static func endpoint(_ text: String) throws -> Endpoint {
        let target = try Target(parsing: text)
        guard case .address(let address, _) = target.host else { throw TargetError.empty }
        return try #require(Endpoint(address: address.bytes, port: target.port))
    }

    private func expect(
        _ error: FetchError, _ code: String, _ message: String, step: FetchError.NextStep? = nil,
        at endpoint: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error.code.rawValue == code, sourceLocation: sourceLocation)
        #expect(error.message == message, sourceLocation: sourceLocation)
        #expect(error.nextStep == step, sourceLocation: sourceLocation)
        #expect(error.endpoint?.description == endpoint, sourceLocation: sourceLocation)
    }

    @Test func messagesForNameResolution() {
        expect(
            .resolve(name: "a.example", ResolveFailure(code: EAI_NONAME)), "resolve",
            "no address found for \"a.example\"",
            step: .checkName)
        let again = FetchError.resolve(name: "a.example", ResolveFailure(code: EAI_AGAIN))
        #expect(again.message.hasPrefix("cannot resolve \"a.example\": "))
        #expect(again.nextStep == nil)
        // The error number of a thread that cannot start (pthread_create(3)) can have another cause in a look-up.
        expect(
            .resolve(name: "a.example", .noThread), "resolve",
            "cannot resolve \"a.example\": cannot start a thread: a limit of this process or of the system is reached")
        expect(
            .resolve(name: "a.example", ResolveFailure(code: EAI_SYSTEM, systemError: SystemError(code: EAGAIN))),
            "resolve", "cannot resolve \"a.example\": resource temporarily unavailable")
        expect(
            .family(address: "192.0.2.1", wanted: .ipv6), "resolve",
            "\"192.0.2.1\" is an IPv4 address, but only IPv6 is allowed", step: .allow(.ipv4))
        expect(
            .family(address: "::1", wanted: .ipv4), "resolve",
            "\"::1\" is an IPv6 address, but only IPv4 is allowed", step: .allow(.ipv6))
        expect(
            .timeout(.resolving(name: "a.example"), after: .milliseconds(1500)), "timeout",
            "cannot resolve \"a.example\": no answer within 1.5 s", step: .waitLonger)
    }

    @Test func messagesForConnections() throws {
        let (four, six) = (try Self.endpoint(Self.four), try Self.endpoint(Self.six))
        func attempt(_ endpoint: Endpoint, _ code: Int32) -> FetchError.Attempt {
            FetchError.Attempt(endpoint: endpoint, error: SystemError(code: code))
        }
        expect(
            .connect([attempt(four, ECONNREFUSED)]), "refused",
            "cannot connect to \(Self.four): connection refused")
        expect(
            .connect([attempt(four, ENETUNREACH), attempt(six, ENETUNREACH)]), "unreachable",
            "cannot connect to \(Self.four) or \(Self.six): network is unreachable")
        expect(
            .connect([attempt(six, ENETUNREACH), attempt(four, ECONNREFUSED)]), "refused",
            "cannot connect: \(Self.six): network is unreachable; \(Self.four): connection refused")
        expect(
            .timeout(.connecting([four, six, four]), after: .seconds(10)), "timeout",
            "\(Self.four), \(Self.six) or \(Self.four) did not accept the connection within 10 s",
            step: .waitLonger)
    }

    /// A message lists at most 16 addresses.
    @Test func messagesForManyAddresses() throws {
        let four = try Self.endpoint(Self.four)
        let listed = [String](repeating: Self.four, count: 16).joined(separator: ", ")
        for (count, rest) in [(17, "1 other address"), (256, "240 other addresses")] {
            let refused = FetchError.Attempt(endpoint: four, error: SystemError(code: ECONNREFUSED))
            let attempts = [FetchError.Attempt](repeating: refused, count: count)
            expect(.connect(attempts), "refused", "cannot connect to \(listed) or \(rest): connection refused")
            let other = FetchError.Attempt(endpoint: four, error: SystemError(code: ENETUNREACH))
            let different = FetchError.connect(attempts.dropLast() + [other])
            #expect(different.message.hasSuffix("\(Self.four): connection refused; \(rest)"))
            #expect(different.message.components(separatedBy: Self.four).count == 17)
        }
        expect(
            .timeout(.waiting(four), after: .seconds(10)), "timeout",
            "\(Self.four) was not contacted within 10 s: at most 16 addresses of a name are contacted at the same time",
            step: .waitLonger)
        let limit = "and pinctl connects to at most 256: \(Self.four)"
        for (count, rest) in [(257, " was"), (258, " and 1 other were"), (3900, " and 3643 others were")] {
            expect(
                .excessAddresses("a.example", four, count: count), "too-many-addresses",
                "\"a.example\" has \(count) addresses, \(limit)\(rest) not contacted", step: .selectAddress)
        }
    }

    @Test func messagesForHandshakes() throws {
        let four = try Self.endpoint(Self.four)
        expect(
            .timeout(.handshaking(four, hasAnswered: false), after: .seconds(10)), "timeout",
            "\(Self.four) accepted the connection but sent nothing within 10 s",
            step: .checkPort, at: Self.four)
        expect(
            .timeout(.handshaking(four, hasAnswered: true), after: .seconds(10)), "timeout",
            "\(Self.four) did not finish the TLS handshake within 10 s", step: .waitLonger,
            at: Self.four)
        expect(
            .closed(four, nil), "closed", "\(Self.four) closed the connection during the TLS handshake", at: Self.four)
        expect(
            .closed(four, SystemError(code: ECONNRESET)), "closed",
            "the connection to \(Self.four) failed during the TLS handshake: connection reset by peer", at: Self.four)
        expect(
            .notTLS(four, firstBytes: Array("SSH-2.0".utf8)), "tls",
            "\(Self.four) does not speak TLS: it answered in SSH", at: Self.four)
        expect(.noCertificate(four), "no-certificate", "\(Self.four) sent no certificate", at: Self.four)
        expect(
            .badCertificate(four, "it ends early"), "tls",
            "\(Self.four) sent a certificate that cannot be parsed: it ends early", at: Self.four)
        expect(
            .alert(four, TLSAlert(number: 112)), "tls",
            "\(Self.four) refused the TLS handshake: it does not know this server name (alert \"unrecognized name\")",
            step: .requestAnotherName, at: Self.four)
        expect(
            .alert(four, TLSAlert(number: 70)), "tls",
            "\(Self.four) refused the TLS handshake: it does not support the offered TLS versions (alert \"protocol version\")",
            step: .changeVersions,
            at: Self.four)
        let late = FetchError.alertAfterCertificate(four, TLSAlert(number: 40), [])
        expect(
            late, "tls",
            "\(Self.four) sent its certificate, and then refused the TLS handshake: it sent the alert \"handshake failure\"",
            step: .sendClientCertificate, at: Self.four)
        #expect(!late.isNegotiationFailure && !late.isServerRefusal && !late.rulesOutCertificates(otherThan: []))
        let demand = FetchError.alert(four, TLSAlert(number: 116))
        #expect(
            demand.message.hasPrefix(
                "\(Self.four) refused the TLS handshake: it requires a client certificate (alert \""))
    }

    /// A given address is not resolved, but the requested address family applies to it.
    @Test(arguments: [
        ("192.0.2.1", AddressFamily.ipv6, "\"192.0.2.1\" is an IPv4 address, but only IPv6 is allowed"),
        ("[2001:db8::1]:444", .ipv4, "\"2001:db8::1\" is an IPv6 address, but only IPv4 is allowed"),
        ("fe80::1%lo", .ipv4, "\"fe80::1\" is an IPv6 address, but only IPv4 is allowed"),
    ])
    func rejectsAnAddressOfTheWrongFamily(text: String, family: AddressFamily, message: String) async throws {
        var options = ConnectionOptions()
        options.family = family
        let target = try Target(parsing: text)
        #expect(try Self.outcomes(of: [target], options) == [message])
        // The same rule applies to the address of --connect-to.
        options.connectTo = (target.host, nil)
        #expect(try Self.outcomes(of: [Target(host: .name("a.example"))], options) == [message])
    }

    private static func outcomes(of targets: [Target], _ options: ConnectionOptions) throws -> [String] {
        let fetcher = try Fetcher(
            options, trust: TrustPolicy(TrustSource()), at: nil, load: LoadLimits(jobs: 2),
            targets: TargetChannel(targets.map { .target($0) })
        )
        var messages: [String] = []
        while let event = fetcher.next() {
            guard case .result(let result) = event else { continue }
            switch result.outcome {
            case .success: messages.append("connected")
            case .failure(let error): messages.append(error.message)
            }
        }
        return messages
    }
}
