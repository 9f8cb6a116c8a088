import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct ChainEvaluatorTests {
    private let pki: TestAuthorities

    init() throws { pki = try TestAuthorities.shared() }

    @Test func defaultValidatesChainHostAndTime() throws {
        let evaluator = DefaultTrustEvaluator()
        #expect(evaluator.accepts(try pki.trust("leaf.chain.pem")))
        #expect(evaluator.accepts(try pki.trust("leaf.chain.pem"), "127.0.0.1"))
        #expect(evaluator.accepts(try pki.trust("leaf.chain.pem"), "A.Example.Test."))
        let refusals = try [
            (evaluator.refusal(pki.trust("leaf.chain.pem"), "example.org"), "name-mismatch"),
            (evaluator.refusal(pki.trust("leaf-expired.chain.pem")), "expired"),
            (evaluator.refusal(pki.trust("leaf.no-intermediate.pem")), "missing-intermediate"),
            (evaluator.refusal(pki.trust("leaf-self-signed.chain.pem")), "self-signed"),
        ]
        for (refusal, code) in refusals {
            #expect(refusal?.evaluator == "DefaultTrustEvaluator")
            guard case .untrusted(let failures) = refusal?.reason else {
                Issue.record("\(String(describing: refusal)) is not for \(code)")
                continue
            }
            #expect(failures.map(\.code) == [code])
        }
        #expect(DefaultTrustEvaluator(validateHost: false).accepts(try pki.trust("leaf.chain.pem"), "example.org"))
        var nothing = try pki.trust("leaf.chain.pem")
        nothing.certificates = []
        #expect(evaluator.refusal(nothing)?.reason == .noCertificates)
    }

    @Test func disabledAcceptsAnything() throws {
        #expect(DisabledTrustEvaluator().accepts(try pki.trust("leaf-expired.chain.pem"), "no host at all"))
    }

    @Test func anchorsReplaceOrExtendTheSystems() throws {
        let own = try pki.anchors("root-rsa")
        let system = try pki.anchors("root")
        let ofOwn = try pki.trust("leaf-rsa.chain.pem", anchors: system)
        let ofSystem = try pki.trust("leaf.chain.pem", anchors: system)
        #expect(AnchorsTrustEvaluator(anchors: own).accepts(ofOwn))
        #expect(!AnchorsTrustEvaluator(anchors: own).accepts(ofSystem))
        #expect(AnchorsTrustEvaluator(anchors: own, includingSystem: true).accepts(ofOwn))
        #expect(AnchorsTrustEvaluator(anchors: own, includingSystem: true).accepts(ofSystem))
        let other = try pki.trust("other-leaf.chain.pem", anchors: system)
        #expect(!AnchorsTrustEvaluator(anchors: own, includingSystem: true).accepts(other))
        #expect(AnchorsTrustEvaluator(anchors: TrustAnchors([])).refusal(ofOwn)?.reason == .nothingToCheck)
        #expect(!AnchorsTrustEvaluator(anchors: own).accepts(ofOwn, "example.org"))
        #expect(AnchorsTrustEvaluator(anchors: own, validateHost: false).accepts(ofOwn, "example.org"))
    }

    @Test func readsAnchorsOfFiles() throws {
        let files = try ["root.pem", "root-rsa.der", "leaf.with-root.pem"].map { try pki.bytes($0) }
        let anchors = try TrustAnchors(files: files)
        // Two of the files contain the root.
        #expect(
            anchors.certificates
                == (try ["root", "root-rsa", "leaf", "intermediate"].map { try pki.certificate($0) }))
        #expect(throws: TrustAnchorsError.none) { try TrustAnchors(file: Array("nothing".utf8)) }
        #expect(throws: TrustAnchorsError.none) { try TrustAnchors(file: pki.bytes("leaf.key")) }
        let cut = try Array(pki.bytes("root.der").dropLast())
        #expect(throws: TrustAnchorsError.certificate(.truncated(missing: 1), line: nil)) {
            try TrustAnchors(file: cut)
        }
    }

    @Test func compositeRequiresAll() throws {
        let trust = try pki.trust("leaf.chain.pem")
        let pinned = PublicKeysTrustEvaluator(keys: [try pki.certificate("other-leaf").pin])
        let both = CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), pinned])
        #expect(both.refusal(trust)?.evaluator == "PublicKeysTrustEvaluator")
        #expect(CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator()]).accepts(trust))
        #expect(CompositeTrustEvaluator(evaluators: []).refusal(trust)?.reason == .nothingToCheck)
    }
}
