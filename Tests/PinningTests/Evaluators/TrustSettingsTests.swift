import TestSupport
import Testing

@testable import Encodings
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

    /// OpenSSL does not check the time of an anchor that is not self-signed (internal_verify in crypto/x509/x509_vfy.c).
    @Test(
        arguments: [("ca", nil), ("ca-expired", "expired"), ("ca-of-tomorrow", "not-yet-valid")] as [(String, String?)])
    func anchorThatIsNotSelfSignedMustBeValid(_ name: String, _ code: String?) throws {
        let paths = try PathCertificates.shared()
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        let command = ["openssl", "x509", "-in", name + ".pem", "-addtrust", "serverAuth"]
        let file = try ChildProcess.output(of: command, folder: paths.folder)
        try folder.write(file, to: "ca.pem")
        _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
        let bundle = try TrustAnchors(file: file)
        let served = try ["leaf", "ca"].map { try paths.certificate($0) }
        let named = TrustAnchors([try paths.certificate("root")])
        func codes(_ source: TrustSource, _ served: [Certificate], at time: String? = nil) throws -> [String] {
            try CertificateChain(
                validating: served, by: source, for: .name("www.example.test"),
                at: time.flatMap(Timestamp.init(rfc3339:))
            ).failures.map(\.code)
        }
        for source in [TrustSource(bundle: { bundle }), TrustSource(hashedDirectories: [folder.path])] {
            #expect(try codes(source, [served[0]]) == (code.map { [$0] } ?? []))
            let start = try codes(source, [served[0]], at: "2020-06-01")
            #expect(start == (name == "ca-of-tomorrow" ? ["not-yet-valid"] : []))
            let end = try codes(source, [served[0]], at: "2045-06-01")
            #expect(end == (name == "ca-expired" ? ["expired"] : []))
            // With a named root, the anchor of the system's store must not add a path.
            var both = source
            both.anchors = named
            let validator = try ChainValidator(both, findingAllPaths: true)
            let chain = try validator.validate(der: served.map(\.der), for: .name("www.example.test"))
            #expect(chain.isTrusted)
            #expect(chain.validPaths?.paths.map { $0.map(\.certificate) } == [served + named.certificates])
        }
        #expect(try codes(TrustSource(anchors: bundle), [served[0]]) == (code.map { [$0] } ?? []))
    }

    /// The results of the chain with a bundle, and with folders that contain files with the subject of the root.
    private func codes(bundle: [UInt8] = [], folders: [[[UInt8]]]) throws -> [String] {
        let hash = try ChildProcess.output(
            of: ["openssl", "x509", "-in", "root.pem", "-noout", "-subject_hash"], folder: pki.folder)
        let name = String(decoding: hash, as: UTF8.self).filter { !$0.isWhitespace }
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        for (index, files) in folders.enumerated() {
            for (number, file) in files.enumerated() { try folder.write(file, to: "\(index)/\(name).\(number)") }
        }
        let list = folders.indices.map { folder.path("\($0)") }.joined(separator: ":")
        let anchors = bundle.isEmpty ? TrustAnchors([]) : try TrustAnchors(file: bundle)
        let hasSettings = anchors.anchors.contains { !$0.trustSettings.isEmpty }
        let source = TrustSource(
            hashedDirectories: [list], bundle: { anchors }, bundleHasTrustSettings: { hasSettings })
        return try CertificateChain(
            validating: pki.certificates("leaf.chain.pem"), by: source, for: nil, at: TestAuthorities.moment()
        ).failures.map(\.code)
    }

    /// OpenSSL keeps the first copy.
    @Test func oneRejectedCopyInAFolderIsEnough() throws {
        let plain = try pki.bytes("root.pem")
        let rejected = try pem("root", ["-addreject", "serverAuth"])
        let text = Array("text\n".utf8)
        for files in [
            [plain, rejected], [rejected, plain], [plain + rejected], [rejected + plain], [text, plain, rejected],
        ] {
            #expect(try codes(folders: [files]) == ["distrusted"])
            #expect(try codes(folders: [files, [plain]]) == ["distrusted"])
            #expect(try codes(folders: [[], files]) == ["distrusted"])
            #expect(try codes(folders: [[plain], files]) == ["distrusted"])
        }
        #expect(try codes(folders: [[plain, plain]]).isEmpty)
    }

    /// OpenSSL reads the folders only if the store has no certificate with the subject, and then only the first folder that has one.
    @Test(arguments: [["-addreject", "serverAuth"], ["-addtrust", "clientAuth"]])
    func noOtherCertificateOrCopyHidesARejection(_ settings: [String]) throws {
        let plain = try pki.bytes("root.pem")
        let rejected = try pem("root", settings)
        let folder = try TemporaryFolder("namesake")
        defer { folder.remove() }
        let key = folder.path("key.pem")
        _ = try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm", "ed25519", "-out", key])
        let namesake = try pem("root", ["-signkey", key])
        #expect(try codes(bundle: plain, folders: [[namesake]]).isEmpty)
        #expect(try codes(bundle: plain, folders: [[namesake], [rejected]]) == ["distrusted"])
        #expect(try codes(bundle: plain, folders: [[namesake], [namesake, rejected]]) == ["distrusted"])
        for other in [["-addtrust", "serverAuth"], ["-addreject", "serverAuth"], ["-setalias", "other"]] {
            let block = try pem("root", ["-signkey", key] + other)
            #expect(try codes(bundle: plain + block, folders: [[]]).isEmpty)
            #expect(try codes(bundle: plain + block, folders: [[rejected]]) == ["distrusted"])
        }
        for copy in [["-addtrust", "serverAuth"], ["-setalias", "copy"]] {
            let block = try pem("root", copy)
            #expect(try codes(bundle: block, folders: [[plain]]).isEmpty)
            #expect(try codes(bundle: block, folders: [[plain], [rejected]]) == ["distrusted"])
        }
    }

    /// With named anchors and the system's, the settings of the system apply to certificates that are not named.
    @Test func settingsOfTheSystemApplyBelowANamedAnchor() throws {
        let root = try pki.anchors("root")
        let rejected = try TrustAnchors(file: pem("intermediate", ["-addreject", "serverAuth"]))
        let trusted = try TrustAnchors(file: pem("intermediate", ["-addtrust", "serverAuth"]))
        let both = TrustAnchors(try ["root", "intermediate"].map { try pki.certificate($0) })
        let folder = try TemporaryFolder("hashed")
        defer { folder.remove() }
        try folder.write(pem("intermediate", ["-addreject", "serverAuth"]), to: "intermediate.pem")
        _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
        func codes(_ source: TrustSource) throws -> [String] {
            let validator = try ChainValidator(source, at: TestAuthorities.moment(), findingAllPaths: true)
            let chain = try validator.validate(der: pki.certificates("leaf.chain.pem").map(\.der), for: nil)
            #expect(chain.validPaths?.paths.isEmpty == !chain.isTrusted)
            return chain.failures.map(\.code)
        }
        let inBundle = { (anchors: TrustAnchors, bundle: TrustAnchors) in
            TrustSource(anchors: anchors, bundle: { bundle }, bundleHasTrustSettings: { true })
        }
        #expect(try codes(inBundle(root, rejected)) == ["distrusted"])
        #expect(try codes(inBundle(root, trusted)).isEmpty)
        #expect(try codes(inBundle(both, rejected)).isEmpty)
        #expect(try codes(TrustSource(anchors: root, hashedDirectories: [folder.path])) == ["distrusted"])
        #expect(try codes(TrustSource(anchors: both, hashedDirectories: [folder.path])).isEmpty)
    }

    /// The settings are DER after the certificate. `openssl crl2pkcs7` reads files as OpenSSL reads a bundle.
    @Test(arguments: [
        "3000", "30023000", "3002a000", "300ca00a06082b06010505070301", "300330010c", "30030c0161", "3004040200ff",
        "300d a10b 3009 0607 2a8648ce3d0201", "300fa10d300b06072a8648ce3d02010500", "3006 3004 06025504",
        // Another tag, another order, an incomplete or padded number, no number, an unknown field, a truncated list.
        "300ca10a06082b06010505070301", "3018 a00a06082b06010505070301 300a06082b06010505070301", "3006 3004 06022b86",
        "3007 3005 06032b8001", "3004 3002 0600", "30020500", "3003a10130",
    ]) func settingsAreReadAsByOpenSSL(_ settings: String) throws {
        let settings = try Hex.decode(settings.utf8.filter { $0 != UInt8(ascii: " ") })
        let certificate = try pki.certificate("root")
        let block = PEM.certificate(certificate.der + settings).replacing(" CERTIFICATE", with: " TRUSTED CERTIFICATE")
        let command = ["openssl", "crl2pkcs7", "-nocrl", "-certfile", "/dev/stdin"]
        let reference = try ChildProcess.run(command, input: Array(block.utf8))
        let anchor = try? TrustAnchor(certificate, trustSettings: settings)
        #expect((anchor != nil) == (reference.end == .exit(0)))
        let plain = try pki.bytes("root.pem")
        #expect(((try? TrustAnchors(file: Array(block.utf8) + plain)) != nil) == (anchor != nil))
        #expect(((try? TrustAnchors.readable(in: Array(block.utf8) + plain)) != nil) == (anchor != nil))
    }

    /// OpenSSL ignores characters at the end of lines up to the space, and from 0x80 on, and decodes base64 up to a dash.
    @Test(arguments: ["\u{0}", "\t", "\u{B}", "\u{1A}", "\u{1B}", " ", "\u{A0}", "-", "-abc", "=", "\n", "\nX: y\n\n"])
    func noSpellingHidesARejection(_ addition: String) throws {
        let plain = try pki.bytes("root.pem")
        let block = try String(decoding: pem("root", ["-addreject", "serverAuth"]), as: UTF8.self)
        let lines = block.split(separator: "\n").map(String.init)
        let chain = try pki.certificates("leaf.chain.pem")
        for index in lines.indices {
            var changed = lines
            changed[index] += addition
            let file = Array((changed.joined(separator: "\n") + "\n").utf8) + plain
            // Without an error, the rejection applies.
            for anchors in [try? TrustAnchors.readable(in: file), try? TrustAnchors(file: file).anchors] {
                guard let anchors else { continue }
                let source = TrustSource(bundle: { TrustAnchors(anchors: anchors) })
                let result = try CertificateChain(
                    validating: chain, by: source, for: nil, at: TestAuthorities.moment())
                #expect(result.failures.map(\.code) == ["distrusted"], "line \(index + 1)")
            }
        }
    }

    /// OpenSSL reads lines in parts of 254 bytes, so the block begins at the start of a part.
    @Test func aBlockAfterALongTextIsAnError() throws {
        let prefix = [UInt8](repeating: UInt8(ascii: "x"), count: 254)
        let file = try prefix + pem("root", ["-addreject", "serverAuth"]) + pki.bytes("root.pem")
        #expect(try !isAcceptedByOpenSSL(anchors: file))
        let error = PEMError(line: 1, number: 1, label: "TRUSTED CERTIFICATE", problem: .misplacedBegin)
        #expect(throws: TrustAnchorsError.pem(error)) { try TrustAnchors.readable(in: file) }
        #expect(throws: TrustAnchorsError.pem(error)) { try TrustAnchors(file: file) }
    }

    /// Without trust settings, a certificate that cannot be read is skipped in a system's bundle.
    @Test func aBundleMayHaveUnreadableCertificatesWithoutSettings() throws {
        let plain = try pki.bytes("root.pem")
        let block = Array("-----BEGIN CERTIFICATE-----\nMA\u{0}==\n-----END CERTIFICATE-----\n".utf8)
        let other = Array("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)
        #expect(try TrustAnchors.readable(in: block + other + plain) == [TrustAnchor(pki.certificate("root"))])
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
