internal import Encodings
public import PinSetCodec
internal import Pinning

/// http_certificate_pinning 3.0.1 (bb3488d): the platform validates chain and name, then the package compares the SHA-256 of the
/// server's certificate with the list (HttpCertificatePinningPlugin.kt `checkConnexion`, SwiftHttpCertificatePinningPlugin.swift).
///
/// The package compares in a separate connection before the request. A fingerprint is a hash of a certificate, but the set contains
/// only keys. So the rules assume that the current certificate is listed if its key is pinned.
enum FlutterRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        connection.fingerprintRuling(list: "allowedSHAFingerprints")
    }
}

extension Platform {
    /// The Dart package http_certificate_pinning.
    public static let flutter = Platform("flutter", isOnlyByName: true, FlutterRules.self)
}
