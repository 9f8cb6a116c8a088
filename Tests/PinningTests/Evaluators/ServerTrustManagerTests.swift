import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct ServerTrustManagerTests {
    /// An evaluator that refuses with its name.
    private struct Named: ServerTrustEvaluator, Equatable {
        let name: String
        func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
            throw ServerTrustError(evaluator: name, host: host, reason: .noEvaluator)
        }
    }

    private func decider(_ patterns: [String], _ host: String) throws -> String? {
        let evaluators = Dictionary(uniqueKeysWithValues: patterns.map { ($0, Named(name: $0)) })
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
        return (try manager.serverTrustEvaluator(forHost: host) as? Named)?.name
    }

    /// The test vectors of OkHttp's patterns.
    @Test(arguments: [
        (
            "**.example.co.uk", ["example.co.uk", "foo.example.co.uk", "foo.bar.example.co.uk"],
            ["anotherexample.co.uk", "co.uk"]
        ),
        ("*.example.co.uk", ["foo.example.co.uk"], ["example.co.uk", "foo.bar.example.co.uk"]),
        ("example.co.uk", ["example.co.uk", "EXAMPLE.co.uk", "example.co.uk."], ["foo.example.co.uk", "co.uk"]),
        ("*.bücher.example", ["a.xn--bcher-kva.example"], ["bücher.example"]),
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2"]),
        ("2001:db8::1", ["2001:DB8:0::1"], ["2001:db8::2"]),
    ])
    func matches(pattern: String, covered: [String], others: [String]) throws {
        for host in covered { #expect(try decider([pattern], host) == pattern, "\(host)") }
        for host in others { #expect(try decider([pattern], host) == nil, "\(host)") }
    }

    @Test(arguments: [
        "example.*", "*a.example.com", "a.*.example.com", "*.*.example.com", "*", "**", "***.example.com",
        "*.127.0.0.1",
    ])
    func refusesAsterisksElsewhere(pattern: String) {
        #expect(throws: ServerTrustManager.PatternError.asterisk(pattern)) {
            try ServerTrustManager(evaluators: [pattern: DefaultTrustEvaluator()])
        }
    }

    @Test(arguments: ["", "*.", "https://example.com", "example.com:443", "a..b"])
    func refusesInvalidHosts(pattern: String) {
        #expect(throws: ServerTrustManager.PatternError.self) {
            try ServerTrustManager(evaluators: [pattern: DefaultTrustEvaluator()])
        }
    }

    @Test func theMostSpecificPatternApplies() throws {
        let patterns = ["a.b.example.com", "*.b.example.com", "**.b.example.com", "*.example.com", "**.example.com"]
        #expect(try decider(patterns, "a.b.example.com") == "a.b.example.com")
        #expect(try decider(patterns, "c.b.example.com") == "*.b.example.com")
        #expect(try decider(patterns, "d.c.b.example.com") == "**.b.example.com")
        #expect(try decider(patterns, "b.example.com") == "**.b.example.com")
        #expect(try decider(patterns, "c.example.com") == "*.example.com")
        #expect(try decider(patterns, "d.c.example.com") == "**.example.com")
        #expect(try decider(patterns, "example.com") == "**.example.com")
        #expect(try decider(patterns, "example.org") == nil)
    }

    @Test func refusesTheSameHostsTwice() {
        #expect(throws: ServerTrustManager.PatternError.sameHosts("example.com")) {
            try ServerTrustManager(evaluators: [
                "Example.COM": DefaultTrustEvaluator(), "example.com": DefaultTrustEvaluator(),
            ])
        }
    }

    @Test func hostsWithoutPatternAreRefusedByDefault() throws {
        let pki = try TestAuthorities.shared()
        let evaluators: [String: any ServerTrustEvaluator] = ["example.org": DisabledTrustEvaluator()]
        let trust = try pki.trust("leaf.chain.pem")
        let strict = try ServerTrustManager(evaluators: evaluators)
        #expect(strict.accepts(trust, "example.org"))
        #expect(strict.refusal(trust)?.reason == .noEvaluator)
        #expect(strict.refusal(trust)?.evaluator == "ServerTrustManager")
        let lax = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
        #expect(lax.accepts(trust))
        #expect(lax.refusal(try pki.trust("leaf-expired.chain.pem"))?.evaluator == "DefaultTrustEvaluator")
        guard case .host = lax.refusal(trust, "no host")?.reason else {
            Issue.record("what is no host is accepted")
            return
        }
    }
}
