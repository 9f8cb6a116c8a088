extension PinSetFormat {
    /// What a file in this format is called where nothing else names it.
    public var fileName: String {
        switch self {
        case .pins: "pins.json"
        case .apple: "Info.plist"
        case .android: "network_security_config.xml"
        case .okhttp: "CertificatePins.kt"
        case .trustkit: "TrustKit.plist"
        case .trustkitSwift: "TrustKitConfiguration.swift"
        case .alamofire: "PinnedServers.swift"
        case .urlsession: "PinningDelegate.swift"
        case .hpkp: "hpkp.txt"
        case .curl: "pinnedpubkey.txt"
        case .tlsa: "tlsa.zone"
        case .cronet: "CronetPins.kt"
        case .chromium: "transport_security_state_static.json"
        case .reactNative: "ssl-pinning.json"
        case .reactNativeSSLManager: "ssl_config.json"
        case .wultra: "fingerprints.json"
        }
    }
}
