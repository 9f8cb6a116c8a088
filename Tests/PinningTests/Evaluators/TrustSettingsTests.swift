import TestSupport
import Testing

@testable import Pinning

/// OpenSSL's trust settings for anchors (openssl-x509(1), "Trust settings"): `openssl verify` determines the expected results.
@Suite(.serialized) struct TrustSettingsTests {
    private let pki: TestAuthorities

    init() throws { pki = try TestAuthorities.shared() }

    static let settings = [
        [], ["-addreject", "serverAuth"], ["-addreject", "anyExtendedKeyUsage"], ["-addreject", "emailProtection"],
        ["-addtrust", "serverAuth"], ["-addtrust", "anyExtendedKeyUsage"], ["-addtrust", "emailProtection"],
        ["-addtrust", "serverAuth", "-addreject", "serverAuth"],
    ]

    /// - Returns: the certificate with these settings, in PEM.
    private func pem(_ name: String, _ settings: [String]) throws -> [UInt8] {
        try ChildProcess.output(of: ["openssl", "x509", "-in", name + ".pem"] + settings, folder: pki.folder)
    }

    /// Whether `openssl verify` accepts the chain of the leaf for a TLS server.
    private func isAcceptedByOpenSSL(anchors: [UInt8], options: String...) throws -> Bool {
        let arguments = ["-purpose", "sslserver", "-CAfile", "/dev/stdin", "-no-CApath", "-no-CAstore"] + options
        let command = ["openssl", "verify"] + arguments + ["-untrusted", "intermediate.pem", "leaf.pem"]
        return try ChildProcess.run(command, input: anchors, folder: pki.folder).end == .exit(0)
    }

    @Test(arguments: ["root", "intermediate", "leaf"], settings)
    func anchorsAreTrustedAsByOpenSSL(_ name: String, _ settings: [String]) throws {
        let file = try pem(name, settings)
        let anchors = try TrustAnchors(file: file)
        let byDefault = try pki.trust("leaf.chain.pem", anchors: anchors)
        #expect(try DefaultTrustEvaluator().accepts(byDefault) == isAcceptedByOpenSSL(anchors: file))

        let trust = try pki.trust("leaf.chain.pem", anchors: pki.anchors("other-root"))
        let isAccepted = try isAcceptedByOpenSSL(anchors: file, options: "-partial_chain")
        #expect(AnchorsTrustEvaluator(anchors: anchors).accepts(trust) == isAccepted)
        #expect(AnchorsTrustEvaluator(anchors: anchors, includingSystem: true).accepts(trust) == isAccepted)
        #expect(RevocationTrustEvaluator(anchors: anchors).accepts(trust) == isAccepted)
        let pin = PinSet.PinnedKey(pin: try pki.certificate("leaf").pin, role: .leaf)
        let entry = try PinSet.Entry(host: "localhost", anchors: ["ca.pem"], pins: [pin])
        let set = PinSetTrustEvaluator(try PinSet(entries: [entry]), anchors: ["ca.pem": anchors])
        #expect(set.accepts(trust) == isAccepted)
    }

    @Test func rejectionInOneOfTwoCopiesApplies() throws {
        let plain = try pki.bytes("root.pem")
        let trusted = try pem("root", ["-addtrust", "serverAuth"])
        let rejections = [
            ["-addreject", "serverAuth"], ["-addreject", "anyExtendedKeyUsage"], ["-addtrust", "emailProtection"],
            ["-addtrust", "serverAuth", "-addreject", "serverAuth"],
        ]
        let rejected = try rejections.map { try pem("root", $0) }
        let copies = rejected.flatMap {
            [[plain, $0], [$0, plain], [trusted, $0], [$0, trusted], [plain, trusted, $0]]
        }
        for files in copies {
            let anchors = try TrustAnchors(files: files)
            let refusal = DefaultTrustEvaluator().refusal(try pki.trust("leaf.chain.pem", anchors: anchors))
            guard case .untrusted(let failures) = refusal?.reason else {
                Issue.record("accepted, or refused for another reason: \(String(describing: refusal))")
                continue
            }
            #expect(failures.map(\.code) == ["distrusted"])
        }
    }

    @Test func settingsOfANamedAnchorTakePrecedenceOverTheSystem() throws {
        let rejected = try TrustAnchors(file: pem("root", ["-addreject", "serverAuth"]))
        let (chain, plain) = (try pki.certificates("leaf.chain.pem"), try pki.anchors("root"))
        func isTrusted(named: TrustAnchors, system: TrustAnchors) throws -> Bool {
            let source = TrustSource(anchors: named, bundle: { system })
            return try CertificateChain(validating: chain, by: source, for: nil, at: TestAuthorities.moment()).isTrusted
        }
        #expect(try !isTrusted(named: rejected, system: plain))
        #expect(try isTrusted(named: plain, system: rejected))
        #expect(try !isTrusted(named: pki.anchors("other-root"), system: rejected))
        #expect(try isTrusted(named: pki.anchors("other-root"), system: plain))
    }

    /// By default OpenSSL reads a folder and a bundle. The settings of a copy in the bundle take precedence. Without settings,
    /// pinctl does not read the bundle here.
    @Test(arguments: settings) func settingsInTheBundleApplyToTheFolders(_ settings: [String]) throws {
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        try folder.write(pki.bytes("root.pem"), to: "root.pem")
        _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
        let file = try pem("root", settings)
        let bundle = try TrustAnchors(file: file)
        let hasSettings = !settings.isEmpty
        let source = TrustSource(hashedDirectories: [folder.path]) {
            if !hasSettings { Issue.record("the bundle was read") }
            return bundle
        } bundleHasTrustSettings: {
            hasSettings
        }
        let chain = try CertificateChain(
            validating: pki.certificates("leaf.chain.pem"), by: source, for: nil, at: TestAuthorities.moment())
        #expect(try chain.isTrusted == isAcceptedByOpenSSL(anchors: file))
    }

    /// The first chain fails and has an issuer that is in the bundle, so pinctl reads the bundle before the second chain needs the folder.
    @Test func settingsInAFolderApplyIfTheCopyInTheBundleHasNone() throws {
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        try folder.write(pem("root", ["-addreject", "serverAuth"]), to: "root.pem")
        _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
        let bundle = try pki.anchors("root")
        let source = TrustSource(hashedDirectories: [folder.path]) { bundle }
        for first in [[], ["other-root", "intermediate"]] {
            let validator = try ChainValidator(source, at: TestAuthorities.moment())
            if !first.isEmpty {
                let chain = try first.map { try pki.certificate($0).der }
                try #expect(!validator.validate(der: chain, for: nil).isTrusted)
            }
            let chain = try validator.validate(der: pki.certificates("leaf.chain.pem").map(\.der), for: nil)
            #expect(chain.failures.map(\.code) == ["distrusted"])
        }
    }

    /// A system's store may contain certificates that are not self-signed. A chain ends there only if the certificate was named.
    @Test(arguments: ["leaf", "intermediate"])
    func systemCertificateThatIsNotSelfSignedEndsNoChain(_ name: String) throws {
        let system = try pki.anchors(name)
        let trust = try pki.trust("leaf.chain.pem", anchors: system)
        let other = try pki.anchors("other-root")
        #expect(!DefaultTrustEvaluator().accepts(trust))
        #expect(!AnchorsTrustEvaluator(anchors: other, includingSystem: true).accepts(trust))
        let pinned = [try pki.certificate("leaf")]
        #expect(!PinnedCertificatesTrustEvaluator(certificates: pinned).accepts(trust))
        #expect(
            PinnedCertificatesTrustEvaluator(certificates: pinned, acceptSelfSignedCertificates: true).accepts(trust))
        #expect(AnchorsTrustEvaluator(anchors: system).accepts(trust))
        let source = TrustSource(anchors: other, bundle: { system })
        let chain = try CertificateChain(
            validating: pki.certificates("leaf.chain.pem"), by: source, for: nil, at: TestAuthorities.moment())
        #expect(!chain.isTrusted)
    }

    @Test func malformedSettingsAreAnError() throws {
        let block = try pem("root", ["-addreject", "serverAuth"])
        let base64 = String(decoding: block, as: UTF8.self).split(separator: "\n").dropFirst().dropLast().joined()
        // Without the last three bytes, the settings are truncated.
        let cut = "-----BEGIN TRUSTED CERTIFICATE-----\n\(base64.dropLast(4))\n-----END TRUSTED CERTIFICATE-----\n"
        do throws(TrustAnchorsError) {
            _ = try TrustAnchors(file: Array(cut.utf8))
            Issue.record("malformed settings were accepted")
        } catch {
            guard case .certificate(.malformed(.trustSettings, _), line: 1) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
