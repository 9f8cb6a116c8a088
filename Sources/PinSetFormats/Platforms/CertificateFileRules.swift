internal import Encodings
public import PinSetCodec
internal import Pinning

/// Apps that contain certificate files. The files apply to every host, so the pins of all entries count.
///
/// A file contains a whole certificate, but the set contains only its key. So the rules assume that the certificate of the chain is
/// in a file if its key is pinned.
private protocol CertificateFileRules: PinSetRules {
    /// The reason why a pinned certificate in the chain is sufficient.
    static var rule: String { get }
}

extension CertificateFileRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        let pins = connection.set.entries.flatMap(\.matchingPins)
        guard let hit = connection.hit(pins) else {
            return PlatformRuling(
                .rejects, "certificate files apply to every host, and no file has a key of this chain")
        }
        return PlatformRuling(.accepts, "a file has the key of the \(hit.certificate.role.rawValue); \(rule)")
    }
}

/// AFNetworking 4.0.1, AFSecurityPolicy.m `evaluateServerTrust:forDomain:`.
private enum AFNetworkingRules: CertificateFileRules {
    static let rule =
        "AFSSLPinningModePublicKey compares keys, and AFSSLPinningModeCertificate also needs the same certificate"
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

/// Dart: `SecurityContext(withTrustedRoots: false)`, with `X509_V_FLAG_PARTIAL_CHAIN` (runtime/bin/security_context.cc).
private enum DartRules: CertificateFileRules {
    static let rule = "with SecurityContext(withTrustedRoots: false) the files are the only trust anchors"
}

extension Platform {
    /// AFNetworking's AFSecurityPolicy with pinned certificates.
    public static let afnetworking = Platform("afnetworking", isOnlyByName: true, AFNetworkingRules.self)
    /// react-native-ssl-pinning with `certs`.
    public static let reactNativeSSLPinning = Platform(
        "react-native-ssl-pinning", isOnlyByName: true, ReactNativeSSLPinningRules.self)
    /// cordova-plugin-advanced-http in the mode `pinned`.
    public static let cordova = Platform("cordova", isOnlyByName: true, CordovaRules.self)
    /// Dart's SecurityContext without the system's roots.
    public static let dart = Platform("dart", isOnlyByName: true, DartRules.self)
}
