import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

/// Revocation lists and OCSP responses that openssl created.
@Suite struct RevocationEvaluatorTests {
    private let pki: TestAuthorities

    init() throws { pki = try TestAuthorities.shared() }

    @Test(arguments: [
        ("leaf", ["intermediate", "root"], true), ("leaf", ["intermediate"], false), ("leaf", ["root"], false),
        ("leaf-api", ["intermediate", "root"], false), ("leaf-rsa", ["root-rsa"], false),
        ("leaf-www", ["root", "intermediate"], true),
    ])
    func agreesWithOpenSSL(leaf: String, lists: [String], isAccepted: Bool) throws {
        let intermediate = leaf == "leaf-rsa" ? "intermediate-rsa" : "intermediate"
        let files = lists.map { "-CRLfile \($0).crl.pem" }.joined(separator: " ")
        func openssl(_ check: String) throws -> Bool {
            try Shell.run(
                "cat root.pem root-rsa.pem >roots-\(leaf)-\(lists.joined()).pem; openssl verify \(check) \(files)"
                    + " -CAfile roots-\(leaf)-\(lists.joined()).pem -untrusted \(intermediate).pem \(leaf).pem"
                    + " >&2 && echo yes || echo no",
                in: pki.folder
            ) == "yes\n"
        }
        let host = ["leaf-api": "api.example.test", "leaf-www": "www.example.test"][leaf] ?? "localhost"
        let trust = try pki.trust("\(leaf).chain.pem")
        let crls = try lists.map { try pki.list($0) }
        let chain = RevocationTrustEvaluator(crls: crls).accepts(trust, host)
        #expect(chain == isAccepted)
        #expect(try openssl("-crl_check_all") == chain)
        #expect(
            try openssl("-crl_check")
                == RevocationTrustEvaluator(crls: crls, crlScope: .leaf).accepts(trust, host)
        )
    }

    @Test func reportsInvalidLists() throws {
        func reason(
            _ chain: String, _ lists: [RevocationList], _ host: String = "localhost", days: Int64 = 0
        ) throws -> ServerTrustError.Reason? {
            RevocationTrustEvaluator(crls: lists).refusal(try pki.trust(chain, days: days), host)?.reason
        }
        let (leaf, intermediate) = try (pki.certificate("leaf"), pki.certificate("intermediate"))
        let both = try [pki.list("intermediate"), pki.list("root")]
        #expect(try reason("leaf.chain.pem", both) == nil)
        #expect(
            try reason("leaf-api.chain.pem", both, "api.example.test")
                == .revocation(.revoked(pki.certificate("leaf-api"), position: 0)))
        #expect(
            try reason("leaf-rsa.chain.pem", [pki.list("root-rsa")])
                == .revocation(.noList(pki.certificate("leaf-rsa"), position: 0)))
        #expect(try reason("leaf.chain.pem", [both[0]]) == .revocation(.noList(intermediate, position: 1)))
        #expect(try reason("leaf.chain.pem", both, days: 60) == .revocation(.listNotCurrent(leaf, position: 0)))
        #expect(try reason("leaf.chain.pem", both, days: -2) == .revocation(.listNotCurrent(leaf, position: 0)))
        // One changed bit of the signature.
        var bytes = both[0].der
        bytes[bytes.count - 1] ^= 1
        let forged = try [RevocationList(der: bytes), both[1]]
        guard case .revocation(.listUnusable(leaf, position: 0, _)) = try reason("leaf.chain.pem", forged) else {
            Issue.record("a forged list is used")
            return
        }
    }

    /// The root revoked the intermediate. The intermediate's own list does not contain the leaf.
    @Test func refusesARevokedIntermediate() throws {
        let trust = try pki.trust("leaf-rsa.chain.pem")
        let lists = try [pki.list("root-rsa"), pki.list("intermediate-rsa")]
        let revoked = try pki.certificate("intermediate-rsa")
        #expect(
            RevocationTrustEvaluator(crls: lists).refusal(trust)?.reason
                == .revocation(.revoked(revoked, position: 1)))
        #expect(RevocationTrustEvaluator(crls: lists, crlScope: .leaf).accepts(trust))
    }

    /// An anchor cannot be revoked, because no issuer above it is trusted.
    @Test func doesNotCheckTheAnchor() throws {
        let evaluator = RevocationTrustEvaluator(
            crls: [try pki.list("intermediate")], anchors: try pki.anchors("intermediate")
        )
        #expect(evaluator.accepts(try pki.trust("leaf.chain.pem")))
        #expect(!evaluator.accepts(try pki.trust("leaf-api.chain.pem"), "api.example.test"))
    }

    @Test func readsLists() throws {
        let pem = try pki.bytes("intermediate.crl.pem") + pki.bytes("leaf.pem") + pki.bytes("root.crl.pem")
        #expect(try RevocationList.all(in: pem) == [pki.list("intermediate"), pki.list("root")])
        #expect(try RevocationList.all(in: pki.bytes("root.crl.der")) == [pki.list("root")])
        #expect(throws: RevocationList.Failure.none) { try RevocationList.all(in: pki.bytes("leaf.pem")) }
        #expect(throws: RevocationList.Failure.self) { try RevocationList(der: pki.bytes("leaf.der")) }
        #expect(throws: RevocationList.Failure.self) { try RevocationList(der: pki.bytes("root.crl.der") + [0]) }
    }

    @Test(arguments: ["good", "good-256", "delegated", "endless"])
    func acceptsAGoodStaple(name: String) throws {
        let said = try Shell.run(
            "openssl ocsp -respin \(name).ocsp -issuer intermediate.pem -CAfile root.pem -no_nonce"
                + " \(name == "good-256" ? "-sha256" : "") -cert leaf.pem 2>&1",
            in: pki.folder
        )
        #expect(said.contains("Response verify OK") && said.contains("leaf.pem: good"), "\(said)")
        let trust = try pki.trust("leaf.chain.pem", staple: name)
        #expect(RevocationTrustEvaluator(ocsp: .required).refusal(trust) == nil)
        #expect(RevocationTrustEvaluator().accepts(trust))
        #expect(RevocationTrustEvaluator(ocsp: .required, anchors: try pki.anchors("intermediate")).accepts(trust))
    }

    @Test func refusesStapledResponsesWithoutStatusGood() throws {
        func reason(
            _ staple: String?, _ leaf: String = "leaf", _ host: String = "localhost", days: Int64 = 0,
            by policy: RevocationTrustEvaluator.StaplePolicy = .ifPresent
        ) throws -> RevocationFailure? {
            let trust = try pki.trust("\(leaf).chain.pem", staple: staple, days: days)
            guard let refusal = RevocationTrustEvaluator(ocsp: policy).refusal(trust, host) else { return nil }
            guard case .revocation(let failure) = refusal.reason else { throw refusal }
            return failure
        }
        #expect(try reason(nil) == nil)
        #expect(try reason(nil, by: .required) == .noStapledResponse)
        let api = try pki.certificate("leaf-api")
        #expect(try reason("revoked", "leaf-api", "api.example.test") == .revoked(api, position: 0))
        // An outdated response with the status "revoked" is sufficient.
        #expect(try reason("revoked", "leaf-api", "api.example.test", days: 30) == .revoked(api, position: 0))
        #expect(try reason("unknown", "leaf-www", "www.example.test") == .stapledResponseUnknown)
        #expect(try reason("good", "leaf-api", "api.example.test") == .stapledResponseForAnother)
        #expect(try reason("good", days: 8) == .stapledResponseNotCurrent)
        #expect(try reason("good", days: -2) == .stapledResponseNotCurrent)
        #expect(try reason("endless", days: 2) == .stapledResponseNotCurrent)
        for name in ["by-leaf", "by-other"] {
            guard case .stapledResponseUntrusted = try reason(name) else {
                Issue.record("\(name) counts")
                continue
            }
        }
    }

    @Test func refusesMalformedResponses() throws {
        var trust = try pki.trust("leaf.chain.pem")
        let good = try pki.bytes("good.ocsp")
        // An OCSPResponse with the error tryLater (RFC 6960, section 4.2.1).
        for bytes in [[], [0x30], Array(good.dropLast()), good + [0], [0x30, 0x03, 0x0A, 0x01, 0x03]] {
            trust.stapledResponse = bytes
            guard case .revocation(.stapledResponseUnusable) = RevocationTrustEvaluator().refusal(trust)?.reason else {
                Issue.record("\(bytes.count) bytes count as a response")
                continue
            }
        }
        for position in stride(from: 0, to: good.count, by: 7) {
            var bytes = good
            bytes[position] ^= 0x20
            trust.stapledResponse = bytes
            _ = RevocationTrustEvaluator().refusal(trust)
        }
        trust.stapledResponse = []
        #expect(
            RevocationTrustEvaluator(crls: try [pki.list("intermediate"), pki.list("root")], ocsp: .ignored).accepts(
                trust))
        #expect(RevocationTrustEvaluator(ocsp: .ignored).refusal(trust)?.reason == .nothingToCheck)
    }
}
