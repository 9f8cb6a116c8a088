import TestSupport
import Testing

@testable import Pinning

/// The search for a valid path among the certificates that a server sent.
@Suite struct PathSearchTests {
    private let paths: PathCertificates

    init() throws { paths = try PathCertificates.shared() }

    /// Certificates of one CA that lead to no anchor.
    private static let deadEnds = [
        "ca-by-old", "ca-not-ca", "ca-without-basic-constraints", "ca-without-key-usage-for-certificates",
        "ca-for-clients", "ca-permitting-other", "ca-sha1", "ca-expired", "ca-of-tomorrow", "ca-bad-extension",
    ]

    @Test(arguments: deadEnds)
    func findsTheOtherPath(deadEnd: String) throws {
        #expect(try !paths.isAcceptedByOpenSSL("leaf", with: [deadEnd]))
        for served in [["leaf", deadEnd, "ca"], ["leaf", "ca", deadEnd], ["leaf", deadEnd, deadEnd, "ca"]] {
            let chain = try paths.chain(served)
            #expect(chain.failures == [], "\(served)")
            let isAccepted = try paths.isAcceptedByOpenSSL("leaf", with: Array(served.dropFirst()))
            #expect((chain.detour == nil) == isAccepted, "\(served)")
            #expect(chain.entries.map(\.certificate) == (try ["leaf", "ca", "root"].map { try paths.certificate($0) }))
            // The system's anchors use another part of the code.
            let anchors = TrustAnchors([try paths.certificate("root")])
            let bySystem = try CertificateChain(
                validating: served.map { try paths.certificate($0) }, by: TrustSource(bundle: { anchors }),
                for: .name("www.example.test"), at: nil)
            #expect(bySystem.isTrusted)
        }
        #expect(try !paths.chain(["leaf", deadEnd]).isTrusted)
        #expect(try !paths.chain(["leaf", deadEnd, "old-root"]).isTrusted)
    }

    /// A chain is valid if and only if "openssl verify" accepts one of its paths.
    @Test func acceptsWhatOpenSSLAcceptsOnOnePath() throws {
        let lower = ["sub", "sub-not-ca", "sub-expired"]
        var isAccepted: [[String]: Bool] = [:]
        var generator = SeededGenerator(seed: 12)
        var count = (trusted: 0, untrusted: 0)
        for round in 0..<120 {
            let first = lower.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
            // Half of the chains have the valid certificate of the CA.
            let upper = round % 4 < 2 ? Self.deadEnds : Self.deadEnds.suffix(2) + ["ca"]
            let second = upper.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
            let hasSub = round.isMultiple(of: 2)
            let leaf = hasSub ? "leaf-by-sub" : "leaf"
            let candidates = hasSub ? first.flatMap { low in second.map { [low, $0] } } : second.map { [$0] }
            var expected = false
            for path in candidates {
                let key = [leaf] + path
                let answer = try isAccepted[key] ?? paths.isAcceptedByOpenSSL(leaf, with: path)
                isAccepted[key] = answer
                expected = expected || answer
            }
            let served = [leaf] + ((hasSub ? Array(first) : []) + second).shuffled(using: &generator)
            let chain = try paths.chain(served)
            #expect(chain.isTrusted == expected, "\(served): \(chain.failures.map(\.reason))")
            if expected { count.trusted += 1 } else { count.untrusted += 1 }
        }
        #expect(count.trusted > 20 && count.untrusted > 20)
    }

    @Test func givesTheReasonOfThePathThatOpenSSLChooses() throws {
        // OpenSSL prefers an issuer that is not expired.
        let chain = try paths.chain(["leaf", "ca-expired", "ca-for-clients"])
        #expect(chain.failures == [.wrongPurpose(try paths.certificate("ca-for-clients"), position: 1)])
    }

    /// If a path leads to the anchor, its reason is the one to fix, so it is reported.
    @Test func prefersTheReasonOfAPathToAnAnchor() throws {
        let chain = try paths.chain(["leaf", "ca-by-old", "ca-for-clients"])
        #expect(chain.failures == [.wrongPurpose(try paths.certificate("ca-for-clients"), position: 1)])
        #expect(chain.entries.last?.certificate == (try paths.certificate("root")))
        let later = Timestamp(secondsSince1970: 1_893_456_001)
        let expired = try paths.chain(["leaf-of-a-decade", "ca-by-old", "ca"], at: later)
        #expect(expired.failures == [.expired(try paths.certificate("leaf-of-a-decade"), position: 0)])
    }

    /// A path continues to a self-signed anchor if there is one. If a path ends with an intermediate, it is not called root.
    @Test func endsAtASelfSignedAnchor() throws {
        let both = try paths.chain(["leaf", "ca"], to: ["ca", "root"])
        #expect(both.isTrusted && both.entries.map(\.role) == [.leaf, .intermediate, .root])
        let one = try paths.chain(["leaf", "ca"], to: ["ca"])
        #expect(one.isTrusted && one.entries.map(\.role) == [.leaf, .intermediate])
        // The longer path is not valid.
        let expired = try paths.chain(["leaf-by-sub", "sub", "ca-expired"], to: ["sub", "root"])
        #expect(expired.isTrusted && expired.entries.map(\.role) == [.leaf, .intermediate])
    }

    /// For many certificates of one CA, the number of validations is limited.
    @Test func limitsTheNumberOfPaths() throws {
        let certificates = try (["leaf"] + Self.deadEnds).map { try paths.certificate($0) }
        let failure = TrustFailure.other("none")
        var seen: [Set<Int>] = []
        let first = ValidatedPath(certificates: Array(certificates.prefix(2)), failure: failure)
        let result = try PathSearch(certificates, within: ValidationEffort()).run(after: first) {
            omitted throws(CertificateError) in
            seen.append(omitted)
            return ValidatedPath(certificates: certificates, failure: failure)
        }
        #expect(result.failure == failure)
        #expect(seen.count == PathSearch.maximumPaths - 1)
        #expect(Set(seen).count == seen.count)
        #expect(seen.allSatisfy { !$0.contains(0) && !$0.isEmpty })

        seen = []
        let many = Array(repeating: certificates[0], count: 900) + [certificates[1]]
        _ = try PathSearch(many, within: ValidationEffort()).run(after: first) { omitted throws(CertificateError) in
            seen.append(omitted)
            return first
        }
        #expect(seen.isEmpty)
    }

    /// A server can choose keys with which each signature takes long to check.
    @Test func endsTheSearchWhenTheEffortIsSpent() throws {
        let source = TrustSource(anchors: TrustAnchors([try paths.certificate("root")]))
        let served = try ["leaf", "ca-by-old", "ca"].map { try paths.der($0) }
        for (maximum, isFound) in [(Duration.zero, false), (.seconds(60), true)] {
            let validator = try ChainValidator(source, at: nil, findingAllPaths: true, maximumEffort: maximum)
            #expect(try validator.validate(der: served, for: nil).isTrusted == isFound)
            // The first path is always validated. Whether there are others is not known without a search.
            let direct = try validator.validate(der: [served[0], served[2]], for: nil)
            #expect(direct.isTrusted)
            #expect(direct.validPaths?.isComplete == isFound)
        }
    }

    /// OpenSSL refuses a longer path before it checks a signature.
    @Test func limitsTheLengthOfAPath() throws {
        let folder = try TemporaryFolder("long-path")
        defer { folder.remove() }
        // 17 levels: the root is 0, the leaf of the longest path 16.
        try Shell.run(
            """
            openssl ecparam -name prime256v1 -genkey -noout -out key
            openssl req -x509 -key key -subj /CN=0 -days 9 -out 0.pem -addext basicConstraints=critical,CA:TRUE
            echo basicConstraints=critical,CA:TRUE >extensions
            for level in $(seq 16); do
                openssl req -new -key key -subj /CN=$level |
                    openssl x509 -req -CA $((level - 1)).pem -CAkey key -set_serial $level -days 9 -extfile extensions \
                        -out $level.pem 2>/dev/null
            done
            for level in $(seq 0 16); do openssl x509 -in $level.pem -outform DER -out $level; done
            """, in: folder.url)
        let all = try (0...16).map { try Certificate(der: folder.bytes("\($0)")) }
        for (leaf, isTrusted) in [(15, true), (16, false)] {
            let chain = try CertificateChain(
                validating: all[1...leaf].reversed(), to: TrustAnchors([all[0]]), for: nil, at: nil)
            #expect(chain.isTrusted == isTrusted)
            #expect(isTrusted || chain.failures.first?.reason.contains("more than 16 certificates") == true)
        }
    }

    /// After a failure of the leaf, or a rejection by the trust settings, no other path is tried.
    @Test func doesNotSearchWithoutReason() throws {
        let certificates = try ["leaf", "ca-expired", "ca"].map { try paths.certificate($0) }
        let failures: [TrustFailure] = [
            .expired(certificates[0], position: 0), .weakKey(certificates[0], position: 0),
            .distrusted(certificates[1], position: 1), .revoked(certificates[1], position: 1),
        ]
        for failure in failures {
            let first = ValidatedPath(certificates: Array(certificates.prefix(2)), failure: failure)
            let result = try PathSearch(certificates, within: ValidationEffort()).run(after: first) {
                _ throws(CertificateError) in
                Issue.record("a search after \(failure.code)")
                return first
            }
            #expect(result.failure == failure)
        }
    }
}
