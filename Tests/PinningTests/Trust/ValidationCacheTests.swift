import Encodings
import OpenSSL
import TestSupport
import Testing

@testable import Pinning

/// A validator that has seen other chains must give the result of a new one.
@Suite struct ValidationCacheTests {
    private let paths: PathCertificates

    init() throws { paths = try PathCertificates.shared() }

    private static let hosts = ["www.example.test", "www.example.test", "www.other.test"]

    private static let others = [
        "ca", "ca-by-old", "ca-not-ca", "ca-permitting-other", "ca-expired", "ca-for-clients", "old-root", "root",
        "root-by-old", "old-root-by-root", "root-namesake",
    ]

    enum Source: CaseIterable {
        case named, bundle, folder, rootInFolder, oldRootInFolder
    }

    /// The roots signed each other. So several paths of one chain are valid, if both roots are trusted.
    @Test(arguments: Source.allCases) func earlierChainsChangeNoResult(of source: Source) throws {
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        let (root, oldRoot) = (try paths.certificate("root"), try paths.certificate("old-root"))
        func folders(with certificates: Certificate...) throws -> [String] {
            for (number, certificate) in certificates.enumerated() {
                try folder.write(PEM.certificate(certificate.der), to: "\(number).pem")
            }
            _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
            return [folder.path]
        }
        let both = TrustAnchors([root, oldRoot])
        let source =
            switch source {
            case .named: TrustSource(anchors: both)
            case .bundle: TrustSource(bundle: { both })
            case .folder: TrustSource(hashedDirectories: try folders(with: root, oldRoot))
            case .rootInFolder:
                TrustSource(hashedDirectories: try folders(with: root), bundle: { TrustAnchors([oldRoot]) })
            case .oldRootInFolder:
                TrustSource(hashedDirectories: try folders(with: oldRoot), bundle: { TrustAnchors([root]) })
            }
        var generator = SeededGenerator(seed: 27)
        let chains = (0..<24).map { _ in
            ["leaf"] + Self.others.shuffled(using: &generator).prefix(Int.random(in: 0...6, using: &generator))
        }
        let known = try ChainValidator(source)
        var trusted = 0
        for served in chains {
            let host = ServerIdentity.name(try #require(Self.hosts.randomElement(using: &generator)))
            let expected = try chain(served, host, by: ChainValidator(source))
            func check(_ validator: ChainValidator, after earlier: [String]? = nil) throws {
                let result = try chain(served, host, by: validator)
                let comment: Comment = "\(served) \(host) after \(earlier ?? [])"
                #expect(result.failures == expected.failures, comment)
                #expect(result.entries.map(\.certificate) == expected.entries.map(\.certificate), comment)
            }
            if expected.isTrusted { trusted += 1 }
            try check(known)
            for other in chains.shuffled(using: &generator).prefix(12) {
                let validator = try ChainValidator(source)
                // Without the leaf, the chain is not trusted, but needs anchors too.
                for earlier in [other, Array(other.dropFirst())] where !earlier.isEmpty {
                    _ = try chain(earlier, nil, by: validator)
                    try check(validator, after: earlier)
                }
            }
        }
        #expect(trusted > 3 && trusted < 21)
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
        _ served: [String], _ host: ServerIdentity?, by validator: ChainValidator
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
