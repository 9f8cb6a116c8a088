import OpenSSL
import TestSupport
import Testing

@testable import Pinning

/// A validator that has seen other chains must give the result of a new one.
@Suite struct ValidationCacheTests {
    private let paths: PathCertificates

    init() throws { paths = try PathCertificates.shared() }

    private static let hosts = ["www.example.test", "www.other.test", "www.example.com"]

    private static let others = [
        "ca", "ca-by-old", "ca-not-ca", "ca-permitting-other", "ca-expired", "ca-for-clients", "old-root", "root",
    ]

    @Test(arguments: [true, false]) func earlierChainsChangeNoResult(areNamed: Bool) throws {
        let anchors = TrustAnchors([try paths.certificate("root"), try paths.certificate("old-root")])
        let source = areNamed ? TrustSource(anchors: anchors) : TrustSource(bundle: { anchors })
        var generator = SeededGenerator(seed: 27)
        let chains = (0..<24).map { _ in
            ["leaf"] + Self.others.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
        }
        let known = try ChainValidator(source)
        var trusted = 0
        for _ in 0..<300 {
            let served = try #require(chains.randomElement(using: &generator))
            let host = ServerIdentity.name(try #require(Self.hosts.randomElement(using: &generator)))
            let result = try chain(served, host, by: known)
            let expected = try chain(served, host, by: ChainValidator(source))
            #expect(result.failures == expected.failures, "\(served) \(host)")
            #expect(result.entries.map(\.certificate) == expected.entries.map(\.certificate), "\(served) \(host)")
            if result.isTrusted { trusted += 1 }
        }
        #expect(trusted > 20 && trusted < 280)
    }

    private func chain(
        _ served: [String], _ host: ServerIdentity, by validator: ChainValidator
    ) throws -> CertificateChain {
        guard let peers = try PeerChain.saved(served.map { try paths.certificate($0).der }) else {
            throw CertificateChainError.empty
        }
        return try validator.validate(peers, for: host)
    }

    private func key(_ name: String, omitting omitted: Set<Int> = []) throws -> ValidationCache.Key {
        ValidationCache.Key(certificates: [try paths.certificate(name)], omitted: omitted, acceptsAnyAnchor: false)
    }

    @Test func aResultIsValidForOneSecond() throws {
        var cache = ValidationCache()
        let path = ValidatedPath(certificates: [try paths.certificate("leaf")], failure: nil)
        cache.add(path, for: try key("leaf"), at: 1000)
        #expect(cache.result(for: try key("leaf"), at: 1000)?.certificates == path.certificates)
        #expect(cache.result(for: try key("ca"), at: 1000) == nil)
        #expect(cache.result(for: try key("leaf", omitting: [1]), at: 1000) == nil)
        #expect(cache.result(for: try key("leaf"), at: 1001) == nil)
        // The clock may go back.
        #expect(cache.result(for: try key("leaf"), at: 1000) == nil)
        cache.add(path, for: try key("leaf"), at: 1000)
        cache.removeAll()
        #expect(cache.result(for: try key("leaf"), at: 1000) == nil)
    }

    @Test func keepsNoLongChain() throws {
        var cache = ValidationCache()
        let certificate = try paths.certificate("leaf")
        let path = ValidatedPath(certificates: [certificate], failure: nil)
        for (count, isKept) in [(20, true), (200, false)] {
            let key = ValidationCache.Key(
                certificates: Array(repeating: certificate, count: count), omitted: [], acceptsAnyAnchor: true)
            cache.add(path, for: key, at: 5)
            #expect((cache.result(for: key, at: 5) != nil) == isKept)
        }
    }

    @Test func keepsTheLastResults() throws {
        var cache = ValidationCache()
        let path = ValidatedPath(certificates: [try paths.certificate("leaf")], failure: nil)
        for number in 0..<30 { cache.add(path, for: try key("leaf", omitting: [number]), at: 5) }
        let kept = try (0..<30).filter { cache.result(for: try key("leaf", omitting: [$0]), at: 5) != nil }
        #expect(kept == Array(22..<30))
    }
}
