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

    /// The addresses of a chain in the cache are compared without OpenSSL.
    @Test(arguments: ["127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "127.0.0.2", "::ffff:127.0.0.1", "localhost", ""])
    func addressesMatchAsInOpenSSL(address: String) throws {
        let pki = try TestPKI.shared()
        let der = try ["leaf.der", "intermediate.der"].map { try pki.bytes($0) }
        let validator = try ChainValidator(
            TrustSource(anchors: TrustAnchors([Certificate(der: pki.bytes("root.der"))])))
        guard let served = try PeerChain.saved(der) else {
            Issue.record("no chain")
            return
        }
        let isMatch = served.leafMatches(ipAddress: address)
        for _ in 0..<2 {
            #expect(try validator.validate(der: der, for: .address(address)).isTrusted == isMatch)
        }
        #expect(try validator.validate(served, for: .address(address)).isTrusted == isMatch)
    }

    private func chain(
        _ served: [String], _ host: ServerIdentity, by validator: ChainValidator
    ) throws -> CertificateChain {
        guard let peers = try PeerChain.saved(served.map { try paths.certificate($0).der }) else {
            throw CertificateChainError.empty
        }
        return try validator.validate(peers, for: host)
    }

    private func certificates(_ name: String) throws -> [Certificate] { [try paths.certificate(name)] }

    @Test func aResultIsValidForOneSecond() throws {
        var cache = ValidationCache()
        let leaf = try certificates("leaf")
        let path = ValidatedPath(certificates: leaf, failure: nil)
        cache.add(path, for: leaf, host: .any, at: 1000)
        #expect(cache.result(for: leaf, host: "a.example", at: 1000)?.certificates == path.certificates)
        #expect(cache.result(for: try certificates("ca"), host: "a.example", at: 1000) == nil)
        #expect(cache.result(for: leaf + leaf, host: "a.example", at: 1000) == nil)
        #expect(cache.result(for: leaf, host: "a.example", at: 1001) == nil)
        // The clock may go back.
        #expect(cache.result(for: leaf, host: "a.example", at: 1000) == nil)
        cache.add(path, for: leaf, host: .any, at: 1000)
        cache.removeAll()
        #expect(cache.result(for: leaf, host: "a.example", at: 1000) == nil)
    }

    @Test func aResultWithNameConstraintsIsValidForOneHost() throws {
        var cache = ValidationCache()
        let leaf = try certificates("leaf")
        cache.add(ValidatedPath(certificates: leaf, failure: nil), for: leaf, host: .only("a.example"), at: 5)
        #expect(cache.result(for: leaf, host: "a.example", at: 5) != nil)
        #expect(cache.result(for: leaf, host: "b.example", at: 5) == nil)
        #expect(cache.result(for: leaf, host: nil, at: 5) == nil)
    }

    @Test func keepsNoLongChain() throws {
        var cache = ValidationCache()
        let certificate = try paths.certificate("leaf")
        let path = ValidatedPath(certificates: [certificate], failure: nil)
        for (count, isKept) in [(20, true), (200, false)] {
            let served = Array(repeating: certificate, count: count)
            cache.add(path, for: served, host: .any, at: 5)
            #expect((cache.result(for: served, host: nil, at: 5) != nil) == isKept)
        }
    }

    @Test func keepsTheLastResults() throws {
        var cache = ValidationCache()
        let leaf = try certificates("leaf")
        let path = ValidatedPath(certificates: leaf, failure: nil)
        for number in 0..<30 { cache.add(path, for: leaf, host: .only("\(number).example"), at: 5) }
        let kept = (0..<30).filter { cache.result(for: leaf, host: "\($0).example", at: 5) != nil }
        #expect(kept == Array(22..<30))
    }
}
