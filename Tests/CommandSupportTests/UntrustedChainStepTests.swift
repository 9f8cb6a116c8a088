import TestSupport
import Testing

@testable import CommandSupport
@testable import Pinning

/// The next steps after chains of the test PKI.
@Suite(.blocking) struct UntrustedChainStepTests {
    private let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func chain(_ served: [String], anchor: String, _ identity: ServerIdentity? = nil) throws -> CertificateChain
    {
        let anchors = TrustAnchors([try Certificate(der: pki.bytes("\(anchor).der"))])
        return try CertificateChain(
            validating: served.map { try Certificate(der: pki.bytes("\($0).der")) }, by: TrustSource(anchors: anchors),
            for: identity, at: .now)
    }

    /// - Parameter isGiven: whether the anchor is that of `--anchors`. Otherwise it is the system's.
    private func step(_ chain: CertificateChain, isGiven: Bool = true) -> String? {
        let anchors = TrustAnchors([])
        return UntrustedChainStep(isGiven ? TrustSource(anchors: anchors) : TrustSource(bundle: { anchors })).text(
            for: chain)
    }

    @Test func aMissingIntermediate() throws {
        let chain = try chain(["leaf"], anchor: "root")
        let start = #"if "Example Test Intermediate" is an intermediate, configure the server to send it"#
        #expect(
            step(chain)
                == "\(start); if not, check the anchors of --anchors: if they are correct, the connection may be intercepted"
        )
        #expect(
            step(chain, isGiven: false)
                == "\(start); if it is your own root CA, use --anchors FILE; otherwise, the connection may be intercepted"
        )
    }

    @Test func anUnknownAuthority() throws {
        let chain = try chain(["leaf", "intermediate"], anchor: "other-root")
        #expect(step(chain) == "check the anchors of --anchors: if they are correct, the connection may be intercepted")
        #expect(
            step(chain, isGiven: false)
                == "if this CA is yours, use --anchors FILE; if not, the connection may be intercepted")
        #expect(!chain.failsOnlyByDateOfLeaf)
    }

    @Test func anExpiredCertificate() throws {
        let leaf = try chain(["leaf-expired", "intermediate"], anchor: "root")
        #expect(step(leaf) == "replace the server's certificate, which is not valid at this time")
        #expect(leaf.failsOnlyByDateOfLeaf)
        let future = try chain(["leaf-not-yet-valid", "intermediate"], anchor: "root")
        #expect(step(future) == "replace the server's certificate, which is not valid at this time")
        let intermediate = try chain(["leaf-by-expired", "intermediate-expired"], anchor: "root")
        #expect(
            step(intermediate)
                == #"install the current certificate of "Example Test Expired Intermediate" on the server: the one that it sends is not"#
                + " valid at this time")
        // OpenSSL does not report whether this CA signed the leaf.
        #expect(!intermediate.failsOnlyByDateOfLeaf)
    }

    @Test func aTrustedChainHasNoStep() throws {
        #expect(step(try chain(["leaf", "intermediate"], anchor: "root")) == nil)
    }
}
