import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinEvaluatorTests {
    private let pki: TestAuthorities

    init() throws { pki = try TestAuthorities.shared() }

    @Test(arguments: ["leaf", "intermediate", "root"])
    func pinsAnyCertificateOfTheChain(name: String) throws {
        let certificate = try pki.certificate(name)
        let trust = try pki.trust("leaf.chain.pem")
        #expect(PinnedCertificatesTrustEvaluator(certificates: [certificate]).accepts(trust))
        #expect(PublicKeysTrustEvaluator(keys: [certificate.pin]).accepts(trust))
    }

    /// Two certificates with the same name and key, but different bytes.
    @Test func comparesCertificatesByBytesAndKeysByPin() throws {
        let cross = try pki.certificate("root-cross")
        let trust = try pki.trust("leaf.chain.pem")
        #expect(!PinnedCertificatesTrustEvaluator(certificates: [cross]).accepts(trust))
        #expect(PublicKeysTrustEvaluator(keys: [cross.pin]).accepts(trust))
    }

    @Test func refusalListsTheComparedPins() throws {
        let trust = try pki.trust("leaf.chain.pem")
        let other = try pki.certificate("other-leaf")
        let chain = try ["leaf", "intermediate", "root"].map { try pki.certificate($0) }
        let refusal = PinnedCertificatesTrustEvaluator(certificates: [other]).refusal(trust)
        #expect(refusal?.reason == .certificateNotPinned(compared: chain))
        let message = "PinnedCertificatesTrustEvaluator refuses \"localhost\": none of 3 certificates is pinned"
        #expect(refusal?.message == message)
        let keys = PublicKeysTrustEvaluator(keys: [other.pin]).refusal(trust)
        guard case .keyNotPinned(let compared) = keys?.reason else {
            Issue.record("\(String(describing: keys))")
            return
        }
        let pins = try String(decoding: pki.bytes("pins.tsv"), as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: "\t") }
        let expected = ["leaf", "intermediate", "root"].compactMap { name in pins.first { $0[0] == name }?[2] }
        #expect(compared.map(\.pin.base64) == expected.map(String.init))
        #expect(PinnedCertificatesTrustEvaluator(certificates: []).refusal(trust)?.reason == .nothingToCheck)
        #expect(PublicKeysTrustEvaluator(keys: []).refusal(trust)?.reason == .nothingToCheck)
    }

    /// A server can append certificates of other servers to its chain.
    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func ignoresCertificatesThatAreOnlySent(performDefaultValidation: Bool, validateHost: Bool) throws {
        let stranger = try pki.certificate("other-root")
        let trust = try pki.trust("leaf.extra.pem")
        let certificates = PinnedCertificatesTrustEvaluator(
            certificates: [stranger], performDefaultValidation: performDefaultValidation, validateHost: validateHost
        )
        #expect(!certificates.accepts(trust))
        let keys = PublicKeysTrustEvaluator(
            keys: [stranger.pin], performDefaultValidation: performDefaultValidation, validateHost: validateHost
        )
        #expect(!keys.accepts(trust))
    }

    @Test func selfSignedCertificatesAreTheOnlyAnchors() throws {
        let own = try pki.certificate("leaf-self-signed")
        let trust = try pki.trust("leaf-self-signed.chain.pem")
        #expect(!PinnedCertificatesTrustEvaluator(certificates: [own]).accepts(trust))
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [own], acceptSelfSignedCertificates: true)
        #expect(evaluator.accepts(trust))
        #expect(!evaluator.accepts(trust, "example.org"))
        // The anchors of the trust are not used.
        #expect(!evaluator.accepts(try pki.trust("leaf.chain.pem")))
        // An expired certificate is refused, even if it is pinned.
        let expired = PinnedCertificatesTrustEvaluator(
            certificates: [try pki.certificate("leaf-expired")], acceptSelfSignedCertificates: true
        )
        #expect(!expired.accepts(try pki.trust("leaf-expired.chain.pem")))
    }

    @Test func validationCanBeDisabled() throws {
        let expired = try pki.certificate("leaf-expired")
        let trust = try pki.trust("leaf-expired.chain.pem")
        func evaluator(_ performDefaultValidation: Bool, _ validateHost: Bool) -> PinnedCertificatesTrustEvaluator {
            PinnedCertificatesTrustEvaluator(
                certificates: [expired], performDefaultValidation: performDefaultValidation, validateHost: validateHost
            )
        }
        #expect(!evaluator(true, true).accepts(trust))
        #expect(!evaluator(true, false).accepts(trust))
        #expect(!evaluator(false, true).accepts(trust))
        #expect(evaluator(false, false).accepts(trust, "example.org"))
        let keys = PublicKeysTrustEvaluator(keys: [expired.pin], performDefaultValidation: false, validateHost: false)
        #expect(keys.accepts(trust))
        let valid = PublicKeysTrustEvaluator(keys: [try pki.certificate("root").pin], validateHost: false)
        #expect(valid.accepts(try pki.trust("leaf.chain.pem"), "example.org"))
    }

    @Test func appliesAPinSet() throws {
        let root = try pki.certificate("root")
        func evaluator(_ fields: String, anchors: [String: TrustAnchors] = [:]) throws -> PinSetTrustEvaluator {
            let json = #"{"version": 1, "hosts": {"example.test": {"subdomains": "one", \#(fields)}}}"#
            return PinSetTrustEvaluator(try PinSet(json: Array(json.utf8)), anchors: anchors)
        }
        let pin = #""sha256": "\#(root.pin)""#
        let trust = try pki.trust("leaf.chain.pem")
        let host = "a.example.test"
        #expect(try evaluator(#""pins": [{\#(pin)}]"#).accepts(trust, host))
        #expect(try evaluator(#""pins": [{\#(pin)}]"#).refusal(trust)?.reason == .pinSet(.noPins))
        #expect(try !evaluator(#""pins": [{\#(pin), "role": "leaf"}]"#).accepts(trust, host))
        #expect(try evaluator(#""pins": [{\#(pin), "role": "leaf"}], "enforce": false"#).accepts(trust, host))
        let expired = try evaluator(#""pins": [{\#(pin)}], "expires": "2020-01-01""#).refusal(trust, host)
        #expect(expired?.message.hasSuffix("the pins expired on 2020-01-01") == true)
        let own = #""pins": [{\#(pin)}], "anchors": ["ca.pem"]"#
        #expect(try evaluator(own).refusal(trust, host)?.reason == .missingAnchors("ca.pem"))
        #expect(try evaluator(own, anchors: ["ca.pem": pki.anchors("root")]).accepts(trust, host))
        #expect(try !evaluator(own, anchors: ["ca.pem": pki.anchors("root-rsa")]).accepts(trust, host))
        // An invalid chain is refused, even if its pins match.
        #expect(
            try !evaluator(#""pins": [{\#(pin)}], "enforce": false"#).accepts(
                pki.trust("leaf.chain.pem", anchors: pki.anchors("root-rsa")), host
            ))
    }
}
