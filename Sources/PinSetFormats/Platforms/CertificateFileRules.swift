internal import Encodings
public import PinSetCodec
internal import Pinning

/// Apps that contain certificate files. The files apply to every host, so the pins of all entries count.
///
/// A file contains a whole certificate, but a set contains only its key. So for a set, the rules assume that the certificate of the
/// chain is in a file if its key is pinned. For the certificate files themselves, ``CertificateFileModel`` compares the certificates.
private protocol CertificateFileRules: PinSetRules {
    /// The reason why a pinned certificate in the chain is sufficient.
    static var rule: String { get }
    /// Whether the app compares the keys of the certificates, and not the whole certificates.
    static var comparesKeys: Bool { get }
    /// Whether the app tries only one path, and takes an issuer from a file before one that the server sends.
    static var triesOnePath: Bool { get }
}

extension CertificateFileRules {
    static var comparesKeys: Bool { false }
    static var triesOnePath: Bool { false }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard !comparesKeys, file.format == .certificates else { return nil }
        return CertificateFileModel(
            try CertificateFilesFormat.certificates(in: file.bytes), rule: rule, triesOnePath: triesOnePath)
    }

    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        let pins = connection.set.entries.flatMap(\.matchingPins)
        guard let hit = connection.hit(pins) else {
            return PlatformRuling(
                .rejects, "certificate files apply to every host, and no file has a key of this chain")
        }
        return PlatformRuling(.accepts, "a file has the key of the \(hit.certificate.role.rawValue); \(rule)")
    }
}

/// Certificate files as the only trust anchors of an app.
struct CertificateFileModel: PlatformModel {
    private let certificates: [Certificate]
    private let rule: String
    private let triesOnePath: Bool

    init(_ certificates: [Certificate], rule: String, triesOnePath: Bool) {
        (self.certificates, self.rule, self.triesOnePath) = (certificates, rule, triesOnePath)
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        let issuers = connection.chain.filter { $0.certificate.position > 0 }
        if triesOnePath,
            let link = issuers.first(where: { authorities(like: $0).contains { !$0.isValid(at: connection.now) } })
        {
            return PlatformRuling(
                .rejects,
                "a file has another certificate of the \(link.certificate.role.rawValue) with the same name and key, which is not"
                    + " valid now, and the app can prefer it to the valid one; \(rule)")
        }
        let fingerprints = Set(certificates.map(\.sha256))
        if let link = connection.chain.first(where: { $0.fingerprint.map(fingerprints.contains) ?? false }) {
            return PlatformRuling(
                .accepts, "a file has the certificate of the \(link.certificate.role.rawValue); \(rule)")
        }
        // A path is built by names and keys, so another certificate of the same CA is also an issuer.
        for link in issuers where authorities(like: link).contains(where: { $0.isValid(at: connection.now) }) {
            return PlatformRuling(
                .accepts,
                "a file has another certificate of the \(link.certificate.role.rawValue) with the same name and key; \(rule)"
            )
        }
        let isSameKey = certificates.contains { $0.pin == connection.chain.first?.certificate.pin }
        return PlatformRuling(
            .rejects,
            isSameKey
                ? "a file has the key of the leaf in another certificate; \(rule)"
                : "certificate files apply to every host, and no file has a certificate of this chain")
    }

    /// The certificates of the same CA.
    private func authorities(like link: PlatformConnection.Link) -> [Certificate] {
        certificates.filter { certificate in
            certificate.isCA && certificate.pin == link.certificate.pin && link.commonName != nil
                && certificate.subject?.commonName == link.commonName
        }
    }
}

extension Certificate {
    fileprivate func isValid(at moment: Timestamp) -> Bool {
        (notBefore.map { $0 <= moment } ?? true) && (notAfter.map { moment <= $0 } ?? true)
    }
}

/// AFNetworking 4.0.1 (d9f589c), AFSecurityPolicy.m `evaluateServerTrust:forDomain:`, with AFSSLPinningModePublicKey: the keys of the
/// validated chain are compared with those of the files.
private enum AFNetworkingRules: CertificateFileRules {
    static let rule = "AFSSLPinningModePublicKey compares keys"
    static let comparesKeys = true
}

/// The same method with AFSSLPinningModeCertificate: the system validates the chain, then validates it again with the files as the
/// only anchors. One certificate of the second chain must be in a file.
private enum AFNetworkingCertificateRules: CertificateFileRules {
    static let rule =
        "AFSSLPinningModeCertificate uses the files as the only trust anchors, so it must be the same certificate"
}

/// react-native-ssl-pinning 1.5.9 (fd39ff1), android/…/OkHttpUtils.java. On Android the files are the only trust anchors; on iOS
/// the library uses AFNetworking.
private enum ReactNativeSSLPinningRules: CertificateFileRules {
    static let rule = "the files are the only trust anchors, so it must be the same certificate"
}

/// cordova-plugin-advanced-http (1f5b0f5), CordovaServerTrust.java, mode `pinned`.
private enum CordovaRules: CertificateFileRules {
    static let rule = "with setServerTrustMode(\"pinned\") the files are the only trust anchors"
}

/// Dart: `SecurityContext(withTrustedRoots: false)`, with `X509_V_FLAG_PARTIAL_CHAIN` and `X509_V_FLAG_TRUSTED_FIRST`
/// (runtime/bin/secure_socket_filter.cc). BoringSSL takes the first issuer with the name, whatever its dates (`X509_STORE_CTX_get1_issuer` in
/// crypto/x509/x509_lu.cc).
private enum DartRules: CertificateFileRules {
    static let triesOnePath = true
    static let rule = "with SecurityContext(withTrustedRoots: false) the files are the only trust anchors"
}

extension Platform {
    /// AFNetworking's AFSecurityPolicy with AFSSLPinningModePublicKey.
    public static let afnetworking = Platform("afnetworking", isOnlyByName: true, AFNetworkingRules.self)
    /// AFNetworking's AFSecurityPolicy with AFSSLPinningModeCertificate.
    public static let afnetworkingCertificate = Platform(
        "afnetworking-certificate", isOnlyByName: true, AFNetworkingCertificateRules.self)
    /// react-native-ssl-pinning with `certs`.
    public static let reactNativeSSLPinning = Platform(
        "react-native-ssl-pinning", isOnlyByName: true, ReactNativeSSLPinningRules.self)
    /// cordova-plugin-advanced-http in the mode `pinned`.
    public static let cordova = Platform("cordova", isOnlyByName: true, CordovaRules.self)
    /// Dart's SecurityContext without the system's roots.
    public static let dart = Platform("dart", isOnlyByName: true, DartRules.self)
}
