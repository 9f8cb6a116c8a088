import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// The expected verdicts come from the programs' sources, which each row names.
@Suite struct ServerRulesTests {
    /// kubernetes, cmd/kubeadm/app/discovery/token/token.go (`validateClusterCA`): the pins are compared with the cluster's CA.
    @Test(arguments: [
        PlatformCase("example.com | root:root", is: .accepts, "the trust anchor"),
        PlatformCase("example.com | root", is: .accepts, "the trust anchor"),
        PlatformCase("example.com | intermediate:ca", is: .accepts, "if it is one of the cluster's CA certificates"),
        PlatformCase("example.com | leaf", is: .rejects, "no pin of a CA"),
        PlatformCase("example.com | spare:ca", is: .rejects, "no pin of a CA"),
        PlatformCase("example.com | leaf:leaf", is: .notPinned, "every pin of example.com is of a leaf"),
        PlatformCase("example.org | root:root", is: .notPinned, "for this host"),
        PlatformCase("example.com | root:root:retired", is: .refusesConfig, "retired"),
        PlatformCase("example.com | root:root", is: .rejects, "does not validate", isTrusted: false),
    ])
    func kubeadm(row: PlatformCase) throws { try row.check(.kubeadm) }

    /// openconnect, main.c (`validate_peer_cert`) and gnutls.c (`verify_peer`): only the leaf's key counts.
    @Test(arguments: [
        PlatformCase("example.com | leaf:leaf", is: .accepts, "compares only the leaf"),
        PlatformCase("example.com | leaf:leaf", is: .accepts, "do not count", isTrusted: false),
        PlatformCase("example.com | spare:leaf", is: .rejects, "no pin", isTrusted: false),
        PlatformCase("example.com | root", is: .rejects, "no pin of example.com is of this leaf"),
        PlatformCase("example.com | root:root", is: .notPinned, "every pin of example.com is of a CA"),
        PlatformCase(
            "example.com | root:root spare:leaf:backup", is: .notPinned, "no active pin of example.com is of the leaf"),
        PlatformCase("example.com | root:root", is: .rejects, "does not validate", isTrusted: false),
        PlatformCase("example.com all | leaf", host: "a.example.com", is: .notPinned, "for this host"),
    ])
    func openconnect(row: PlatformCase) throws { try row.check(.openconnect) }

    /// Envoy, default_validator.cc (`doVerifyCertChain`): with `trusted_ca` the chain must validate, and the leaf must match.
    @Test(arguments: [
        PlatformCase("example.com | leaf:leaf spare:leaf", is: .accepts, "verify_certificate_spki"),
        PlatformCase("example.com | intermediate", is: .rejects, "this leaf"),
        PlatformCase("example.com | leaf:leaf", is: .rejects, "trusted_ca", isTrusted: false),
    ])
    func envoy(row: PlatformCase) throws { try row.check(.envoy) }

    /// getdns, src/openssl/tls.c (`_getdns_tls_connection_set_host_pinset`): DANE 3 1 1 for the leaf, 2 1 1 for other certificates.
    @Test(arguments: [
        PlatformCase("example.com | leaf", is: .accepts, "the pin of the leaf"),
        PlatformCase("example.com | intermediate", is: .accepts, "if the server sends this certificate"),
        PlatformCase("example.com | spare", is: .rejects, "no pin of this chain"),
        PlatformCase("example.org | leaf", is: .notPinned, "tls_pubkey_pinset"),
        PlatformCase("example.com | leaf", is: .accepts, "the dates do not count", isTrusted: false),
        PlatformCase("example.com | intermediate", is: .rejects, "must validate", isTrusted: false),
        PlatformCase("example.com | spare", is: .rejects, "does not validate", isTrusted: false),
    ])
    func stubby(row: PlatformCase) throws { try row.check(.stubby) }

    /// elastic-agent-libs, transport/tlscommon/tls_config.go (`verifyCAPin`): a CA of the validated chain.
    @Test(arguments: [
        PlatformCase("example.com | intermediate:ca", is: .accepts, "the pin of the intermediate"),
        PlatformCase("example.com | leaf", is: .rejects, "no pin of a CA"),
        PlatformCase("example.com | leaf:leaf", is: .notPinned, "of a leaf"),
        PlatformCase("example.com | root:root", is: .rejects, "does not validate", isTrusted: false),
    ])
    func elastic(row: PlatformCase) throws { try row.check(.elastic) }

    /// nats-server, server/auth.go (`matchesPinnedCert`): the SHA-256 of the peer's SubjectPublicKeyInfo.
    @Test(arguments: [
        PlatformCase("example.com | leaf:leaf", is: .accepts, "pinned_certs"),
        PlatformCase("example.com | root", is: .rejects, "this leaf"),
        PlatformCase("example.com | leaf:leaf", is: .rejects, "does not validate", isTrusted: false),
    ])
    func nats(row: PlatformCase) throws { try row.check(.nats) }

    /// aiohttp, connector.py (`_get_ssl_context`): a fingerprint as `ssl` disables the validation.
    @Test(arguments: [
        PlatformCase("example.com | leaf:leaf", is: .accepts, "aiohttp.Fingerprint"),
        PlatformCase("example.com | leaf:leaf", is: .accepts, "do not count", isTrusted: false),
        PlatformCase("example.com | spare:leaf", is: .rejects, "no pin", isTrusted: false),
        PlatformCase("example.com | root:root", is: .notPinned, "of a CA"),
    ])
    func aiohttp(row: PlatformCase) throws { try row.check(.aiohttp) }

    /// openfortivpn, src/tunnel.c (`ssl_verify_cert`): the list is searched only if the validation fails.
    @Test(arguments: [
        PlatformCase("example.com | spare:leaf", is: .notPinned, "the chain validates"),
        PlatformCase("example.com | leaf:leaf", is: .accepts, "trusted-cert", isTrusted: false),
        PlatformCase("example.com | spare:leaf", is: .rejects, "no pin", isTrusted: false),
    ])
    func openfortivpn(row: PlatformCase) throws { try row.check(.openfortivpn) }

    /// http_certificate_pinning, HttpCertificatePinningPlugin.kt (`checkConnexion`): the platform validates, then the leaf's
    /// fingerprint must be in the list.
    @Test(arguments: [
        PlatformCase("example.com | leaf:leaf", is: .accepts, "allowedSHAFingerprints"),
        PlatformCase("example.com | root", is: .rejects, "this leaf"),
        PlatformCase("example.com | leaf:leaf", is: .rejects, "does not validate", isTrusted: false),
    ])
    func flutter(row: PlatformCase) throws { try row.check(.flutter) }

    /// AFNetworking, AFSecurityPolicy.m (`evaluateServerTrust:forDomain:`): pinned certificates apply to every host, at any position.
    @Test(arguments: [Platform.afnetworking, .afnetworkingCertificate, .reactNativeSSLPinning, .cordova, .dart])
    func certificateFiles(platform: Platform) throws {
        for key in ["leaf", "intermediate", "root"] {
            try PlatformCase("example.com | \(key)", is: .accepts, "the key of the \(key)").check(platform)
        }
        try PlatformCase("example.org | root", is: .accepts, "the key of the root").check(platform)
        try PlatformCase("example.com | spare", is: .rejects, "every host").check(platform)
        try PlatformCase("example.com | root", is: .rejects, "does not validate", isTrusted: false).check(platform)
    }

    /// AFSecurityPolicy.m (`evaluateServerTrust:forDomain:`): AFSSLPinningModePublicKey compares keys. With
    /// AFSSLPinningModeCertificate, the files are the only anchors (`SecTrustSetAnchorCertificates`), and the new chain must contain
    /// one of them.
    @Test(arguments: ["leaf", "intermediate", "root"]) func certificateFilesAreCompared(name: String) throws {
        let pki = try TestPKI.shared()
        let chain = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        let links = chain.enumerated().map { position, certificate in
            PlatformConnection.Link(
                certificate: ChainPin(
                    role: [.leaf, .intermediate, .root][position], position: position, pin: certificate.pin),
                fingerprint: certificate.sha256, commonName: certificate.subject?.commonName)
        }
        let connection = PlatformConnection(
            host: "localhost", chain: links, isTrusted: true, at: Timestamp(secondsSince1970: 1_790_000_000))
        func verdict(_ platform: Platform, _ file: String) throws -> PlatformVerdict {
            let configuration = try platform.configuration(ofFile: pki.bytes(file), format: .certificates)
            return try #require(configuration).verdict(on: connection)
        }
        #expect(
            try verdict(.afnetworkingCertificate, "\(name).pem").rule.hasPrefix(
                "a file has the certificate of the \(name)"))
        for platform in [Platform.afnetworkingCertificate, .reactNativeSSLPinning, .cordova, .dart] {
            #expect(try verdict(platform, "\(name).der").verdict == .accepts)
            #expect(try verdict(platform, "other-leaf.der").verdict == .rejects)
        }
        #expect(try Platform.afnetworking.configuration(ofFile: pki.bytes("\(name).der"), format: .certificates) == nil)
    }

    /// `root-cross` is a certificate of the root's key by another root. A renewed leaf certificate with the same key is not the same
    /// certificate.
    @Test func anotherCertificateOfTheKeyIsAnIssuerButNoLeaf() throws {
        let pki = try TestPKI.shared()
        let (root, cross) = (
            try Certificate(der: pki.bytes("root.der")), try Certificate(der: pki.bytes("root-cross.der"))
        )
        let leaf = try Certificate(der: pki.bytes("leaf.der"))
        let model = CertificateFileModel([cross], rule: "rule", triesOnePath: false)
        func connection(
            _ position: Int, _ certificate: Certificate, digest: [UInt8], at seconds: Int64 = 1_790_000_000
        ) -> PlatformConnection {
            let link = PlatformConnection.Link(
                certificate: ChainPin(role: position == 0 ? .leaf : .root, position: position, pin: certificate.pin),
                fingerprint: digest, commonName: certificate.subject?.commonName)
            return PlatformConnection(
                host: "localhost", chain: [link], isTrusted: true, at: Timestamp(secondsSince1970: seconds))
        }
        #expect(root.pin == cross.pin && root.sha256 != cross.sha256)
        let issuer = model.ruling(on: connection(2, root, digest: root.sha256))
        #expect(issuer.verdict == .accepts && issuer.rule.contains("another certificate of the root"))
        // A certificate with wrong dates is no issuer. BoringSSL can take it before the one that the server sends.
        for seconds: Int64 in [0, 20_000_000_000] {
            let connection = connection(2, root, digest: root.sha256, at: seconds)
            #expect(model.ruling(on: connection).verdict == .rejects)
            for files in [[cross], [root, cross]] {
                let dart = CertificateFileModel(files, rule: "rule", triesOnePath: true).ruling(on: connection)
                #expect(dart.verdict == .rejects && dart.rule.contains("can prefer it"))
            }
        }
        let renewed = CertificateFileModel([leaf], rule: "rule", triesOnePath: false).ruling(
            on: connection(0, leaf, digest: [UInt8](repeating: 1, count: 32)))
        #expect(renewed.verdict == .rejects && renewed.rule.contains("in another certificate"))
    }
}
